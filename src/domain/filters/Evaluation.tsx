import { Button, Group } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'

import {
  type Entity,
  type Judged,
  type PropertyTest,
  type Segment,
  userFields,
  type UserTest,
} from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { evaluationText, filterBuilderText, filterSentenceText } from '../../messages/index.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { takeFew } from '../../ui/show-more.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { PropertyText } from '../definitions/DefinedValue.tsx'
import { typeLabel } from '../labels.ts'
import { links } from '../links.ts'
import { entitiesQuery } from '../queries/entities.ts'
import { segmentsQuery } from '../queries/segments.ts'
import { segmentName } from '../segments/names.ts'
import { dataTypeName } from '../values/data-type-name.ts'
import { keyFacts } from '../values/key-facts.ts'
import { Mask } from '../values/Mask.tsx'
import { SensitiveMark } from '../values/SensitiveMark.tsx'
import type { ValueTextProps } from '../values/ValueText.tsx'
import { describeDays, groupOf, type Match, nounOf, testInWords } from './sentence.ts'
import classes from './Evaluation.module.css'
import railClasses from './Rail.module.css'

export interface EvaluationProps {
  readonly known: Known
  readonly segmentId: string
  readonly evaluated: Judged
}

/**
 * Renders how a segment's filter was evaluated for one user: each condition with the values found. Decisive conditions
 * are coloured; conditions that would not change the outcome are grey.
 */
export function Evaluation({ known, segmentId, evaluated }: EvaluationProps) {
  return (
    <div className={classes.root} data-outcome={evaluated.pass ? 'in' : 'out'}>
      <EvaluationNode evaluated={evaluated} decisive known={known} />
      <Days evaluated={evaluated} segmentId={segmentId} known={known} />
    </div>
  )
}

function Days({ evaluated, segmentId, known }: EvaluationProps) {
  const days = describeDays(evaluated, known.segments.find(({ id }) => id === segmentId)?.tz)
  return days !== undefined && <p className="ds-dimmed">{days}</p>
}

interface EvaluationNodeProps<Kind = Judged> {
  readonly evaluated: Kind
  /** Whether the condition decides the outcome for the user. */
  readonly decisive: boolean
  readonly known: Known
}

function EvaluationNode(props: EvaluationNodeProps) {
  const { evaluated, decisive, known } = props
  if ('segment' in evaluated) return <UsedSegment {...props} evaluated={evaluated} />
  if ('entity' in evaluated) return <EvaluatedEntities {...props} evaluated={evaluated} />
  if ('user' in evaluated) return <EvaluatedField {...props} evaluated={evaluated} />
  const { match, parts } = groupOf(evaluated)
  const held = parts.filter(({ pass }) => pass).length
  // A failing `all` is decided by its failing parts, a passing `any` by its passing parts.
  const rests = (part: Judged) =>
    match === 'not' || (match === 'all') === evaluated.pass || part.pass === evaluated.pass
  return (
    <Rail
      match={match}
      head={
        <EvaluationLine pass={evaluated.pass} decisive={decisive}>
          <span className={classes.match}>
            {match === 'not'
              ? evaluationText.not[evaluated.pass ? 'holds' : 'fails']
              : evaluationText[match]({ held, total: parts.length })}
          </span>
        </EvaluationLine>
      }
      parts={parts.map((part, index) => (
        <EvaluationNode key={index} evaluated={part} decisive={decisive && rests(part)} known={known} />
      ))}
    />
  )
}

type UsedSegmentProps = EvaluationNodeProps<Extract<Judged, { segment: string }>>

function UsedSegment({ evaluated, decisive, known }: UsedSegmentProps) {
  const { segment: id, is, pass } = evaluated
  if (!is)
    return (
      <EvaluationLine pass={pass} decisive={decisive} found={evaluationText.segmentGone}>
        {evaluationText.inSegment({ segment: id })}
      </EvaluationLine>
    )
  const name = segmentName(known.segments.find((each) => each.id === id) ?? {})
  return (
    <div className={classes.condition}>
      <EvaluationLine pass={pass} decisive={decisive}>
        {evaluationText.inSegment.withElements({ segment: <Link to={links.segment(id)}>{name}</Link> })}
      </EvaluationLine>
      <details className={classes.used}>
        <summary>{evaluationText.labelOf[pass ? 'in' : 'out']({ segment: name })}</summary>
        <EvaluationNode evaluated={is} decisive={decisive} known={known} />
        <Days evaluated={is} segmentId={id} known={known} />
      </details>
    </div>
  )
}

type EvaluatedFieldProps = EvaluationNodeProps<UserTest & Extract<Judged, { user: string }>>

function EvaluatedField({ evaluated, decisive }: EvaluatedFieldProps) {
  const { user, op, value, actual, pass } = evaluated
  const type = userFields[user]
  return (
    <EvaluationLine
      pass={pass}
      decisive={decisive}
      found={evaluationText.found.withElements({
        value:
          type === 'DATETIME' && typeof actual === 'string' ? (
            <Timestamp value={actual} mode="minute" />
          ) : type === 'EMAIL' && typeof actual === 'string' && actual !== '' ? (
            <EmailText>{actual}</EmailText>
          ) : (
            // A user's e-mail may be any text.
            <EvaluatedValue type={type === 'EMAIL' ? 'TEXT' : type} value={actual} />
          ),
      })}
    >
      {user === 'account' && op === 'eq' && typeof value === 'boolean'
        ? filterBuilderText.subjects.account[value ? 'yes' : 'no']
        : testInWords('', { key: user, type, op, value }, filterBuilderText.fields[user])}
    </EvaluationLine>
  )
}

type EvaluatedCondition = Extract<Judged, { entities: unknown }>
type EvaluatedEntity = EvaluatedCondition['entities'][number]

const shownAtFirst = 3

/** Renders an evaluated condition on entities: matching entities first, then the nearest misses. */
function EvaluatedEntities({ evaluated, decisive, known }: EvaluationNodeProps<EvaluatedCondition>) {
  const { entity: type, min = 1, where = [], entities, pass } = evaluated
  const { count, fitting, has, hasTested, others } = evaluationText
  const things = (counted: number) => nounOf(type, 'counted', counted)
  const [isWhole, setWhole] = useState(false)
  const fit = entities.filter((one) => one.pass).length
  const sorted = entities.toSorted((a, b) => Number(b.pass) - Number(a.pass) || countHeld(b) - countHeld(a))
  const shown = where.length === 0 ? [] : isWhole ? sorted : takeFew(sorted, shownAtFirst)
  return (
    <div className={classes.condition}>
      <EvaluationLine
        pass={pass}
        decisive={decisive}
        found={
          where.length === 0
            ? count({ count: fit, things: things(fit) })
            : fitting({ fit, count: entities.length, things: things(entities.length) })
        }
      >
        {(where.length === 0 ? has : hasTested)({ min, thing: nounOf(type, 'one'), things: things(min) })}
      </EvaluationLine>
      {entities.length === 0 && where.length > 0 && (
        <ul className={classes.sought}>
          {where.map((test, index) => (
            <li key={index}>{testInWords(type, test)}</li>
          ))}
        </ul>
      )}
      {shown.length > 0 && (
        <ul className={classes.entities}>
          {shown.map((one) => (
            // Only entities with the same outcome as the whole condition are decisive: if it passes, failing entities
            // don't matter, and vice versa.
            <li key={one.id}>
              <EvaluatedEntityItem
                evaluated={one}
                type={type}
                decisive={decisive && one.pass === pass}
                known={known}
              />
            </li>
          ))}
        </ul>
      )}
      {shown.length > 0 && shown.length < sorted.length && (
        <Button
          size="compact-sm"
          variant="subtle"
          className={classes.others ?? ''}
          onClick={() => setWhole(true)}
        >
          {others({ count: sorted.length, things: things(sorted.length) })}
        </Button>
      )}
    </div>
  )
}

const countHeld = ({ where }: EvaluatedEntity) => where.filter(({ pass }) => pass).length

type EvaluatedEntityProps = EvaluationNodeProps<EvaluatedEntity> & { readonly type: string }

function EvaluatedEntityItem({ evaluated: one, type, decisive, known }: EvaluatedEntityProps) {
  const entity = known.entities?.find(({ id }) => id === one.id)
  const facts = entity ? keyFacts(entity) : []
  const [held, total] = [countHeld(one), one.where.length]
  const name = [typeLabel(type), ...(facts.length > 0 ? facts : [shortId(one.id)])].join(' · ')
  return (
    <>
      <Group gap="0 12px">
        <Link to={links.entity(known.userId, one.id)}>{name}</Link>
        <span className="ds-dimmed">
          {held === total ? evaluationText.matches : evaluationText.held({ held, total })}
        </span>
      </Group>
      <ul className={classes.tests}>
        {one.where.map((test, index) => (
          <li key={index}>
            <EvaluationLine
              pass={test.pass}
              decisive={decisive && test.pass === one.pass}
              found={<FoundValue test={test} entityType={type} entity={entity} />}
            >
              {/* The operand of a test on a sensitive value may be that very value, so it is left out. */}
              {testInWords(type, test.masked === true ? { ...test, value: undefined } : test)}
            </EvaluationLine>
          </li>
        ))}
      </ul>
    </>
  )
}

interface FoundValueProps {
  readonly test: PropertyTest & EvaluatedEntity['where'][number]
  readonly entityType: string
  readonly entity: Entity | undefined
}

function FoundValue({ test, entityType, entity }: FoundValueProps) {
  if (test.masked === true)
    return (
      <Group gap="4px 8px" align="baseline">
        <SensitiveMark withLabel /> <Mask>{evaluationText.masked}</Mask>
      </Group>
    )
  const { key, type, actual } = test
  const other = entity?.properties.find((property) => property.key === key && property.type !== type)
  return actual === undefined && other?.type !== undefined
    ? evaluationText.otherType({ actual: dataTypeName(other.type), wanted: dataTypeName(type) })
    : evaluationText.found.withElements({
        value: <EvaluatedValue type={type} value={actual} entityType={entityType} of={key} />,
      })
}

const longestShown = 200

interface EvaluatedValueProps extends Pick<ValueTextProps, 'type' | 'value'> {
  /** Property that has the value, by its entity type and key; undefined for a field of the user. */
  readonly entityType?: string
  readonly of?: string
}

function EvaluatedValue({ type, value, entityType, of = '' }: EvaluatedValueProps) {
  if (value === undefined || value === null)
    return <span className="ds-dimmed">{evaluationText.noValue}</span>
  // The wording matches that of the condition beside it.
  if (typeof value === 'boolean') return value ? filterSentenceText.yes : filterSentenceText.no
  const isLong = typeof value === 'string' && value.length > longestShown
  return (
    <PropertyText
      entityType={entityType}
      of={of}
      type={isLong ? 'TEXT' : type}
      value={isLong ? `${value.slice(0, longestShown)}…` : value}
    />
  )
}

interface EvaluationLineProps {
  readonly pass: boolean
  readonly decisive: boolean
  readonly found?: ReactNode
  readonly children: ReactNode
}

function EvaluationLine({ pass, decisive, found, children }: EvaluationLineProps) {
  const Icon = pass ? IconCheck : IconX
  return (
    <div className={classes.line} data-decisive={decisive}>
      <span className={classes.mark}>
        <Icon size={15} stroke={2.25} aria-hidden />
        <span className="ds-visually-hidden">
          {pass ? evaluationText.holdsBefore : evaluationText.failsBefore}
        </span>
      </span>
      <span>{children}</span>
      {found !== undefined && <div className={classes.found}>{found}</div>}
    </div>
  )
}

interface RailProps {
  readonly match: Match
  readonly head: ReactNode
  readonly parts: readonly ReactNode[]
}

/** Renders a filter group read-only: its parts are indented along a line whose colour shows how they match. */
export function Rail({ match, head, parts }: RailProps) {
  return (
    <div className={railClasses.group} data-match={match}>
      {head}
      {parts.length > 0 && (
        <ul className={railClasses.rail}>
          {parts.map((part, index) => (
            <li key={index}>{part}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Data by which the evaluation of a filter for one user names segments and entities. */
interface Known {
  readonly userId: string
  readonly segments: readonly Segment[]
  /** The user's entities; undefined while they load, or if the person may not read them. */
  readonly entities: readonly Entity[] | undefined
}

/** Loads the data for an evaluation, which renders without waiting for it. */
export function useKnown(userId: string): Known {
  const mayEntities = useDenied('entities:read') === undefined
  const { data: segments = [] } = useQuery(segmentsQuery())
  const { data: entities } = useQuery({ ...entitiesQuery(userId), enabled: mayEntities })
  return { userId, segments, entities }
}
