import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'

import type { Database } from '../sealing/database.ts'
import { MissingKeyError } from '../sealing/encryption.ts'
import { missingMasters, type Rewrapped, rewrapAll } from '../sealing/key-rotation.ts'
import type { Maintain } from '../store/store.ts'
import { Worker } from '../store/worker.ts'
import { emptySegments } from './segments.ts'
import { forgetDigests, markFinal, waitingErasures } from './storage.ts'

const hourMs = 3_600_000

/** Maximum time until a deletion is final in a running store with its own master key. */
export const finalWithinMs = 24 * hourMs
/**
 * Delay before deletions are made final, so that those of about a day share a new master key; the rest of the day is
 * for retries.
 */
const dueAfterMs = 20 * hourMs
const lookEveryMs = hourMs

/**
 * Time for which the old key stays after everything was rewrapped: a request in progress may hold an earlier row, or a
 * key that it wrapped and has not written yet. No request lasts this long.
 */
const graceMs = 60_000

/**
 * Maximum size of a table that is rewritten, so that none of its pages holds deleted data. Requests wait for that: 17
 * MB take 0.3 to 0.6 s, 121 MB with an index of properties 10 s (2 busy cores).
 */
const rewrittenBytes = 32 * 1024 * 1024

/** Pause between checks whether the old write-ahead log is gone. */
const roundMs = 100

interface FinalisingOptions {
  /** Whether to run even if no deletion is due yet. */
  readonly now?: boolean
  readonly graceMs?: number
  readonly rewrittenBytes?: number
  readonly signal?: AbortSignal
  /** Options of `rewrapAll`: batch size and progress. */
  readonly batch?: number
  readonly progress?: (done: number, of: number) => void
  /** Called after each step; tests kill the process there. */
  readonly step?: (name: string) => void
}

/**
 * Makes deletions final: makes a new master key, rewraps every user's key, removes dead rows and the write-ahead log,
 * and destroys the old key. If the master keys are settings, they belong to the operator, and this only records which
 * deletions have become final. After an interruption at any point, the next call continues, and all stored values stay
 * readable until then. A user's key that does not open keeps the old master key in place: a backup may have an intact
 * copy.
 */
export async function finaliseErasures(
  database: Database,
  options: FinalisingOptions = {},
): Promise<Rewrapped> {
  const { sql, keys, maintain } = database
  const { keyring, file } = keys
  const { signal, step = () => {} } = options
  const rewrapped = { done: 0, damaged: [] as readonly string[] }
  // If the settings lack a key, the final deletions cannot be determined.
  const [missing] = await missingMasters(sql, keyring)
  if (missing !== undefined) throw new MissingKeyError(missing)
  // Before the remains are removed, so that the rows from before are among them.
  if (!keys.keepsDigests) await forgetDigests(sql)
  if (file && maintain && (keyring.ids.length > 1 || options.now || (await isDue(database)))) {
    if (keyring.ids.length === 1) keyring.replace(file.add())
    step('new key')
    const rewrapNow = async () => {
      const { done, damaged } = await rewrapAll(sql, keyring, options)
      rewrapped.done += done
      rewrapped.damaged = damaged
    }
    await rewrapNow()
    step('wrapped')
    await setTimeout(options.graceMs ?? graceMs, undefined, { ...(signal && { signal }) }).catch(() => {})
    await rewrapNow()
    if (rewrapped.damaged.length > 0 || signal?.aborted) return rewrapped
    // Before the remains are removed, so that the rows from before are among them.
    await emptySegments(database, [keyring.current])
    step('emptied')
    await removeRemains(maintain, options)
    if (signal?.aborted) return rewrapped
    step('removed')
    keyring.replace(file.destroyOld())
    step('destroyed')
  }
  await markFinal(sql, keyring.ids)
  return rewrapped
}

async function isDue({ sql, keys }: Database): Promise<boolean> {
  const { since } = await waitingErasures(sql, keys.keyring.ids, { atMost: 0 })
  return since !== null && Date.parse(since) + dueAfterMs <= Date.now()
}

/**
 * Removes dead rows, the planner statistics that quote them, and the write-ahead log. A vacuum alone leaves the bytes
 * of a dead row in its page, so all but large tables are rewritten; recycled log segments keep theirs under a new name.
 */
async function removeRemains(maintain: Maintain, { signal, ...options }: FinalisingOptions): Promise<void> {
  const limit = options.rewrittenBytes ?? rewrittenBytes
  const tables = await maintain<{ name: string; bytes: number }>(`
    select format('%I.%I', n.nspname, c.relname) as name, pg_total_relation_size(c.oid) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' order by 1`)
  for (const { name, bytes } of tables) {
    if (signal?.aborted) return
    await maintain(bytes <= limit ? `vacuum (full, analyze) ${name}` : `vacuum (analyze) ${name}`)
  }
  await maintain('vacuum full pg_catalog.pg_statistic')
  await removeLog(maintain, signal)
}

/**
 * Removes the write-ahead log up to now. A checkpoint keeps old files for recycling under a new name, contents
 * included. So recycling is turned off, and the files kept already, at most as many as max_wal_size allows, are used
 * up by switching. A running backup retains the log: this waits for it until `signal` aborts.
 */
async function removeLog(maintain: Maintain, signal: AbortSignal | undefined): Promise<void> {
  const next = [
    `select pg_logical_emit_message(true, 'data-store', 'next')`,
    'select pg_walfile_name(pg_switch_wal()) as name',
  ]
  await maintain('alter system set wal_recycle = off', 'select pg_reload_conf()')
  try {
    const [last] = await maintain<{ name: string }>(...next)
    // The checkpointer may not have read the setting yet and may keep files once more, so repeat.
    for (;;) {
      const [ready] = await maintain<{ count: number }>(`
        select count(*) as count from pg_ls_waldir()
        where name ~ '^[0-9A-F]{24}$' and name > pg_walfile_name(pg_current_wal_insert_lsn())`)
      // One switch more than there are files: otherwise the last one would be in use, with old content that is not
      // overwritten yet.
      for (let left = ready?.count ?? 0; left >= 0; left--) await maintain(...next)
      const [old] = await maintain<{ count: number }>(
        'checkpoint',
        `select count(*) as count from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$' and
          (name <= '${last?.name}' or name > pg_walfile_name(pg_current_wal_insert_lsn()))`,
      )
      if (old?.count === 0 || signal?.aborted) return
      await setTimeout(roundMs, undefined, { ...(signal && { signal }) }).catch(() => {})
    }
  } finally {
    await maintain('alter system reset wal_recycle', 'select pg_reload_conf()')
  }
}

/** Delay before a retry; a busy moment is enough for a failure. */
export const againMs = 30_000

/**
 * Starts making deletions final: at once, then every hour, and soon again after a failure. A persistent failure is
 * logged every hour.
 */
export function startFinalising(
  database: Database,
  log: Logger,
  pauses: { readonly againMs?: number } = {},
): { stop(): Promise<void> } {
  const step = async (signal: AbortSignal) => {
    const { damaged } = await finaliseErasures(database, { signal })
    if (damaged.length > 0)
      log.error(
        { damaged: damaged.length },
        'keys do not open, so deletions are not made final; "npm run rewrap" on the stopped store names them',
      )
    return lookEveryMs
  }
  const tell = (error: unknown) => {
    const { name, code } = error as Error & { code?: unknown }
    log.error({ name, code }, 'deletions could not be made final; it is tried again within a minute')
  }
  return new Worker({ step, recoverMs: pauses.againMs ?? againMs, tell })
}
