import { Link } from 'react-router'

import { type Judged, userFields, type UserTest } from '#contract/index.ts'

import { judgementText, segmentText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { links } from '../links.ts'
import { nameOf } from '../segments/names.ts'
import { groupOf } from './group.ts'
import { JudgedEntities } from './EvaluatedEntities.tsx'
import { JudgedValue } from './EvaluatedValue.tsx'
import classes from './Evaluation.module.css'
import { Line } from './EvaluationLine.tsx'
import { Rail } from './Rail.tsx'
import { daysCounted, testInWords } from './sentence.ts'
import type { Known } from './use-known.ts'

export interface JudgementProps {
  readonly known: Known
  readonly segmentId: string
  readonly judged: Judged
}

/**
 * A segment's filter as it was judged on one user: each condition with what was found. What the outcome rests on has
 * its colour; what would change nothing is grey.
 */
export function Judgement({ known, segmentId, judged }: JudgementProps) {
  return (
    <div className={classes.root} data-outcome={judged.pass ? 'in' : 'out'}>
      <Node judged={judged} decisive known={known} />
      <Days judged={judged} segmentId={segmentId} known={known} />
    </div>
  )
}

function Days({ judged, segmentId, known }: JudgementProps) {
  const days = daysCounted(judged, known.segments.find(({ id }) => id === segmentId)?.tz)
  return days !== undefined && <p className="ds-dimmed">{days}</p>
}

interface NodeProps<Kind extends Judged = Judged> {
  readonly judged: Kind
  /** Whether the outcome for the user rests on it. */
  readonly decisive: boolean
  readonly known: Known
}

function Node(props: NodeProps) {
  const { judged, decisive, known } = props
  if ('segment' in judged) return <UsedSegment {...props} judged={judged} />
  if ('entity' in judged) return <JudgedEntities {...props} judged={judged} />
  if ('user' in judged) return <UserField {...props} judged={judged} />
  const { match, parts } = groupOf(judged)
  const held = parts.filter(({ pass }) => pass).length
  // All fall with the ones that fail; any stands by the ones that hold.
  const rests = (part: Judged) =>
    match === 'not' || (match === 'all') === judged.pass || part.pass === judged.pass
  return (
    <Rail
      match={match}
      head={
        <Line pass={judged.pass} decisive={decisive}>
          <span className={classes.match}>
            {match === 'not' ? judgementText.not(judged.pass) : judgementText[match](held, parts.length)}
          </span>
        </Line>
      }
      parts={parts.map((part, index) => (
        <Node key={index} judged={part} decisive={decisive && rests(part)} known={known} />
      ))}
    />
  )
}

function UsedSegment({ judged, decisive, known }: NodeProps<Extract<Judged, { segment: string }>>) {
  const { segment: id, is, pass } = judged
  if (!is)
    return (
      <Line pass={pass} decisive={decisive} found={judgementText.segmentGone}>
        {`${judgementText.inSegment} ${id}`}
      </Line>
    )
  const name = nameOf(known.segments.find((each) => each.id === id) ?? {})
  return (
    <div className={classes.condition}>
      <Line pass={pass} decisive={decisive}>
        {judgementText.inSegment} <Link to={links.segment(id)}>{name}</Link>
      </Line>
      <details className={classes.used}>
        <summary>{judgementText.labelOf(pass, name)}</summary>
        <Node judged={is} decisive={decisive} known={known} />
        <Days judged={is} segmentId={id} known={known} />
      </details>
    </div>
  )
}

function UserField({ judged, decisive }: NodeProps<UserTest & Extract<Judged, { user: string }>>) {
  const { user, op, value, actual, pass } = judged
  const type = userFields[user]
  const key = segmentText.builder.fields[user]
  return (
    <Line
      pass={pass}
      decisive={decisive}
      found={
        <>
          {judgementText.found}{' '}
          {type === 'DATETIME' && typeof actual === 'string' ? (
            <Timestamp value={actual} mode="minute" />
          ) : (
            // An e-mail of a user is any text.
            <JudgedValue type={type === 'EMAIL' ? 'TEXT' : type} value={actual} />
          )}
        </>
      }
    >
      {testInWords({ key, type, op, value })}
    </Line>
  )
}
