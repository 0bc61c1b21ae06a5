import type { Pool, QueryResultRow } from 'pg'
import type { Engine } from './embedded-engine.ts'

const everyMs = 60_000

// PostgreSQL's own rules of autovacuum, with its default thresholds. A table that was never analyzed (reltuples < 0)
// has statistics that are lost when the process is killed, and rows that nothing would ever ask for again.
const tablesInNeed = `
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_stat_all_tables s
  join pg_class c on c.oid = s.relid
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and (
    s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
    or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
    or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
    or (c.reltuples < 0 and pg_relation_size(c.oid) > 0)
    or age(c.relfrozenxid) > 100000000
  )
  order by 1`

/** Runs statements in one turn, without a limit of time; answers the rows of the last one. */
export type Maintain = <T extends QueryResultRow>(...texts: string[]) => Promise<T[]>

const logPosition = 'select pg_current_wal_insert_lsn()::text as at'

/**
 * What PostgreSQL's background processes do and PGlite has none for: checkpoints (without them the log grows without
 * end, and so does the recovery after a crash) and vacuum. Once a minute, if anything was written since.
 */
export function startUpkeep(
  pool: Pool,
  engine: Engine,
  statementLimitMs: number,
  failed: (error: Error) => void,
) {
  let position: string | undefined
  let running: Promise<void> | undefined

  // One statement at a time: requests get their turn in between. There is no other client, so that the limit is
  // lifted for this statement alone.
  const statement: Maintain = async <T extends QueryResultRow>(...texts: string[]) => {
    const client = await pool.connect()
    engine.statementLimitMs = 0
    try {
      let rows: T[] = []
      for (const text of texts) ({ rows } = await client.query<T>(text))
      return rows
    } finally {
      engine.statementLimitMs = statementLimitMs
      client.release()
    }
  }

  const work = async () => {
    const [now] = await statement<{ at: string }>(logPosition)
    if (now?.at === position) return
    // With little room left on the disk nothing is written that can wait; what a checkpoint gives back comes first.
    const tables = engine.readOnly
      ? []
      : await statement<{ name: string }>('select pg_stat_force_next_flush()', tablesInNeed)
    for (const { name } of tables) await statement(`vacuum (analyze) ${name}`)
    const [after] = await statement<{ at: string }>('checkpoint', logPosition)
    position = after?.at
  }

  const run = () => (running ??= work().finally(() => (running = undefined)))
  const timer = setInterval(() => void run().catch(failed), everyMs).unref()
  const stop = async () => {
    clearInterval(timer)
    await running?.catch(() => {})
  }
  return { run, stop, maintain: statement }
}
