import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'

const everyMs = 1_000
const sayEveryMs = 5_000
export const connectMs = 5_000

/** Reason why PostgreSQL cannot be used even after waiting, in words for the operator. */
class Unusable extends Error {}

/**
 * Runs the first work on a PostgreSQL as soon as it accepts connections and is usable. Until then, retries every second
 * for at most `waitSeconds`, and calls `say` every five seconds. Also retries if only the first connection succeeds,
 * as with a server that restarts during its setup. Faults that waiting does not fix (a wrong password, another
 * encoding) are thrown at once, in words for the operator.
 */
export async function retryUntilUsable<Result>(
  connectionString: string,
  {
    waitSeconds,
    say,
    work,
  }: {
    readonly waitSeconds: number
    readonly say: (line: string) => void
    readonly work: () => Promise<Result>
  },
): Promise<Result> {
  const startedMs = performance.now()
  const endsAtMs = startedMs + waitSeconds * 1_000
  let sayAtMs = startedMs
  const { place, user } = parseAddress(connectionString)
  for (;;) {
    let why: string
    try {
      await seeUsable(connectionString, place)
      return await work()
    } catch (error) {
      if (error instanceof DatabaseError && error.code === '42501') throw mayNot(place, user, error)
      if (!isPassing(error)) throw error
      why = reason(error)
    }
    const nowMs = performance.now()
    if (nowMs + everyMs > endsAtMs)
      throw new Error(
        `${place} does not answer (${why})${waitSeconds === 0 ? '' : `, not within ${waitSeconds} s (DATABASE_WAIT)`}. ` +
          'Start it, or correct DATABASE_URL; nothing was changed.',
      )
    if (nowMs >= sayAtMs) {
      const leftSeconds = Math.round((endsAtMs - nowMs) / 1_000)
      say(`${place} does not answer yet (${why}): waiting for it, ${leftSeconds} s more at most.`)
      sayAtMs = nowMs + sayEveryMs
    }
    await sleep(everyMs)
  }
}

/** Parses the address for messages, which must not contain it whole because it contains the password. */
function parseAddress(connectionString: string): { place: string; user: string } {
  try {
    const { host, port, user = '' } = new Client({ connectionString })
    return { place: `PostgreSQL at ${host}:${port}`, user }
  } catch (error) {
    const { path } = error as { path?: unknown }
    const what = typeof path === 'string' ? `: ${path} cannot be read` : ''
    throw new Unusable(`DATABASE_URL cannot be used${what}.`)
  }
}

/** Connects and checks everything that all requests depend on. */
async function seeUsable(connectionString: string, place: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<ServerFacts>(serverFacts)
    const fault = rows[0] && faultOfServer(rows[0], client)
    if (fault !== undefined) throw new Unusable(`${place}: ${fault} Nothing was changed.`)
  } catch (error) {
    if (error instanceof DatabaseError && !isPassing(error)) throw toRefusalError(error, place, client)
    if (isSettings(error)) throw unusable(error, place)
    throw error
  } finally {
    void client.end().catch(() => {})
  }
}

interface ServerFacts {
  readonly version: number
  readonly encoding: string
  /** First existing schema in the search path. */
  readonly schema: string | null
  readonly mayCreate: boolean | null
  /** Schema of an existing store. */
  readonly store: string | null
  /** Whether the user may read and write the store's tables. */
  readonly mayWrite: boolean | null
}

const serverFacts = `
  select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
    current_schema() as schema, has_schema_privilege(current_schema(), 'create') as "mayCreate", store.nspname as store,
    (select bool_and(has_table_privilege(t.oid, 'select') and has_table_privilege(t.oid, 'insert') and
        has_table_privilege(t.oid, 'update') and has_table_privilege(t.oid, 'delete'))
      from pg_class t where t.relnamespace = store.oid and t.relkind in ('r', 'p')
        and t.relname in ('users', 'entities', 'segments', 'events', 'kysely_migration')) as "mayWrite"
  from (select) as one left join lateral (
    select n.oid, n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = 'kysely_migration' and c.relkind in ('r', 'p')
    order by n.nspname = current_schema() desc nulls last limit 1) as store on true`

const oldest = 15

function faultOfServer(
  { version, encoding, schema, mayCreate, store, mayWrite }: ServerFacts,
  { user, database }: Client,
): string | undefined {
  if (version < oldest * 10_000)
    return `it is version ${Math.floor(version / 10_000)}, and ${oldest} is the oldest that this service works with.`
  if (encoding !== 'UTF8')
    return (
      `the database "${database}" has the encoding ${encoding}, which cannot hold every name. Create one in UTF-8: ` +
      `create database … encoding 'UTF8' template template0.`
    )
  if (schema === null)
    return `the search_path of the user "${user}" names no schema that exists. Create the schema, or correct the path: alter role "${user}" reset search_path.`
  if (store !== null && store !== schema)
    return (
      `the store in the database "${database}" is in the schema "${store}", and the search_path of the user "${user}" leads to ` +
      `"${schema}". Connect as the user who made it, or correct it: alter role "${user}" set search_path = "${store}".`
    )
  if (store === null && mayCreate !== true)
    return (
      `the user "${user}" may not create tables in the schema "${schema}" of the database "${database}". Make the user its owner, ` +
      `or permit it: grant create on schema "${schema}" to "${user}".`
    )
  if (store !== null && mayWrite !== true)
    return `the user "${user}" may not read and write the tables of the store in the database "${database}". Connect as their owner.`
  return undefined
}

/**
 * Whether waiting may fix an error: PostgreSQL starts up, shuts down, fails over, is out of connections or memory, or
 * the connection failed or was lost. An untrusted certificate, which has a code too, is checked before.
 */
function isPassing(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(57P|53|08)/.test(error.code ?? '')
  if (!(error instanceof Error) || error instanceof Unusable) return false
  const { code = '', syscall } = error as { code?: unknown; syscall?: unknown }
  return (
    syscall === 'connect' ||
    /^E(CONN|HOST|NET|AI_|NOTFOUND|PIPE|TIMEDOUT)/.test(String(code)) ||
    /timeout|Connection terminated|connection error|not queryable/.test(error.message)
  )
}

/** Whether the settings cause the error: TLS with an untrusted certificate, a server without TLS, or a failed login. */
function isSettings(error: unknown): boolean {
  if (error instanceof Unusable) return false
  const { code = '', message } = error as { code?: string; message: string }
  return (
    /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code) || /\bSSL\b|SASL/.test(message)
  )
}

function reason(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  return code ?? (message.includes('timeout') ? 'no answer' : 'the connection was closed')
}

function toRefusalError(error: DatabaseError, place: string, { user, database }: Client): Error {
  const { code = '' } = error
  const why = code.startsWith('28')
    ? `refuses the user "${user}" or the password: correct DATABASE_URL`
    : code === '3D000'
      ? `has no database "${database}": create it, or correct DATABASE_URL`
      : `refuses the connection (${code}): see its log`
  return new Error(`${place} ${why}.`, { cause: error })
}

/** Returns the error for a user who does not own the tables; only their owner can migrate them. */
const mayNot = (place: string, user: string, cause: unknown) =>
  new Error(
    `${place}: the user "${user}" may not change the store as this version needs. Connect as the owner of its tables. ` +
      'The changes were rolled back.',
    { cause },
  )

const unusable = (error: unknown, place: string) =>
  new Error(`${place} cannot be connected to as DATABASE_URL asks (${(error as Error).message}).`, {
    cause: error,
  })
