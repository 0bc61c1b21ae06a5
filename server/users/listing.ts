import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'

import { type Body, type Endpoints, usersPerPage } from '#contract/index.ts'
import type { Database } from '../sealing/database.ts'
import { isDistributed } from '../store/distributed.ts'
import type { Handle } from '../store/sql.ts'
import { usersInOrder } from './answers.ts'
import { type OrderedPart, partsOfOrder, type OrderPosition } from './orders.ts'
import { openOffset, sealOffset } from './paging.ts'
import { type SegmentCondition, segmentPage, type UserPage } from './storage.ts'

/**
 * Returns a page of the users who meet a condition, or of all users, in an order. `last` is the offset of the next
 * page. `known`: how many users met the condition a while ago.
 */
export async function listPage(
  database: Database,
  secret: KeyObject,
  { filter, tz, segment, sort = 'created', columns, offset = '' }: Body<Endpoints['searchUsers']>,
  condition: SegmentCondition | undefined,
  known?: number,
): Promise<UserPage> {
  // Columns are left out: an offset stays valid when they change.
  const list = JSON.stringify(['list', filter, tz, segment, sort])
  const from = offset === '' ? undefined : (openOffset(secret, list, offset) as ListPosition)
  if (condition && sort === 'created') {
    const page = await memberPage(database, condition, { after: from?.id, known, columns })
    return { ...page, last: page.last && sealOffset(secret, list, byId(page.last)) }
  }
  const found = await positionsOf(database, sort, from, condition, known)
  const shown = found.slice(0, usersPerPage)
  const { json, count } = await usersInOrder(database.sql, shown, columns)
  const more = found.length > shown.length
  const last = shown.at(-1)
  return { json, count, more, last: last && sealOffset(secret, list, last satisfies ListPosition) }
}

/**
 * Returns a page of the users who meet a condition, by id, after a given one. PostgreSQL's own plan usually finds the
 * page quickly. Unless few match, it is given up after `soonMs`, and the page is found as in other orders. `known`: as
 * in `listPage`.
 */
export async function memberPage(
  database: Database,
  condition: SegmentCondition,
  {
    after,
    known,
    columns,
  }: {
    readonly after: string | undefined
    readonly known: number | undefined
    readonly columns?: readonly string[] | undefined
  },
): Promise<UserPage> {
  const soon = isFew(known)
    ? await segmentPage(database.sql, condition, { after })
    : await database.within(soonMs, (handle) => segmentPage(handle, condition, { after }))
  if (soon && !columns) return soon
  if (soon) {
    const { json } = await usersInOrder(database.sql, JSON.parse(soon.json) as { id: string }[], columns)
    return { ...soon, json }
  }
  const from = after === undefined ? undefined : byId(after)
  const found = await positionsOf(database, 'created', from, condition, known)
  const shown = found.slice(0, usersPerPage)
  const { json, count } = await usersInOrder(database.sql, shown, columns)
  return { json, count, more: found.length > shown.length, last: shown.at(-1)?.id }
}

const byId = (id: string): ListPosition => ({ key: null, id, part: 0 })

/** Returns the positions of a page's users, and of one more if there is one. */
async function positionsOf(
  database: Database,
  sort: NonNullable<Body<Endpoints['searchUsers']>['sort']>,
  from: ListPosition | undefined,
  condition: SegmentCondition | undefined,
  known: number | undefined,
): Promise<ListPosition[]> {
  const parts = partsOfOrder(sort)
  const sought = condition && { ...condition, isForFew: isFew(known) }
  const found: ListPosition[] = []
  for (let at = from?.part ?? 0; at < parts.length && found.length <= usersPerPage; at++) {
    const [part, after] = [parts[at], at === from?.part ? from : undefined]
    if (!part) break
    const places = await placesOf(database, part, after, sought, usersPerPage - found.length)
    for (const place of places) found.push({ ...place, part: at })
  }
  return found
}

interface ListPosition extends OrderPosition {
  /** Index of the part within the order. */
  readonly part: number
}

/** Number of users tested one by one in the first walk, 4 to 9 µs each. */
const firstWalk = 1000
/** Maximum number of users tested if none of them matches. */
const vainWalk = 20_000
/** Maximum number of users tested to fill a page. */
const longWalk = 40_000
/** Maximum number of users tested to fill a page if finding the set takes long. */
const longestWalk = 100_000
/** Maximum number of matches that count as few: a walk hardly meets them, so their set is found instead. */
const few = 1000
const isFew = (known: number | undefined) => known !== undefined && known <= few
/** Time limit for each statement of a page that PostgreSQL plans by itself. */
const soonMs = 400
/** Time limit for finding the set: enough if an index leads to few matches, given up otherwise. */
const triedMs = 200

/**
 * Returns the positions of the next users who match a condition: up to `atMost`, and one more if there is one. How
 * many match, whether an index finds them and whether they all come late in the order is unknown. So users are tested
 * one by one as long as that promises to fill the page. Then the whole set is tried for a moment. Then the walk
 * continues, since the matches may begin further on. Finally the set is found without a limit.
 */
async function placesOf(
  database: Database,
  part: OrderedPart,
  after: OrderPosition | undefined,
  condition: (SegmentCondition & { readonly isForFew: boolean }) | undefined,
  atMost: number,
): Promise<readonly OrderPosition[]> {
  const limit = atMost + 1
  if (!condition) return (await placesIn(part, after, { limit }).execute(database.sql)).rows
  if (isDistributed(database.sql)) {
    const { where, fields } = condition
    const among = sql`select u.id from users u where ${where}`
    return (await placesIn(part, after, { among, limit, fields }).execute(database.sql)).rows
  }
  // Keyed by id: a user renamed during the walk may be met twice.
  const met = new Map<string, OrderPosition>()
  const set = setOf(part, after, condition, limit)
  let from = after
  for (let walked = 0, stride = firstWalk, isTried = false; ;) {
    const { places, last } = await walkOn(database.sql, part, from, condition, stride, limit - met.size)
    for (const place of places) met.set(place.id, place)
    if (met.size >= limit || !last) return [...met.values()]
    walked += stride
    from = last
    const needed = Math.ceil((1.5 * walked * limit) / met.size) - walked
    const isPromising = walked + needed <= (isTried ? longestWalk : longWalk)
    if (!isPromising && !isTried) {
      const found = condition.isForFew
        ? await set.execute(database.sql)
        : await database.within(triedMs, (handle) => set.execute(handle))
      if (found) return found.rows
      isTried = true
    }
    const end = isPromising ? walked + needed : met.size > 0 ? longWalk : vainWalk
    if (walked >= end) return (await set.execute(database.sql)).rows
    stride = end - walked
  }
}

/**
 * Returns the positions of matching users among the next `stride` users, and the position of the last one tested; null
 * if the order ends before.
 */
async function walkOn(
  database: Handle,
  part: OrderedPart,
  after: OrderPosition | undefined,
  { isMember, fields }: SegmentCondition,
  stride: number,
  limit: number,
): Promise<{ readonly places: readonly OrderPosition[]; readonly last: OrderPosition | null }> {
  const candidates = part.rows(after, { limit: stride, fields })
  const { rows } = await sql<{ places: readonly OrderPosition[] | null; last: OrderPosition | null }>`
    with met as materialized (
      select key, place, id from (${candidates}) w where ${isMember()} order by ${part.order} limit ${limit}
    )
    select (
      select json_agg(json_build_object('key', key, 'id', id) order by ${part.order}) from met
    ) as places, (
      select json_build_object('key', key, 'id', id) from (${candidates}) w
      order by ${part.order} offset ${stride - 1} limit 1
    ) as last`.execute(database)
  return { places: rows[0]?.places ?? [], last: rows[0]?.last ?? null }
}

/** Returns the users who meet a condition, in an order: the first ones, up to `atMost`. */
export async function findInOrder(
  database: Handle,
  condition: SegmentCondition,
  sort: NonNullable<Body<Endpoints['searchUsers']>['sort']>,
  atMost: number,
): Promise<string[]> {
  const found: string[] = []
  for (const part of partsOfOrder(sort)) {
    if (found.length === atMost) break
    const limit = atMost - found.length
    const { where, fields } = condition
    const places = isDistributed(database)
      ? placesIn(part, undefined, { among: sql`select u.id from users u where ${where}`, limit, fields })
      : setOf(part, undefined, condition, limit)
    for (const { id } of (await places.execute(database)).rows) found.push(id)
  }
  return found
}

/** Query that finds all users who meet a condition at once, then puts them in order. */
function setOf(
  part: OrderedPart,
  after: OrderPosition | undefined,
  { where, fields }: SegmentCondition,
  limit: number,
) {
  const found = sql`with found as materialized (select u.id from users u where ${where()})`
  return placesIn(part, after, { among: sql`select id from found`, limit, fields }, found)
}

const placesIn = (
  part: OrderedPart,
  after: OrderPosition | undefined,
  options: Parameters<OrderedPart['rows']>[1],
  tables = sql``,
) => sql<OrderPosition>`${tables} select key, id from (${part.rows(after, options)}) w order by ${part.order}`
