import { type RawBuilder, sql } from 'kysely'

import { usersPerPage } from '#contract/index.ts'
import { isDistributed } from '../store/distributed.ts'
import { fence, type Handle } from '../store/sql.ts'
import type { Range, Ranges } from './ranges.ts'
import { memberOf, type SegmentCondition } from './storage.ts'
import { type Rows, scansOf, type Walk, type WalkStep } from './walks.ts'

export interface WalkResult {
  /** The users of a page, and one more if there is one. */
  readonly steps: readonly WalkStep[]
  /** Number of users found so far. */
  readonly count: number
  /** Whether there may be more than were counted. */
  readonly atLeast: boolean
}

/** A segment to search in, and the findings of one search about it. */
export interface SearchedSegment extends SegmentCondition {
  /** Number of candidates tested while there were few hits. */
  examined?: number
  /** Number of members that PostgreSQL estimates. */
  expected?: number
  members?: readonly string[] | 'many'
}

/** Returns the next users of a walk and their number, counted up to a limit. */
export async function nextOf(
  database: Handle,
  walk: Walk,
  after: WalkStep | undefined,
  options: { readonly limit?: number | undefined; readonly segment?: SearchedSegment | undefined },
): Promise<WalkResult> {
  const { limit = usersPerPage + 1, segment } = options
  // In a distributed store each machine finds its own first users.
  if (isDistributed(database)) {
    const test = sql`${walk.test ?? sql`true`} and ${segment ? memberOf(segment) : sql`true`}`
    return await firstOf(
      database,
      sql`select key, id from (${walk.candidates}) w where ${test}`,
      after,
      limit,
    )
  }
  if (segment || walk.compared) return await examineNext(database, walk, after, segment, limit)
  const { candidates, test = sql`true`, repeated } = walk
  const all = sql`select key, id from (${candidates}) w where ${test}`
  if (!repeated || limit <= usersPerPage + 1) return await firstOf(database, all, after, limit)
  // Most users are met once or twice, so 1,000 of them are counted in the first 2,000 rows, without a test: this takes
  // 1 ms instead of 4 to 6 ms (200,000 users).
  const { found, extra: count } = await readFirst(
    database,
    sql`found as materialized (${orderRows(all, after)} limit ${usersPerPage + 1})`,
    sql<number>`(
      select case when met < ${2 * limit} or users >= ${limit} then least(users, ${limit}) else (
        select count(*) from (${all} limit ${limit}) w
      ) end
      from (select count(*) as met, count(distinct id) as users from (${repeated} limit ${2 * limit}) w) w)::int`,
  )
  return { ...found, count, atLeast: count >= limit }
}

async function firstOf(
  database: Handle,
  rows: Rows,
  after: WalkStep | undefined,
  limit: number,
): Promise<WalkResult> {
  const tables = sql`found as materialized (${orderRows(rows, after)} limit ${limit})`
  const { found } = await readFirst(database, tables, sql`null`)
  return { ...found, atLeast: found.count >= limit }
}

/** Number of candidates tested one by one: in the first batch, and at most in one batch. */
const examinedAtFirst = 250
const examinedAtMost = 16_000
/** Threshold of hits among the candidates tested so far. Below it another strategy is better, if there is one. */
const fewHits = (examined: number) => examined / 80
/** Largest segment, in members, that a search with few hits reads as a whole, to test only its members. */
const maxMembers = 5000

/**
 * Tests candidates one by one and counts as far as the page needs. No strategy suits every search: a common word in a
 * small segment means many tests in vain, and looking up the members of a large segment takes too long.
 */
async function examineNext(
  database: Handle,
  walk: Walk,
  after: WalkStep | undefined,
  segment: SearchedSegment | undefined,
  limit: number,
): Promise<WalkResult> {
  const isMember = segment?.isMember() ?? sql`true`
  const test = walk.test ?? sql`true`
  // For a narrow walk the other words are tested first, and the segment only for users who have them: terms are cheaper
  // to look up than entities.
  const [first, then] = walk.isNarrow ? [test, isMember] : [isMember, test]
  const steps: WalkStep[] = []
  let count = 0
  let from: WalkStep | undefined = after
  for (let batch = examinedAtFirst, examined = 0; !Array.isArray(segment?.members);) {
    const { found, extra } = await readFirst(
      database,
      sql`examined as materialized (${orderRows(walk.candidates, from)} limit ${batch}),
        found as materialized (
          select key, id from (select key, id from examined w where ${first} ${fence}) w where ${then})`,
      sql<{ examined: number; last: WalkStep | null }>`(
        select json_build_object('examined', (select count(*) from examined), 'last', (
          select json_build_object('key', key, 'id', id) from examined order by key desc, id desc limit 1)))`,
    )
    steps.push(...found.steps)
    count += found.count
    examined += extra.examined
    const isEnd = extra.examined < batch || extra.last === null
    if (isEnd || steps.length > usersPerPage)
      return { steps: steps.slice(0, usersPerPage + 1), count, atLeast: !isEnd }
    if (count < fewHits(examined)) {
      if (segment) {
        segment.examined = (segment.examined ?? 0) + extra.examined
        segment.expected ??= await estimateMembers(database, segment)
        // Finding a member takes about as long as testing a candidate, so members are read once as many candidates have
        // been tested with few hits.
        if (segment.expected <= Math.min(segment.examined, maxMembers))
          segment.members ??= await membersOf(database, segment)
      } else if (walk.compared) return await firstOf(database, walk.compared, after, limit)
    }
    from = extra.last ?? undefined
    // Next batch: enough candidates to fill the page, plus a margin.
    const enough = Math.ceil((1.3 * (usersPerPage + 1 - count) * examined) / Math.max(count, 1))
    batch = Math.min(Math.max(enough, examinedAtFirst), 4 * batch, examinedAtMost)
  }
  return await firstOf(database, walk.among(sql`${segment?.members}::uuid[]`), after, limit)
}

async function estimateMembers(database: Handle, { where }: SegmentCondition): Promise<number> {
  const all = sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select 1 from users u where ${where()}`
  return (await all.execute(database)).rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? maxMembers + 1
}

async function membersOf(database: Handle, { where }: SegmentCondition): Promise<readonly string[] | 'many'> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where ${where()} limit ${maxMembers + 1}`.execute(database)
  return rows.length > maxMembers ? 'many' : rows.map(({ id }) => id)
}

const orderRows = (rows: Rows, after: WalkStep | undefined) =>
  sql`select key, id from (${rows}) w
    where ${after ? sql`(key, id) > (${after.key}, ${after.id}::uuid)` : sql`true`} order by key, id`

/** Returns the first rows of the table `found`, their total number, and one more value. */
async function readFirst<Extra>(
  database: Handle,
  tables: RawBuilder<unknown>,
  extra: RawBuilder<Extra>,
): Promise<{ found: { steps: WalkStep[]; count: number }; extra: Extra }> {
  const { rows } = await sql<{ steps: WalkStep[] | null; count: number; extra: Extra }>`
    with ${tables}
    select (select count(*) from found)::int as count, ${extra} as extra, (
      select json_agg(json_build_object('key', key, 'id', id) order by key, id)
      from (select key, id from found order by key, id limit ${usersPerPage + 1}) w
    ) as steps`.execute(database)
  const { steps, count, extra: more } = rows[0] ?? { steps: null, count: 0, extra: null as Extra }
  return { found: { steps: steps ?? [], count }, extra: more }
}

/** Counts the terms within each group of ranges, up to a limit. */
export async function countTerms(
  database: Handle,
  groups: readonly Ranges[],
  limit: number,
): Promise<number[]> {
  const counts = groups.map(
    (ranges) => sql`(select count(*) from (select 1 from ${scansOf(ranges)} w limit ${limit}) w)::int`,
  )
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(
    database,
  )
  return rows[0]?.counts ?? []
}

/** Returns the ranges that contain at least one term. */
export async function keepInhabited(database: Handle, ranges: readonly Range[]): Promise<Range[]> {
  if (isDistributed(database)) return await keepInhabitedDistributed(database, ranges)
  const { rows } = await sql<Range>`
    select range.first as "from", range.last as "to"
    from unnest(${ranges.map(({ from }) => from)}::text[], ${ranges.map(({ to }) => to)}::text[])
      as range (first, last)
    cross join lateral (
      select 1 from user_terms where term between range.first and range.last limit 1
    ) term`.execute(database)
  return rows
}

/** Number of terms read at once to find out which ranges contain any. */
const termsAtOnce = 1000

/**
 * Citus cannot push down a subquery with its own limit, and one statement per range takes a second for the 450 ranges
 * of a word. So terms are read from any of the ranges, then from the ranges not met yet, until there are none left.
 */
async function keepInhabitedDistributed(database: Handle, ranges: readonly Range[]): Promise<Range[]> {
  const found: Range[] = []
  for (let left = ranges; left.length > 0;) {
    const { rows } = await sql<{ first: string }>`
      select range.first
      from unnest(${left.map(({ from }) => from)}::text[], ${left.map(({ to }) => to)}::text[])
        as range (first, last)
      join user_terms on term between range.first and range.last
      limit ${termsAtOnce}`.execute(database)
    const met = new Set(rows.map(({ first }) => first))
    found.push(...left.filter(({ from }) => met.has(from)))
    if (rows.length < termsAtOnce) break
    left = left.filter(({ from }) => !met.has(from))
  }
  return found
}
