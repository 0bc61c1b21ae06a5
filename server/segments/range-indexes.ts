import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'

import { type DefinitionRow, readDefinitions } from '../definitions/storage.ts'
import type { Database } from '../sealing/database.ts'
import { isDistributed } from '../store/distributed.ts'
import { Worker } from '../store/worker.ts'
import { openUsable, readFilter } from './facts.ts'
import {
  definitionOf,
  isRanged,
  noteIndexes,
  type Ranged,
  rangeOf,
  rangeIndexPrefix,
} from './sql/range-order.ts'
import { everSensitiveOf, segmentsAfter } from './storage.ts'

/** With fewer entities, reading them all is as fast as using an index. */
const leastEntities = 50_000
/**
 * Maximum number of indexes, because each slows down every write of its property. Definitions take precedence, and then
 * the oldest segments.
 */
const mostIndexes = 32
/** Time for which an unused index is kept, in case a filter is changed back or a segment is created again. */
const keptUnusedMs = 86_400_000
const lookEveryMs = 300_000
const rangeRecoverMs = 3_600_000
const segmentsAtOnce = 50

interface RangeIndexOptions {
  readonly leastEntities?: number
  readonly keptUnusedMs?: number
  readonly signal?: AbortSignal
  readonly made?: (ranged: Ranged, tookMs: number) => void
}

type Wanted = ReadonlyMap<string, { readonly ranged: Ranged } & ReturnType<typeof definitionOf>>
type Run = (statement: string) => Promise<unknown>

/**
 * Creates an index for each key that definitions mark, or that segments test for a range, and drops those that have been
 * unused for some time.
 * The database itself stores which indexes exist and since when they are unused. Does nothing if users are distributed
 * over several machines.
 */
export async function keepRangeIndexes(database: Database, options: RangeIndexOptions = {}): Promise<void> {
  if (isDistributed(database.sql)) return
  await lookAtRangeIndexes(database, options)
  if (database.isReadOnly()) return
  try {
    await keepInTurn(database, options)
  } finally {
    await lookAtRangeIndexes(database, options)
  }
}

/**
 * Notes the existing indexes, whichever process made them; filters are built to use these. Leaves out an index that is
 * about to be dropped: once it is gone, a filter built for it reads all entities until each process has looked again.
 */
async function lookAtRangeIndexes(
  database: Database,
  { keptUnusedMs: keptMs = keptUnusedMs }: RangeIndexOptions = {},
): Promise<void> {
  const stays = (unused: string | null) =>
    unused === null || Date.parse(unused) + keptMs > Date.now() + 2 * lookEveryMs
  const found = await indexesOf(database)
  noteIndexes(
    database.keys,
    found
      .filter((index) => index.isValid && !index.isBeingMade && stays(index.unused))
      .map(({ name }) => name),
  )
}

async function keepInTurn(database: Database, options: RangeIndexOptions): Promise<void> {
  // Only one of several processes does this. The lock is held in a transaction, which a pooler keeps on one connection.
  // The transaction holds no snapshot, so building an index does not wait for it.
  await database.sql.transaction().execute(async (lock) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock)
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('data-store range indexes')) as "isMine"`.execute(lock)
    if (rows[0]?.isMine)
      await keepIndexes(database, options, (work) => withoutLimit(database, options.signal, work))
  })
}

async function keepIndexes(
  database: Database,
  {
    leastEntities: least = leastEntities,
    keptUnusedMs: keptMs = keptUnusedMs,
    signal,
    made,
  }: RangeIndexOptions,
  maintaining: (work: (run: Run) => Promise<void>) => Promise<void>,
): Promise<void> {
  const [isLarge, found] = [await hasMany(database, least), await indexesOf(database)]
  if (!isLarge && found.length === 0) return
  const wanted: Wanted = isLarge ? await findWanted(database) : new Map()
  const steps: string[] = []
  const valid = new Set<string>()
  for (const { name, isValid, isBeingMade, unused } of found) {
    // A process ended while it built this index, but its statement still runs.
    if (isBeingMade) return
    if (!isValid || (!wanted.has(name) && unused !== null && Date.parse(unused) + keptMs <= Date.now()))
      steps.push(`drop index concurrently if exists ${name}`, `drop statistics if exists ${name}`)
    else {
      valid.add(name)
      if (wanted.has(name) !== (unused === null)) {
        const since = wanted.has(name) ? 'null' : `'${new Date().toISOString()}'`
        steps.push(`comment on index ${name} is ${since}`)
      }
    }
  }
  const missing = [...wanted].filter(([name]) => !valid.has(name)).map(([, definition]) => definition)
  if (steps.length + missing.length === 0) return
  await maintaining(async (run) => {
    for (const step of steps) await run(step)
    if (missing.length === 0) return
    for (const { statistics } of missing) await run(statistics)
    // Statistics come before the index, so that it is used properly as soon as it exists.
    await run('analyze entities')
    for (const { index, ranged } of missing) {
      if (signal?.aborted) return
      const startedMs = performance.now()
      await run(index)
      made?.(ranged, performance.now() - startedMs)
    }
  })
}

async function hasMany({ sql: handle }: Database, least: number): Promise<boolean> {
  const { rows } = await sql<{ isMany: boolean }>`
    select reltuples >= ${least} as "isMany" from pg_class where oid = 'entities'::regclass`.execute(handle)
  return rows[0]?.isMany ?? false
}

/** Returns the existing range indexes, complete or not. `unused`: time since which no segment has needed the index. */
async function indexesOf({ sql: handle }: Database) {
  const { rows } = await sql<{
    name: string
    isValid: boolean
    isBeingMade: boolean
    unused: string | null
  }>`
    select name, coalesce(valid, false) as "isValid", obj_description(oid, 'pg_class') as unused,
      oid in (select index_relid from pg_stat_progress_create_index) is true as "isBeingMade"
    from (
      select c.oid, c.relname::text as name, i.indisvalid as valid
      from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'entities'::regclass
    ) indexes
    full join (
      select stxname::text as name from pg_statistic_ext where stxrelid = 'entities'::regclass
    ) statistics using (name)
    where starts_with(name, ${rangeIndexPrefix})`.execute(handle)
  return rows
}

/**
 * Returns the ranges that definitions mark, and then those that segments test of properties without such a mark.
 * Properties that are or were sensitive get no index: its definition alone would reveal what a segment tests.
 */
async function findWanted(database: Database): Promise<Wanted> {
  const { sql: handle, keys } = database
  const { marked, unwanted } = readMarksOf(await readDefinitions(handle))
  const ranges: Ranged[] = [...marked]
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows = await segmentsAfter(handle, after || undefined, segmentsAtOnce)
    const usable = openUsable(keys.indexKey, rows)
    for (const { entity, test } of usable.flatMap((row) => readFilter(row).tests)) {
      const ranged = rangeOf(entity, test)
      if (ranged && !unwanted.has(pairOf(ranged))) ranges.push(ranged)
    }
    after = rows.length < segmentsAtOnce ? undefined : rows.at(-1)?.id
    await setImmediate()
  }
  const tested = ranges.map(({ entity, key }) => ({ type: entity, key }))
  const sensitive = new Set(
    (await everSensitiveOf(handle, tested)).map(({ type, key }) => pairOf({ entity: type, key })),
  )
  const open = ranges.filter((ranged) => !sensitive.has(pairOf(ranged)))
  const all = open.map((ranged) => {
    const definition = definitionOf(handle, ranged)
    return [definition.name, { ranged, ...definition }] as const
  })
  return new Map([...new Map(all)].slice(0, mostIndexes))
}

const pairOf = ({ entity, key }: Pick<Ranged, 'entity' | 'key'>) => JSON.stringify([entity, key])

/**
 * Returns the ranges that definitions want, and the properties of which they want none. A range of amounts needs a
 * currency, which definitions don't have.
 */
function readMarksOf(rows: readonly DefinitionRow[]) {
  const marked: Ranged[] = []
  const unwanted = new Set<string>()
  for (const { entityType: entity, key, definition } of rows) {
    if (!('range' in definition)) continue
    const { range, type, sensitive } = definition
    if (range === false || sensitive === true) unwanted.add(pairOf({ entity, key }))
    else if (range === true && type !== undefined && type !== 'CURRENCY' && isRanged(type))
      marked.push({ entity, key, type })
  }
  return { marked, unwanted }
}

/**
 * Runs statements without a time limit on a connection that is closed afterwards. After an abort, PostgreSQL still
 * finishes the current statement.
 */
async function withoutLimit(
  { pool }: Database,
  signal: AbortSignal | undefined,
  work: (run: Run) => Promise<void>,
): Promise<void> {
  const client = await pool.connect()
  let isReleased = false
  const end = () => {
    if (!isReleased) client.release(true)
    isReleased = true
  }
  signal?.addEventListener('abort', end, { once: true })
  try {
    await client.query('set statement_timeout = 0')
    await work((statement) => client.query(statement))
    // Behind a pooler, another client gets this connection next.
    await client.query('reset statement_timeout')
  } catch (error) {
    if (!signal?.aborted) throw error
  } finally {
    signal?.removeEventListener('abort', end)
    end()
  }
}

/** Keeps the range indexes up to date, at the start and every five minutes. */
export function startRangeIndexes(database: Database, log: Logger): { stop(): Promise<void> } {
  let pausedUntilMs = 0
  const step = async (signal: AbortSignal) => {
    if (performance.now() < pausedUntilMs) {
      // A failed read is repeated at the next turn.
      if (!isDistributed(database.sql)) await lookAtRangeIndexes(database).catch(() => undefined)
      return lookEveryMs
    }
    // Set before the attempt and cleared only if it succeeds, so that a failure delays the next one.
    pausedUntilMs = performance.now() + rangeRecoverMs
    await keepRangeIndexes(database, {
      signal,
      made: ({ entity, key }, tookMs) =>
        log.info({ type: entity, key, ms: Math.round(tookMs) }, 'made an index for the ranges of segments'),
    })
    pausedUntilMs = 0
    return lookEveryMs
  }
  const tell = (error: unknown) => {
    const { name, code } = error as Error & { code?: unknown }
    log.error(
      { name, code },
      'indexes for the ranges of segments could not be made; the next try is in an hour',
    )
  }
  return new Worker({ step, recoverMs: lookEveryMs, tell })
}
