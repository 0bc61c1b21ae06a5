import { type RawBuilder, sql } from 'kysely'

import { usersPerPage } from '#contract/index.ts'
import { isDistributed } from '../store/distributed.ts'
import { fence, type Handle } from '../store/sql.ts'
import type { Range, Ranges } from './ranges.ts'
import { memberOf, type SegmentCondition } from './storage.ts'
import { type Rows, scansOf, type Walk, type WalkStep } from './walks.ts'

export interface WalkResult {
  /** One more than a page shows, if there are so many. */
  readonly steps: readonly WalkStep[]
  /** Number of users found so far. */
  readonly count: number
  /** There may be more than were counted. */
  readonly atLeast: boolean
}

/** A segment to search in, and what one search has learnt about it. */
export interface SearchedSegment extends SegmentCondition {
  /** How many candidates were asked in vain so far, and how many members the engine expects. */
  asked?: number
  expected?: number
  members?: readonly string[] | 'many'
}

/** The next users of a walk, and how many there are, counted up to a limit. */
export async function nextOf(
  database: Handle,
  walk: Walk,
  after: WalkStep | undefined,
  options: { readonly limit?: number | undefined; readonly segment?: SearchedSegment | undefined },
): Promise<WalkResult> {
  const { limit = usersPerPage + 1, segment } = options
  // Distributed over several machines each of these finds its first ones.
  if (isDistributed(database)) {
    const test = sql`${walk.test ?? sql`true`} and ${segment ? memberOf(segment) : sql`true`}`
    return await firstOf(
      database,
      sql`select key, id from (${walk.candidates}) w where ${test}`,
      after,
      limit,
    )
  }
  if (segment || walk.compared) return await nextAsked(database, walk, after, segment, limit)
  const { candidates, test = sql`true`, repeated } = walk
  const all = sql`select key, id from (${candidates}) w where ${test}`
  if (!repeated || limit <= usersPerPage + 1) return await firstOf(database, all, after, limit)
  // Most are met once or twice: 1,000 users are counted in 1 ms instead of 4 to 6 ms (200,000 users).
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

/** How many candidates are asked one by one, at first and at most at once. */
const askedAtFirst = 250
const askedAtMost = 16_000
/** Fewer hits than this among all that were asked so far: another way is better, if there is one. */
const fewHits = (asked: number) => asked / 80
/** Users of a segment from whom one can start instead. */
const maxMembers = 5000

/**
 * Asks one candidate after the other, and counts as far as the page needs it. No way suits every search: along a common
 * word through a small segment too many are asked in vain, and to look up the members of a large one takes too long.
 */
async function nextAsked(
  database: Handle,
  walk: Walk,
  after: WalkStep | undefined,
  segment: SearchedSegment | undefined,
  limit: number,
): Promise<WalkResult> {
  const isMember = segment?.isMember() ?? sql`true`
  const test = walk.test ?? sql`true`
  // Other words are asked for first, and the segment's entities only of who has them: terms are cheaper to look up.
  const [first, then] = walk.isNarrow ? [test, isMember] : [isMember, test]
  const steps: WalkStep[] = []
  let count = 0
  let from: WalkStep | undefined = after
  for (let batch = askedAtFirst, asked = 0; !Array.isArray(segment?.members);) {
    const { found, extra } = await readFirst(
      database,
      sql`asked as materialized (${orderRows(walk.candidates, from)} limit ${batch}),
        found as materialized (
          select key, id from (select key, id from asked w where ${first} ${fence}) w where ${then})`,
      sql<{ asked: number; last: WalkStep | null }>`(
        select json_build_object('asked', (select count(*) from asked), 'last', (
          select json_build_object('key', key, 'id', id) from asked order by key desc, id desc limit 1)))`,
    )
    steps.push(...found.steps)
    count += found.count
    asked += extra.asked
    const isEnd = extra.asked < batch || extra.last === null
    if (isEnd || steps.length > usersPerPage)
      return { steps: steps.slice(0, usersPerPage + 1), count, atLeast: !isEnd }
    if (count < fewHits(asked)) {
      if (segment) {
        segment.asked = (segment.asked ?? 0) + extra.asked
        segment.expected ??= await estimateMembers(database, segment)
        // To find a member takes about as long as to ask a candidate. Of many it would rather read the first users and all of
        // their entities than ask an index.
        if (segment.expected <= Math.min(segment.asked, maxMembers))
          segment.members ??= await membersOf(database, segment)
      } else if (walk.compared) return await firstOf(database, walk.compared, after, limit)
    }
    from = extra.last ?? undefined
    // Next batch: enough candidates to fill the page, plus a margin.
    const enough = Math.ceil((1.3 * (usersPerPage + 1 - count) * asked) / Math.max(count, 1))
    batch = Math.min(Math.max(enough, askedAtFirst), 4 * batch, askedAtMost)
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

/** The first of the rows in the table `found`, how many there are, and one value more. */
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

/** How many terms lie within each group of ranges, counted up to a limit. */
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

/** Ranges that contain at least one term. */
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

/** Terms that are read at once to find out in which ranges there are some. */
const termsAtOnce = 1000

/**
 * The machines answer no part of a statement that has a limit of its own, and one statement for each range takes a second for
 * the 450 of a word. So terms are read, no matter of which range, and then those of the others, as long as there may be more.
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
