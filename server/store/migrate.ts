import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, PostgresAdapter, PostgresDialect, type PostgresDialectConfig, sql } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'

import { migrations, OtherWay } from './migrations/migrations.ts'
import type { Handle } from './sql.ts'

interface MigrateOptions {
  readonly provider?: MigrationProvider
  /** Time for which a migration is retried while another connection holds a lock. */
  readonly waitSeconds?: number
  /** Called with messages for the operator: about waiting, and about what a migration has found. */
  readonly waiting?: (line: string) => void
}

const pauseMs = 1000

/** Kysely's own lock, for which processes of the previous release wait as well. */
const migrationLock = '3853314791062309107'
const lookMs = 200

/**
 * Polls for the lock while another process has it. Kysely would wait for it in a statement. A process that creates an
 * index `concurrently` under the lock waits in turn for that statement, because it waits for all transactions that may
 * still see the table without the index.
 */
class AskingAdapter extends PostgresAdapter {
  readonly #waiting: (line: string) => void

  constructor(waiting: (line: string) => void) {
    super()
    this.#waiting = waiting
  }

  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const { rows } = await sql<{ isMine: boolean }>`
        select pg_try_advisory_lock(${sql.lit(migrationLock)}::bigint) as "isMine"`.execute(db)
      if (rows[0]?.isMine) return
      if (attempt === 0) this.#waiting('Another process is migrating the store: waiting for it.')
      await sleep(lookMs)
    }
  }
}

/** Dialect for `migrate`, with the polling lock. */
export class MigratingDialect extends PostgresDialect {
  readonly #waiting: (line: string) => void

  constructor(config: PostgresDialectConfig, waiting: (line: string) => void = () => {}) {
    super(config)
    this.#waiting = waiting
  }

  override createAdapter(): PostgresAdapter {
    return new AskingAdapter(this.#waiting)
  }
}

/**
 * Migrates the store to this version, one migration after another. Leaves a store alone that a newer version has
 * migrated further, if this version can work with it. Throws with a message for the operator if it cannot, or if a lock
 * is held for too long.
 */
export async function migrate(
  db: Handle,
  { waitSeconds = 0, waiting = () => {}, provider = migrations(waiting) }: MigrateOptions = {},
): Promise<void> {
  const migrator = new Migrator({ db, provider })
  // Time at which the current migration was first refused a lock; a long one may be refused only at its end.
  let refusedSinceMs: number | undefined
  let disableTransactions = false
  for (;;) {
    // Runs under an advisory lock of the database: of several processes that start at the same time, one migrates.
    const { error, results = [] } = await migrator.migrateUp({ disableTransactions })
    if (error instanceof OtherWay) disableTransactions = !disableTransactions
    else if (isLocked(error)) {
      refusedSinceMs ??= performance.now()
      if (performance.now() + pauseMs > refusedSinceMs + waitSeconds * 1000) throw heldUp(error)
      waiting('Another connection has locked a table that has to change. Trying again.')
      await sleep(pauseMs)
    } else if (error !== undefined) {
      if (isOfOtherVersion(error) && (await canLiveWith(db, provider))) return
      throw isOfOtherVersion(error) ? refusal(error) : error
    } else if (results.length === 0) return
    else refusedSinceMs = undefined
  }
}

/**
 * Suffix of a migration that only versions with a certain earlier migration can work with, by the number of that one:
 * `…-needs-0019`.
 */
const needed = /-needs-(\d{4})$/

/**
 * Whether all migrations of this version are done, and no later one needs a newer version. Only names are used,
 * because every version can read them.
 */
async function canLiveWith(db: Handle, provider: MigrationProvider): Promise<boolean> {
  const known = Object.keys(await provider.getMigrations()).toSorted()
  const newest = known.at(-1) ?? ''
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return (
    known.every((name) => done.delete(name)) &&
    [...done].every((name) => name > newest && (needed.exec(name)?.[1] ?? '') <= newest.slice(0, 4))
  )
}

const isOfOtherVersion = (error: unknown) =>
  error instanceof Error && error.message.startsWith('corrupted migrations')

/** Returns the error for a store with migrations that this version does not know; the store is unchanged. */
const refusal = (cause: unknown) =>
  new Error(
    'This store was made by another version of Data Store and cannot be used by this one. Nothing was changed in it. ' +
      'Start the version that made it, or give this one an empty DATA_DIR or database.',
    { cause },
  )

/**
 * Whether a lock was not available, or there was a deadlock: a process of the previous release waits for the migration
 * lock, and this one for that statement to end.
 */
const isLocked = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')

const heldUp = (cause: unknown) =>
  new Error(
    'Another connection has locked a table that this version has to change: a running backup, or a forgotten transaction. ' +
      'The migration was rolled back; start again when that has ended.',
    { cause },
  )
