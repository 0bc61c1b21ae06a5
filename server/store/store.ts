import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool, QueryResultRow } from 'pg'

import { connectMs, retryUntilUsable } from './await-postgresql.ts'
import { canDistribute, distribute, isEmpty } from './distribute.ts'
import { detectDistribution, DistributedDialect } from './distributed.ts'
import { type Embedded, openFolder } from './engine/embedded.ts'
import { diskTrouble } from './engine/folder-trouble.ts'
import { Heartbeat } from './heartbeat.ts'
import { migrate, MigratingDialect } from './migrate.ts'
import { openPool, type Server } from './pools.ts'
import type { Handle } from './sql.ts'

/**
 * Maximum number of concurrent searches of all callers. They have their own connections, whose number limits them
 * independently of the rest of the service.
 */
export const searchesAtOnce = 4

/** Maximum number of connections of a thread beside the one that answers requests. */
const connectionsOfThread = 4
const limits = { statementLimitMs: 5_000, searchLimitMs: 1_000 }

/** The tables and the connections to them. The store does not handle sealing. */
export interface Store {
  sql: Handle
  /** Handle for expensive reads, with its own connections and time limit. */
  searches: Handle
  pool: Pool
  engine: 'embedded' | 'postgresql'
  /**
   * Whether changes are refused because an embedded store's disk is full or nearly full. Always false for a server.
   */
  isReadOnly(): boolean
  /**
   * Runs reads with `limitMs` as the time limit of each statement, instead of the general one. Returns `undefined` if
   * a statement exceeded it or was aborted by `stop`.
   */
  within<Result>(
    limitMs: number,
    reads: (handle: Handle) => Promise<Result>,
    stop?: AbortSignal,
  ): Promise<Result | undefined>
  /** Runs work of the service itself on separate connections, without the time limit for callers' statements. */
  unlimited<Result>(work: (handle: Handle) => Promise<Result>): Promise<Result>
  /** Runs statements without a time limit as the database's superuser; only for an embedded store. */
  maintain?: Maintain
  /** Address and kind, for another thread of this process that joins the store. */
  place: StorePlace
  /**
   * Waits for running work, then releases everything: connections, the embedded database, the folder's lock. Work that
   * takes longer than a third of `withinMs` is cut off, and a database that does not end in time is ended by force.
   */
  close(withinMs?: number): Promise<void>
}

/** Address and kind of an opened store. */
export interface StorePlace {
  readonly server: Server
  readonly isDistributed: boolean
  readonly engine: Store['engine']
}

/** Runs statements in sequence on one connection without a time limit; returns the rows of the last one. */
export type Maintain = <T extends QueryResultRow>(...texts: string[]) => Promise<T[]>

export type StoreSettings = { dataDir: string } | { databaseUrl: string }

export interface StoreOptions {
  /** Called with failures that no caller waits for, such as a lost idle connection or a full disk. */
  failed?: (error: Error) => void
  statementLimitMs?: number
  searchLimitMs?: number
  /** Seconds to wait for a PostgreSQL that does not answer yet; by default none. */
  waitSeconds?: number
  /** Called with messages for the operator: about the wait, its duration, and what a migration has found. */
  waiting?: (line: string) => void
  /** Called at the start of an embedded store with what could be safer about its folder or account. */
  warn?: (line: string) => void
}

/**
 * Opens the store: locks a data folder, migrates, then runs `prepare` on a separate connection without time limits.
 * Throws with a message for the operator.
 */
export async function openStore<Prepared>(
  settings: StoreSettings,
  prepare: (handle: Handle) => Promise<Prepared>,
  {
    failed = () => {},
    statementLimitMs = limits.statementLimitMs,
    searchLimitMs = limits.searchLimitMs,
    waitSeconds = 0,
    waiting = () => {},
    warn = () => {},
  }: StoreOptions = {},
): Promise<{ store: Store; prepared: Prepared }> {
  const embedded = 'dataDir' in settings ? await openFolder(settings.dataDir, { failed, warn }) : undefined
  const server: Server =
    'dataDir' in settings ? { ...embedded?.address } : { connectionString: settings.databaseUrl }
  try {
    const prepareDistributed = async (handle: Handle) => {
      if ((await canDistribute(handle)) && (await isEmpty(handle))) await distribute(handle)
      return { prepared: await prepare(handle), isDistributed: await detectDistribution(handle) }
    }
    const work = async () => {
      const first = openPool(server, failed, { statementLimitMs: 0, max: 1, connectMs })
      return await migrateUntilUsable(first, prepareDistributed, { waitSeconds, waiting })
    }
    const { prepared, isDistributed } =
      'databaseUrl' in settings
        ? await retryUntilUsable(settings.databaseUrl, { waitSeconds, say: waiting, work })
        : await work()
    const place = { server, isDistributed, engine: embedded ? 'embedded' : 'postgresql' } as const
    return { store: connect(place, { failed, statementLimitMs, searchLimitMs, max: 10, embedded }), prepared }
  } catch (error) {
    await embedded?.close()
    throw ('dataDir' in settings && diskTrouble(settings.dataDir, error)) || error
  }
}

/** Joins a store that another thread of this process has opened, with a few connections of its own. */
export function joinStore(
  place: StorePlace,
  { failed, isReadOnly }: { readonly failed: (error: Error) => void; readonly isReadOnly: () => boolean },
): Store {
  return { ...connect(place, { failed, ...limits, max: connectionsOfThread }), isReadOnly }
}

function connect(
  place: StorePlace,
  {
    failed,
    statementLimitMs,
    searchLimitMs,
    max,
    embedded,
  }: Required<Pick<StoreOptions, 'failed' | 'statementLimitMs' | 'searchLimitMs'>> & {
    readonly max: number
    readonly embedded?: Embedded | undefined
  },
): Store {
  const { server, isDistributed } = place
  const heartbeat = new Heartbeat(server)
  const { socket } = heartbeat
  const pool = openPool(server, failed, { statementLimitMs, max, socket })
  const searchPool = openPool(server, failed, {
    statementLimitMs,
    ownLimitMs: searchLimitMs,
    max: searchesAtOnce,
    socket,
  })
  const openUnlimited = () => openPool(server, failed, { statementLimitMs: 0, max: 2, socket })
  const on = (connections: Pool) =>
    new Kysely<unknown>({
      dialect: isDistributed
        ? new DistributedDialect({ pool: connections })
        : new PostgresDialect({ pool: connections }),
    })
  const pools = [pool, searchPool]
  const [database, searches] = [on(pool), on(searchPool)]
  let closing: Promise<void> | undefined
  const closePools = async () => {
    await Promise.all(pools.map(drain))
    // Errors of connections no longer matter, because the pools have ended.
    for (const each of pools) each.removeAllListeners('error').on('error', () => {})
    await Promise.all([database.destroy(), searches.destroy()])
    // Kysely ends a pool only if it has used it.
    for (const each of pools) if (!each.ending) await each.end()
  }
  const close = async (withinMs: number) => {
    const cut = setTimeout(() => heartbeat.cut(), withinMs / 3)
    const givenUp = sleep(withinMs / 2, undefined, { ref: false })
    await Promise.race([closePools(), givenUp])
    clearTimeout(cut)
    heartbeat.stop()
    await embedded?.close(withinMs / 2)
  }
  return {
    sql: database,
    searches,
    pool,
    engine: place.engine,
    place,
    isReadOnly: () => embedded?.isReadOnly() ?? false,
    within: (limitMs, reads, stop) => withTimeout(database, limitMs, reads, stop).catch(nothingIfCanceled),
    async unlimited(work) {
      const handle = on(openUnlimited())
      try {
        return await work(handle)
      } finally {
        await handle.destroy()
      }
    },
    ...(embedded && { maintain: maintainer(embedded) }),
    close: (withinMs = 120_000) => (closing ??= close(withinMs)),
  }
}

function maintainer({ address }: Embedded): Maintain {
  return async <T extends QueryResultRow>(...texts: string[]) => {
    const pool = openPool(address, () => {}, { statementLimitMs: 0, max: 1 })
    try {
      let rows: T[] = []
      for (const text of texts) ({ rows } = await pool.query<T>(text))
      return rows
    } finally {
      await pool.end()
    }
  }
}

const withTimeout = <Result>(
  database: Handle,
  limitMs: number,
  reads: (handle: Handle) => Promise<Result>,
  stop?: AbortSignal,
): Promise<Result> =>
  database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number; began: string }>`
      select pg_backend_pid() as pid, now()::text as began,
        set_config('statement_timeout', ${String(limitMs)}, true)`.execute(transaction)
    const [{ pid, began } = {}] = rows
    // Cancels from another connection, since this one is busy with its statement. By the time the cancel arrives, this
    // connection may run another caller's statement, in a transaction with another start time.
    const cancel = () =>
      void sql`select pg_cancel_backend(pid) from pg_stat_activity where pid = ${pid} and xact_start = ${began}::timestamptz`
        .execute(database)
        .catch(() => {})
    stop?.addEventListener('abort', cancel, { once: true })
    try {
      return await reads(transaction)
    } finally {
      stop?.removeEventListener('abort', cancel)
    }
  })

function nothingIfCanceled(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === '57014') return undefined
  throw error
}

// `pool.end()` drops callers who still wait for a connection. Once this caller has been served, all earlier ones have.
async function drain(pool: Pool) {
  const last = await pool.connect().catch(() => undefined)
  last?.release()
}

async function migrateUntilUsable<Prepared>(
  pool: Pool,
  prepare: (handle: Handle) => Promise<Prepared>,
  options?: Parameters<typeof migrate>[1],
): Promise<Prepared> {
  const db = new Kysely<unknown>({ dialect: new MigratingDialect({ pool }, options?.waiting) })
  try {
    await migrate(db, options)
    return await prepare(db)
  } finally {
    await db.destroy()
  }
}
