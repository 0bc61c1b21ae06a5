import { type RawBuilder, sql } from 'kysely'

import { fence } from '../store/sql.ts'
import type { Range, Ranges } from './ranges.ts'

export type Rows = RawBuilder<unknown>
type RowCondition = RawBuilder<boolean>

/** An order of users: rows of a `key`, by which they are ordered, and the `id`. */
export interface Walk {
  readonly candidates: Rows
  /** Whether a candidate `w` is one of them, and is met for the first time. */
  readonly test?: RowCondition | undefined
  /** The test asks for other words, which few of the candidates have. */
  readonly isNarrow?: boolean | undefined
  /** All of them, some several times: met without asking at each whether it is the first time. */
  readonly repeated?: Rows | undefined
  /** All of them, found at once, for when hardly any candidate is one. */
  readonly compared?: Rows | undefined
  /** Restricts the walk to some users (an array), starting from these. */
  readonly among: (users: Rows) => Rows
}

/** A user as a walk meets them, in its order. */
export interface WalkStep {
  readonly key: string
  readonly id: string
}

/** Results of earlier walks of the same search, which this one skips. */
export interface Shown {
  readonly ids?: Range | undefined
  readonly terms?: Ranges | undefined
  /** Users who had a term in each of these groups. */
  readonly groups?: readonly Ranges[] | undefined
}

/** Users by id. */
export function walkIds(ids: Range): Walk {
  const rows = sql`select ''::text collate "C" as key, id from users
    where id between ${ids.from}::uuid and ${ids.to}::uuid`
  return { candidates: rows, among: (users) => sql`${rows} and id = any(${users})` }
}

/** Users by one field. The name is compared as terms are, e-mail and ref as on creation, but for the ref's case. */
export function walkField(field: 'email' | 'name' | 'ref', range: Range): Walk {
  if (field === 'name') {
    const rows = sql`select t.term as key, t.user_id as id from user_terms t where t.name and ${within([range])}`
    return { candidates: rows, among: (users) => sql`${rows} and t.user_id = any(${users})` }
  }
  const key = sql.ref(`${field}_key`)
  const rows = sql`select ${key} as key, id from users where ${key} between ${range.from} and ${range.to}`
  return { candidates: rows, among: (users) => sql`${rows} and id = any(${users})` }
}

/**
 * Users by the keys of their e-mails, and those whose key may be another spelling of what is sought: where a term of theirs is in these
 * ranges as well.
 */
export function walkEmail(sure: Range, perhaps: { readonly keys: Range; readonly terms: Ranges }): Walk {
  const keys = (range: Range) => sql`select email_key as key, id from users w
    where email_key between ${range.from} and ${range.to}`
  const rows = sql`select key, id from (
    ${keys(sure)} union all
    ${keys(perhaps.keys)} and email_key not between ${sure.from} and ${sure.to}
      and exists (${termsOfUser(perhaps.terms)} ${fence})
  ) w`
  return { candidates: rows, among: (users) => sql`${rows} where id = any(${users})` }
}

/**
 * Users by their first term in the first of some groups of ranges, who have a term in each of the others. The planner
 * takes most ranges for much smaller than they are (178 terms instead of 35,868), and would join all of them before the
 * first user is found. `offset 0` has it ask one user after the other, as far as the walk gets; `is true` has it put
 * the second group into a hash table, once.
 */
export function walkTerms([driver, ...others]: readonly [Ranges, ...Ranges[]], shown: Shown = {}): Walk {
  const met = scansOf(driver)
  const [second, ...rest] = others
  const firstTime = sql`not exists (${termsOfUser(driver)} and ${ownTerm} < w.key ${fence})`
  const notShown = notYetShown(shown)
  return {
    candidates: met,
    test: matchEvery([firstTime, ...has(others), ...notShown]),
    isNarrow: others.length > 0,
    repeated: others.length === 0 ? sql`select id from ${met} w where ${matchEvery(notShown)}` : undefined,
    compared:
      second &&
      sql`select key, id from ${met} w
        where (id in (select id from ${scansOf(second)} w)) is true
          and ${matchEvery([firstTime, ...has(rest), ...notShown])}`,
    among: (users) => sql`select key, id
      from (
        select member.id, (
          select min(${ownTerm}) from user_terms t where t.user_id = member.id and ${within(driver, ownTerm)}
        ) as key
        from unnest(${users}) as member (id)
      ) w
      where key is not null and ${matchEvery([...has(others), ...notShown])}`,
  }
}

/** Users by values of their properties, each by the first term. */
export function walkValues(ranges: Ranges, shown: Shown): Walk {
  // Two properties of a user may have the same term.
  const scans = ranges.map(
    (
      range,
    ) => sql`select term as key, user_id as id from value_terms t where ${within([range])} and not exists (
      select 1 from value_terms o where o.user_id = t.user_id and o.term = t.term
        and (o.entity_id, o.key) < (t.entity_id, t.key) ${fence})`,
  )
  const ofUser = sql`select 1 from value_terms t where t.user_id = w.id and ${within(ranges)}`
  const notShown = notYetShown(shown)
  return {
    candidates: sql`(${sql.join(scans, sql` union all `)})`,
    test: matchEvery([sql`not exists (${ofUser} and t.term < w.key ${fence})`, ...notShown]),
    among: (users) => sql`select key, id
      from (
        select t.user_id as id, min(t.term) as key from value_terms t
        where t.user_id = any(${users}) and ${within(ranges)} group by t.user_id
      ) w
      where ${matchEvery(notShown)}`,
  }
}

function notYetShown({ ids, terms, groups }: Shown): RowCondition[] {
  return [
    ...(ids ? [sql<boolean>`w.id not between ${ids.from}::uuid and ${ids.to}::uuid`] : []),
    ...(terms ? [sql<boolean>`not exists (${termsOfUser(terms)} ${fence})`] : []),
    ...(groups ? [sql<boolean>`not ${matchEvery(has(groups))}`] : []),
  ]
}

const has = (groups: readonly Ranges[]) => groups.map((each) => sql`exists (${termsOfUser(each)} ${fence})`)

const matchEvery = (conditions: readonly Rows[]): RowCondition =>
  sql`(${sql.join([sql`true`, ...conditions], sql` and `)})`

/** Rows within the ranges, each range read from the index. */
export function scansOf(ranges: Ranges): Rows {
  const scans = ranges.map(
    (range) => sql`select term as key, user_id as id from user_terms t where ${within([range])}`,
  )
  return sql`(${sql.join(scans, sql` union all `)})`
}

// Term of a given user. `|| ''` leaves only the index by user, which reads a dozen terms. In a table that was filled
// and not analyzed yet, the planner would take the index by term and read all terms of the range for every user.
const ownTerm = sql`(t.term || '')`

const termsOfUser = (ranges: Ranges) =>
  sql`select 1 from user_terms t where t.user_id = w.id and ${within(ranges, ownTerm)}`

function within(ranges: readonly Range[], term = sql`t.term`): RowCondition {
  const each = ranges.map(({ from, to }) => sql`${term} between ${from} and ${to}`)
  return sql`(${sql.join(each, sql` or `)})`
}
