import { Link } from 'react-router'

import { type Judged, userFields, type UserTest } from '#contract/index.ts'

import { filterBuilderText, evaluationText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { links } from '../links.ts'
import { segmentName } from '../segments/names.ts'
import { groupOf } from './group.ts'
import { EvaluatedEntities } from './EvaluatedEntities.tsx'
import { EvaluatedValue } from './EvaluatedValue.tsx'
import classes from './Evaluation.module.css'
import { EvaluationLine } from './EvaluationLine.tsx'
import { Rail } from './Rail.tsx'
import { daysCounted, testInWords } from './sentence.ts'
import type { Known } from './use-known.ts'

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
  const days = daysCounted(evaluated, known.segments.find(({ id }) => id === segmentId)?.tz)
  return days !== undefined && <p className="ds-dimmed">{days}</p>
}

interface EvaluationNodeProps<Kind extends Judged = Judged> {
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

function UsedSegment({
  evaluated,
  decisive,
  known,
}: EvaluationNodeProps<Extract<Judged, { segment: string }>>) {
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

function EvaluatedField({
  evaluated,
  decisive,
}: EvaluationNodeProps<UserTest & Extract<Judged, { user: string }>>) {
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
          ) : (
            // A user's e-mail may be any text.
            <EvaluatedValue type={type === 'EMAIL' ? 'TEXT' : type} value={actual} />
          ),
      })}
    >
      {testInWords({ key: user, type, op, value }, filterBuilderText.fields[user])}
    </EvaluationLine>
  )
}
