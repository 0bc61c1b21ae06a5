import { type Judged, userFields, type UserTest } from '#contract/index.ts'

import { segmentText, judgementText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'
import classes from './Judgement.module.css'
import { JudgedEntities } from './JudgedEntities.tsx'
import { JudgedValue } from './JudgedValue.tsx'
import { type Known, Line } from './Line.tsx'
import { daysCounted, testInWords } from './sentence.ts'

export interface JudgementProps extends Known {
  readonly judged: Judged
  /** Of the segment. */
  readonly tz: string | null | undefined
}

/**
 * A filter as it was judged on one user: each condition with what was found. What the outcome rests on has its colour;
 * what would change nothing is grey.
 */
export function Judgement({ judged, tz, ...known }: JudgementProps) {
  return (
    <div className={classes.root} data-outcome={judged.pass ? 'in' : 'out'}>
      <Node judged={judged} decisive known={known} />
      <Days judged={judged} tz={tz} />
    </div>
  )
}

function Days({ judged, tz }: Pick<JudgementProps, 'judged' | 'tz'>) {
  const days = daysCounted(judged, tz)
  return days !== undefined && <p className={classes.note}>{days}</p>
}

interface NodeProps<Kind extends Judged = Judged> {
  readonly judged: Kind
  /** Whether the outcome for the user rests on it. */
  readonly decisive: boolean
  readonly known: Known
}

function Node(props: NodeProps) {
  const { judged } = props
  if ('segment' in judged) return <UsedSegment {...props} judged={judged} />
  if ('entity' in judged) return <JudgedEntities {...props} judged={judged} />
  if ('user' in judged) return <UserField {...props} judged={judged} />
  return <Group {...props} judged={judged} />
}

type JudgedGroup = Extract<Judged, { all: unknown } | { any: unknown } | { not: unknown }>

function Group({ judged, decisive, known }: NodeProps<JudgedGroup>) {
  const { match, parts, label } = groupOf(judged)
  // All fall with the ones that fail; any stands by the ones that hold.
  const rests = (part: Judged) =>
    match === 'not' || (match === 'all') === judged.pass || part.pass === judged.pass
  return (
    <div className={classes.group} data-match={match}>
      <Line pass={judged.pass} decisive={decisive} className={classes.match}>
        {label}
      </Line>
      {parts.length > 0 && (
        <ul className={classes.parts}>
          {parts.map((part, index) => (
            <li key={index}>
              <Node judged={part} decisive={decisive && rests(part)} known={known} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function groupOf(judged: JudgedGroup) {
  const held = (parts: readonly Judged[]) => parts.filter(({ pass }) => pass).length
  if ('not' in judged)
    return { match: 'not', parts: [judged.not], label: judgementText.not(judged.pass) } as const
  if ('all' in judged) {
    const parts = judged.all
    return { match: 'all', parts, label: judgementText.all(held(parts), parts.length) } as const
  }
  const parts = judged.any
  return { match: 'any', parts, label: judgementText.any(held(parts), parts.length) } as const
}

function UsedSegment({ judged, decisive, known }: NodeProps<Extract<Judged, { segment: string }>>) {
  const { segment: id, is, pass } = judged
  const segment = known.segments.find((each) => each.id === id)
  const name = segment?.name?.trim() || segmentText.unnamed
  if (!is)
    return (
      <Line pass={pass} decisive={decisive} found={judgementText.segmentGone}>
        {`${judgementText.inSegment} ${id}`}
      </Line>
    )
  return (
    <div className={classes.condition}>
      <Line pass={pass} decisive={decisive}>
        {judgementText.inSegment} {known.renderLink({ segment: id }, name)}
      </Line>
      <details className={classes.used}>
        <summary>{judgementText.labelOf(pass, name)}</summary>
        <Node judged={is} decisive={decisive} known={known} />
        <Days judged={is} tz={segment?.tz} />
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
            <Timestamp value={actual} mode="exact" />
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
