import { type RawBuilder, sql } from 'kysely'

import { fence } from '../store/sql.ts'
import { prefixRange, type Range, type Ranges } from './ranges.ts'

export type Rows = RawBuilder<unknown>
type RowCondition = RawBuilder<boolean>

/** A query that reads users in order: rows of a sort `key` and the `id`. */
export interface Walk {
  readonly candidates: Rows
  /** Condition for a candidate `w` to be a result that is met for the first time. */
  readonly test?: RowCondition | undefined
  /** Whether the test looks for other words, which few of the candidates have. */
  readonly isNarrow?: boolean | undefined
  /** All results, some of them several times: read without testing whether each is met for the first time. */
  readonly repeated?: Rows | undefined
  /** All results, found at once; used if hardly any candidate is one. */
  readonly compared?: Rows | undefined
  /** Restricts the walk to an array of users, and starts from them. */
  readonly among: (users: Rows) => Rows
}

/** Position of a user in the order of a walk. */
export interface WalkStep {
  readonly key: string
  readonly id: string
}

/** Results of earlier walks of the same search, which this walk skips. */
export interface Shown {
  readonly ids?: Range | undefined
  readonly terms?: Ranges | undefined
  /** Skips users with a term in each of these groups. */
  readonly groups?: readonly Ranges[] | undefined
}

/** Finds users by id. */
export function walkIds(ids: Range): Walk {
  const rows = sql`select ''::text collate "C" as key, id from users
    where id between ${ids.from}::uuid and ${ids.to}::uuid`
  return { candidates: rows, among: (users) => sql`${rows} and id = any(${users})` }
}

/**
 * Finds users by one field. The name is compared as terms are; e-mail and ref are compared as on creation, except that
 * the case of a ref is ignored.
 */
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
 * Finds users whose e-mail key is in `sure`. A key in `perhaps.keys` may also belong to another domain, so its user
 * must have a term in `perhaps.terms` as well.
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
 * Finds users by their first term in the first group of ranges, if they have a term in each of the other groups. The
 * planner estimates most ranges far too small (178 terms instead of 35,868) and would join all of them before it finds
 * the first user. `offset 0` makes it test one user after the other, as far as the walk goes; `is true` makes it build
 * a hash table of the second group once.
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

/**
 * Finds users by property values, each by their first matching term.
 *
 * @param withoutCode Phone numbers without the code of the country that is sought.
 */
export function walkValues(ranges: Ranges, withoutCode: readonly string[], shown: Shown): Walk {
  const nationals = withoutCode.map((number): Match => ({
    range: prefixRange(number),
    condition: (row) =>
      sql`not ${within(ranges, sql.ref(`${row}.term`))} and ${isOfNoOtherCountry(row, number)}`,
  }))
  const matches = [...ranges.map((range): Match => ({ range, condition: () => sql`true` })), ...nationals]
  // Two properties of a user may have the same term.
  const scans = matches.map(
    ({ range, condition }) => sql`select term as key, user_id as id from value_terms t
      where ${within([range])} and ${condition('t')} and not exists (
        select 1 from value_terms o where o.user_id = t.user_id and o.term = t.term
          and (o.entity_id, o.key) < (t.entity_id, t.key) and ${condition('o')} ${fence})`,
  )
  const isMatch = sql`(${sql.join(
    matches.map(({ range, condition }) => sql`${within([range])} and ${condition('t')}`),
    sql` or `,
  )})`
  const ofUser = sql`select 1 from value_terms t where t.user_id = w.id and ${isMatch}`
  const notShown = notYetShown(shown)
  return {
    candidates: sql`(${sql.join(scans, sql` union all `)})`,
    test: matchEvery([sql`not exists (${ofUser} and t.term < w.key ${fence})`, ...notShown]),
    among: (users) => sql`select key, id
      from (
        select t.user_id as id, min(t.term) as key from value_terms t
        where t.user_id = any(${users}) and ${isMatch} group by t.user_id
      ) w
      where ${matchEvery(notShown)}`,
  }
}

/** Terms that are sought, and the condition for a row of `value_terms`, by its alias. */
interface Match {
  readonly range: Range
  readonly condition: (row: 't' | 'o') => RowCondition
}

/** Whether the value of a row does not have this phone number with the code of a country before it. */
function isOfNoOtherCountry(row: 't' | 'o', number: string): RowCondition {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  return sql`not exists (
    select 1 from value_terms c where c.user_id = ${of('user_id')} and c.entity_id = ${of('entity_id')}
      and c.key = ${of('key')} and c.term ~ ${`^[1-9][0-9]{0,2}${number}`} ${fence})`
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

/** Query for the rows within the ranges; each range is read from the index. */
export function scansOf(ranges: Ranges): Rows {
  const scans = ranges.map(
    (range) => sql`select term as key, user_id as id from user_terms t where ${within([range])}`,
  )
  return sql`(${sql.join(scans, sql` union all `)})`
}

// Term of a given user. `|| ''` leaves only the index by user, which reads a dozen terms. In a table that was filled
// but not analyzed yet, the planner would use the index by term and read all terms of the range for every user.
const ownTerm = sql`(t.term || '')`

const termsOfUser = (ranges: Ranges) =>
  sql`select 1 from user_terms t where t.user_id = w.id and ${within(ranges, ownTerm)}`

function within(ranges: readonly Range[], term = sql`t.term`): RowCondition {
  const each = ranges.map(({ from, to }) => sql`${term} between ${from} and ${to}`)
  return sql`(${sql.join(each, sql` or `)})`
}
