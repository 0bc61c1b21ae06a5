import type { Kysely, RawBuilder } from 'kysely'

import type { Filter, Membership } from '#contract/index.ts'
import type { Caller } from '../caller.ts'
import type { Database, Tables } from '../database.ts'
import { MissingKeyError } from '../encryption.ts'
import { filterSql } from './filter-sql.ts'
import { referencesOf, type TestedKey, testedKeys } from './references.ts'
import { openOperands } from './sealed-operands.ts'
import { allSegments, conditionsOf, type SegmentRow, sensitiveOf } from './storage.ts'

/** A segment's id with what it asks for. */
type Asked = readonly [id: string, condition: RawBuilder<boolean>]

/** Enough that few statements are needed, and a failure leaves few to be asked again. */
const perStatement = 20
/** Each takes as long as a statement may run: after so many the rest stays unknown. */
const maxTimeouts = 3

/**
 * All segments, oldest first, and whether a user is in them; `undefined`: there is no such user. `member` is null where
 * the answer would tell a sensitive value that the caller may not read, and where the filter cannot be evaluated.
 */
export async function membershipsOf(
  { sql: database, keys: { indexKey } }: Pick<Database, 'sql' | 'keys'>,
  user: string,
  caller: Caller,
): Promise<Membership[] | undefined> {
  const stored = await allSegments(database)
  const rows = stored.map((row) => openOperands(indexKey, row))
  const segments = new Map<string, SegmentRow>(rows.map((row) => [row.id, row]))
  const now = new Date()
  const asked = rows.flatMap(({ id, filter, tz }): Asked[] => {
    try {
      return [[id, filterSql(filter, { segments, tz: tz ?? 'UTC', now, indexKey, oneByOne: true })]]
    } catch (error) {
      if (error instanceof MissingKeyError) throw error
      // Stored by other means than ours: it is no filter.
      return []
    }
  })
  const withheld = await withheldOf(database, asked, segments, caller)
  const members = await evaluate(
    database,
    user,
    asked.filter(([id]) => !withheld.has(id)),
  )
  return members && rows.map(({ id, name }) => ({ id, name, member: members.get(id) ?? null }))
}

/** Which conditions hold for a user; those that cannot be evaluated are left out. `undefined`: no such user. */
export async function evaluate(
  database: Kysely<Tables>,
  user: string,
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, boolean> | undefined> {
  const members = new Map<string, boolean>()
  let timeouts = 0
  /** False: there is no such user. */
  const ask = async (some: readonly Asked[]): Promise<boolean> => {
    if (timeouts >= maxTimeouts) return true
    try {
      const hold = await conditionsOf(
        database,
        user,
        some.map(([, condition]) => condition),
      )
      for (const [index, [id]] of some.entries()) members.set(id, hold?.[index] ?? false)
      return hold !== undefined
    } catch (error) {
      const code = sqlState(error)
      // Of the statement itself: data, names, complexity, time. Anything else is trouble with the database.
      if (!/^(2[12]|42|54|57014)/.test(code)) throw error
      if (code === '57014') timeouts++
      if (some.length > 1) for (const one of some) if (!(await ask([one]))) return false
      return true
    }
  }
  // At least once: without any segment it still matters whether there is such a user.
  for (let first = 0; first === 0 || first < asked.length; first += perStatement)
    if (!(await ask(asked.slice(first, first + perStatement)))) return undefined
  return members
}

const sqlState = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** The segments of which a caller may not know who is in them. */
async function withheldOf(
  database: Kysely<Tables>,
  asked: readonly Asked[],
  segments: ReadonlyMap<string, SegmentRow>,
  caller: Caller,
): Promise<ReadonlySet<string>> {
  if (caller.scopes.has('sensitive:read')) return new Set()
  const all = new Map<string, TestedKey>()
  const keysOf = asked.map(([id]) => {
    const keys = testedKeys(withUsed(id, segments))
    for (const key of keys) all.set(nameOf(key), key)
    return [id, keys.map(nameOf)] as const
  })
  const sensitive = new Set((await sensitiveOf(database, [...all.values()])).map(nameOf))
  return new Set(keysOf.flatMap(([id, keys]) => (keys.some((key) => sensitive.has(key)) ? [id] : [])))
}

const nameOf = ({ type, key }: TestedKey) => JSON.stringify([type, key])

/** The filters of a segment and of all that it uses. */
function withUsed(id: string, segments: ReadonlyMap<string, SegmentRow>): Filter[] {
  const ids = new Set([id])
  const filters: Filter[] = []
  for (const each of ids) {
    const segment = segments.get(each)
    if (!segment) continue
    filters.push(segment.filter)
    for (const used of referencesOf(segment.filter)) ids.add(used.id)
  }
  return filters
}
