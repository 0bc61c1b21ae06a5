import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Pool } from 'pg'
import { awaitPostgres } from './await-postgresql.ts'
import { type Embedded, openFolder, openMemory } from './embedded.ts'
import { readStoreKeys, type StoreKeys } from '../sealing/data-keys.ts'
import { Keyring } from '../sealing/encryption.ts'
import type { MasterKeys } from '../sealing/master-keys.ts'
import { diskTrouble } from './folder-trouble.ts'
import { Heartbeat } from './heartbeat.ts'
import { KeyFile } from '../sealing/key-file.ts'
import { missingMasters } from '../sealing/key-rotation.ts'
import { embeddedPool, postgresPool } from './pools.ts'
import { deriveSecrets, readSecrets, type Secrets } from '../sealing/secrets.ts'
import { type Maintain, startUpkeep } from './upkeep.ts'
import { migrations } from './migrations/migrations.ts'
import type { Handle } from './sql.ts'

export interface Database {
  sql: Handle
  pool: Pool
  engine: 'embedded' | 'postgresql'
  /** The disk is full: changes are refused until there is room. Of an embedded folder; PostgreSQL has its own ways. */
  isReadOnly(): boolean
  keys: OpenedKeys
  /**
   * Reads whose statements may take so long each, less than the limit that all have; `undefined`: one of them was given
   * up for that.
   */
  within<Result>(limitMs: number, reads: (handle: Handle) => Promise<Result>): Promise<Result | undefined>
  /** Checkpoint and vacuum, as the timer does them; of an embedded folder only, PostgreSQL looks after itself. */
  upkeep?(): Promise<void>
  /** Statements that may take as long as they need, all in one turn; of an embedded folder only. */
  maintain?: Maintain
  /** Waits for what is under way, then gives everything back: connections, memory, the folder's lock. */
  close(): Promise<void>
}

interface OpenedKeys extends StoreKeys {
  readonly secrets: Secrets
  /** Of a store that has a master key of its own. */
  readonly file?: KeyFile
}

export type DatabaseSettings = { dataDir: string } | { databaseUrl: string } | { memory: true }

export interface DatabaseOptions {
  /** Told of failures that no caller waits for: an idle connection lost, upkeep, an embedded engine that stopped. */
  failed?: (error: Error) => void
  statementLimitMs?: number
  /** How long to wait for a PostgreSQL that is not there yet; not at all unless given. */
  waitSeconds?: number
  /** Told, in words for the operator, that and how long it is waited for. */
  waiting?: (line: string) => void
}

/**
 * Opens, locks (a folder), migrates. Throws with a message for the operator. Without master keys a folder uses its own,
 * which are read when it is locked: a process that has it may be replacing them.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  masterKeys: MasterKeys | undefined,
  { failed = () => {}, statementLimitMs = 5_000, waitSeconds = 0, waiting = () => {} }: DatabaseOptions = {},
): Promise<Database> {
  const file = 'dataDir' in settings && !masterKeys ? new KeyFile(settings.dataDir) : undefined
  const masters = (): MasterKeys => {
    const keys = masterKeys ?? file?.read()
    if (!keys) throw new Error('This store needs master keys.')
    return keys
  }
  if ('databaseUrl' in settings) {
    const { databaseUrl } = settings
    await awaitPostgres(databaseUrl, waitSeconds, waiting)
    const keys = await migrate(postgresPool(databaseUrl, failed, { statementLimitMs: 0, max: 1 }), masters())
    const heartbeat = new Heartbeat(databaseUrl)
    const { socket } = heartbeat
    const pool = postgresPool(databaseUrl, failed, { statementLimitMs, max: 10, socket })
    return assemble(keys, pool, withTimeout, { heartbeat })
  }
  const embedded =
    'dataDir' in settings ? await openFolder(settings.dataDir, failed) : await openMemory(failed)
  let keys: OpenedKeys
  try {
    keys = await migrate(embeddedPool(embedded, failed), masters(), file)
  } catch (error) {
    await embedded.close()
    throw ('dataDir' in settings && diskTrouble(settings.dataDir, error)) || error
  }
  embedded.engine.statementLimitMs = statementLimitMs
  const pool = embeddedPool(embedded, failed)
  const limited = withLimit(embedded.engine, statementLimitMs)
  if ('memory' in settings) return assemble(keys, pool, limited, { embedded })
  const upkeep = startUpkeep(pool, embedded.engine, statementLimitMs, failed)
  return assemble(keys, pool, limited, { embedded, upkeep })
}

function assemble(
  keys: OpenedKeys,
  pool: Pool,
  limited: Limited,
  {
    embedded,
    upkeep,
    heartbeat,
  }: { embedded?: Embedded; upkeep?: ReturnType<typeof startUpkeep>; heartbeat?: Heartbeat },
): Database {
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  let closing: Promise<void> | undefined
  const close = async () => {
    await upkeep?.stop()
    await drain(pool)
    await database.destroy()
    // Kysely ends a pool only if it has used it
    if (!pool.ending) await pool.end()
    heartbeat?.stop()
    await embedded?.close()
  }
  return {
    sql: database,
    pool,
    engine: embedded ? 'embedded' : 'postgresql',
    isReadOnly: () => embedded?.engine.readOnly ?? false,
    keys,
    within: (limitMs, reads) => limited(database, limitMs, reads).catch(nothingIfCanceled),
    ...(upkeep && { upkeep: upkeep.run, maintain: upkeep.maintain }),
    close: () => (closing ??= close()),
  }
}

type Limited = <Result>(
  database: Handle,
  limitMs: number,
  reads: (handle: Handle) => Promise<Result>,
) => Promise<Result>

const withTimeout: Limited = (database, limitMs, reads) =>
  database.transaction().execute(async (transaction) => {
    await sql`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute(transaction)
    return await reads(transaction)
  })

/** PostgreSQL's own timeout never fires in the embedded engine. Its one connection is held meanwhile, as upkeep does. */
function withLimit(engine: Embedded['engine'], statementLimitMs: number): Limited {
  return (database, limitMs, reads) =>
    database.connection().execute(async (handle) => {
      engine.statementLimitMs = limitMs
      try {
        return await reads(handle)
      } finally {
        engine.statementLimitMs = statementLimitMs
      }
    })
}

function nothingIfCanceled(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === '57014') return undefined
  throw error
}

// `pool.end()` forgets those who still wait for a connection; being served ourselves means that all before us were.
async function drain(pool: Pool) {
  const last = await pool.connect().catch(() => undefined)
  last?.release()
}

async function migrate(pool: Pool, masters: MasterKeys, file?: KeyFile): Promise<OpenedKeys> {
  const keyring = new Keyring(masters)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    // under an advisory lock of the database: of several services that start together, one migrates
    const { error } = await new Migrator({ db, provider: migrations }).migrateToLatest()
    if (error) throw ofOtherVersion(error) ?? error
    const keys = await readStoreKeys(db, keyring)
    const [missing] = file ? await missingMasters(db, keyring) : []
    if (missing !== undefined)
      throw new Error(
        `The master key "${missing}" of this store is not in DATA_DIR/encryption-key. Nothing is lost as long as a copy of ` +
          'that file exists: put it back, and start again.',
      )
    const secrets = await readSecrets(db, keyring, deriveSecrets(masters[0]))
    return { ...keys, secrets, ...(file && { file }) }
  } finally {
    await db.destroy()
  }
}

/** The store has migrations that this version does not know; nothing has been changed in it. */
function ofOtherVersion(error: unknown): Error | undefined {
  if (!(error instanceof Error && error.message.startsWith('corrupted migrations'))) return undefined
  return new Error(
    'This store was made by another version of Data Store and cannot be used by this one. Nothing was changed in it. ' +
      'Start the version that made it, or give this one an empty DATA_DIR or database.',
    { cause: error },
  )
}
