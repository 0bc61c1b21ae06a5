import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod'

import type { Operator } from '#contract/index.ts'
import {
  anniversaries,
  boundText,
  type Clock,
  type DaysOfYear,
  type MomentType,
  type MomentSpan,
  spanOf,
} from '../operands/moments.ts'

type SqlCondition = RawBuilder<boolean>
type Text = RawBuilder<string>

/** Builds a test on a timestamp column in UTC. */
export function columnMoment(column: Text, op: Operator, value: unknown, clock: Clock): SqlCondition {
  const bound = (ms: number) => {
    const text = boundText('DATETIME', ms).replace('Z', '')
    return sql`${{ '': '-infinity', '~': 'infinity' }[text] ?? text}::timestamp`
  }
  if (op !== 'anniversary_within') return inSpan(column, spanOf('DATETIME', op, value, clock), bound)
  const { until, days } = anniversaries('DATETIME', value as string, clock)
  const local = sql<string>`to_char(${column} at time zone 'UTC' at time zone ${clock.tz}, 'MM-DD')`
  return sql`(${inSpan(column, { from: -Infinity, until }, bound)} and ${inDays(local, days)})`
}

/** Patterns of valid stored moments. They check the day too, because PostgreSQL raises an error for 30 February. */
const date = z.regexes.date.source.replaceAll(/^\^|\$$/g, '')
const forms: Record<MomentType, string> = {
  DATE: `^${date}$`,
  DATETIME: `^${date}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$`,
  TIME: '^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{3})?)?$',
}

/**
 * Returns the text by which stored moments are compared; `09:30` and `09:30:00` are padded. Texts are cut: a longer
 * one is not a valid moment, and a very long one would not fit into an index.
 */
export function momentOrder(type: MomentType, text: Text): Text {
  if (type === 'TIME') return sql`((left(${text}, 12) || substr(':00.000', length(${text}) - 4)) collate "C")`
  return sql`(left(${text}, 24) collate "C")`
}

/**
 * Builds a test on the text of a stored moment. Texts have a fixed format, so they compare as the moments do. The
 * format is checked last, on the few that are left, because the pattern costs ten times as much as a comparison.
 * `order` is the index expression for the text.
 */
export function textMoment(
  text: Text,
  type: MomentType,
  op: Operator,
  value: unknown,
  clock: Clock,
  order?: Text,
): SqlCondition {
  const compared = order ?? momentOrder(type, text)
  const within = (span: MomentSpan) => inSpan(compared, span, (ms) => sql`${boundText(type, ms)}`)
  const valid = sql<boolean>`${text} ~ ${forms[type]}`
  if (op !== 'anniversary_within') {
    // Nearly all texts match the pattern, but the planner assumes that hardly any do; `coalesce` avoids that estimate.
    const isValid = order ? sql`coalesce(${valid}, false)` : valid
    return sql`(${within(spanOf(type, op, value, clock))} and ${isValid})`
  }

  const { until, days, nearly } = anniversaries(type, value as string, clock)
  const past = within({ from: -Infinity, until })
  const dayInUtc = sql<string>`substr(${text}, 6, 5)`
  // `case` keeps the pattern last: PostgreSQL estimates it as cheaper than the two comparisons before it.
  if (type === 'DATE') return sql`(case when ${inDays(dayInUtc, days)} and ${past} then ${valid} end)`
  const local = sql<string>`(case when ${valid} and ${text} >= '0001'
    then to_char(${text}::timestamptz at time zone ${clock.tz}, 'MM-DD') end)`
  return sql`(case when ${inDays(dayInUtc, nearly)} and ${past} then ${inDays(local, days)} and ${valid} end)`
}

/** Whether the text of a stored moment lies in a span; null or false for an invalid text. */
export function textInSpan(text: Text, type: MomentType, span: MomentSpan): SqlCondition {
  const compared = momentOrder(type, text)
  return sql`(${inSpan(compared, span, (ms) => sql`${boundText(type, ms)}`)} and ${text} ~ ${forms[type]})`
}

function inSpan(
  subject: Text,
  { from, until }: MomentSpan,
  bound: (ms: number) => RawBuilder<unknown>,
): SqlCondition {
  const bounds: SqlCondition[] = []
  if (from !== -Infinity) bounds.push(sql`${subject} >= ${bound(from)}`)
  if (until !== Infinity) bounds.push(sql`${subject} < ${bound(until)}`)
  return sql`(${sql.join(bounds, sql` and `)})`
}

function inDays(day: Text, days: DaysOfYear | undefined): SqlCondition {
  if (!days) return sql`true`
  const subject = sql`${day} collate "C"`
  const [first, last] = days
  return first <= last
    ? sql`(${subject} between ${first} and ${last})`
    : sql`(${subject} >= ${first} or ${subject} <= ${last})`
}
