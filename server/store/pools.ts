import type { Duplex } from 'node:stream'
import { type ClientBase, type ClientConfig, type CustomTypesConfig, Pool, types as pgTypes } from 'pg'

const applicationName = 'data-store'

/** Address of the database: as DATABASE_URL says, or of the embedded one. */
export type Server = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'database' | 'password' | 'ssl'
>

export function openPool(
  server: Server,
  failed: (error: Error) => void,
  {
    statementLimitMs,
    ownLimitMs = statementLimitMs,
    max,
    connectMs = 2_000,
    socket,
  }: {
    statementLimitMs: number
    /** In place of it, where the connections are the pool's own. */
    ownLimitMs?: number
    max: number
    /** How long a caller waits for a connection: none is free in this time, and the service answers 503. */
    connectMs?: number
    socket?: () => Duplex
  },
) {
  // An open transaction that its process forgot would hold its locks for ever. Compiling a statement first takes 40 ms
  // or more, and running it 2 (a page of filtered events). A set of half a million users must fit into the memory of one
  // step: with the default of 4 MB, counting who is not in it compares each user with all of the set, for hours.
  const settings = async (client: ClientBase) => {
    const limitMs = ownLimitMs === statementLimitMs || (await isOwn(client)) ? ownLimitMs : statementLimitMs
    await client.query(
      `set timezone = 'UTC'; set statement_timeout = ${limitMs}; ` +
        "set idle_in_transaction_session_timeout = 15000; set jit = off; set work_mem = '32MB'",
    )
  }
  return preparePool(
    new Pool({
      ...server,
      application_name: applicationName,
      types,
      ...(socket && { stream: socket }),
      max,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 0,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Not as startup parameters, which a pooler in between may refuse or drop.
      // oxlint-disable-next-line typescript/no-misused-promises -- The pool waits for the promise; its types do not say so.
      onConnect: settings,
    }),
    failed,
  )
}

// A pooler in between (PgBouncer) lends the server's sessions to all of its clients, with what was set in them, and tells
// each client a number that is no session's.
async function isOwn(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid === (client as ClientBase & { processID?: number }).processID
}

// A connection that breaks emits 'error' on its client whether or not anyone uses it then; without a listener that
// ends the process. Whoever waits for an answer is told by the answer; the pool tells of the idle ones.
function preparePool(pool: Pool, failed: (error: Error) => void) {
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool.on('error', failed)
}

const { builtins } = pgTypes
const asText = (text: string) => text

// int8 is a number where a number can hold it (counts, event offsets), and refused where it cannot; times stay text.
const textParsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, safeInteger],
  [builtins.TIMESTAMP, asText],
  [builtins.TIMESTAMPTZ, asText],
  [builtins.DATE, asText],
])

function safeInteger(text: string) {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('The integer is too large for a JavaScript number')
  return value
}

const types: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && textParsers.get(oid)) || pgTypes.getTypeParser(oid, format),
}
