import type { Duplex } from 'node:stream'
import { type ClientBase, type ClientConfig, type CustomTypesConfig, Pool, types as pgTypes } from 'pg'

import { PreparingClient } from './prepared.ts'

const applicationName = 'data-store'

/** Address of the database: the one in DATABASE_URL, or the embedded one. */
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
    /** Statement limit that replaces `statementLimitMs` if the pool's connections are not shared through a pooler. */
    ownLimitMs?: number
    max: number
    /** Time for which a caller waits for a free connection; after that, the service answers 503. */
    connectMs?: number
    socket?: () => Duplex
  },
) {
  // The idle limit ends forgotten transactions, which would hold their locks for ever. JIT is off because compiling a
  // statement takes 40 ms or more, running it 2 (a page of filtered events). A set of half a million users must fit
  // into `work_mem`: with the default of 4 MB, counting the users outside the set compares each user with the whole
  // set, for hours.
  const settings = async (client: ClientBase) => {
    const isOwn = await isOwnSession(client)
    if (client instanceof PreparingClient) client.isOwn = isOwn
    const limitMs = isOwn ? ownLimitMs : statementLimitMs
    await client.query(
      `set timezone = 'UTC'; set statement_timeout = ${limitMs}; ` +
        "set idle_in_transaction_session_timeout = 15000; set jit = off; set work_mem = '32MB'",
    )
  }
  return preparePool(
    new Pool({
      ...server,
      Client: PreparingClient,
      application_name: applicationName,
      types,
      ...(socket && { stream: socket }),
      max,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 0,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Set after connecting, because a pooler in between may refuse or drop startup parameters.
      // oxlint-disable-next-line typescript/no-misused-promises -- The pool waits for the promise; its types do not say so.
      onConnect: settings,
    }),
    failed,
  )
}

// Whether the server's session belongs to this client alone. A pooler in between (PgBouncer) shares sessions and their
// settings among all clients, and tells each client a process id that is not a session's.
async function isOwnSession(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid === (client as ClientBase & { processID?: number }).processID
}

// A broken connection emits 'error' on its client even when it is idle; without a listener, that ends the process.
// Waiting statements are rejected with the error anyway, and the pool reports the idle connections.
function preparePool(pool: Pool, failed: (error: Error) => void) {
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool.on('error', failed)
}

const { builtins } = pgTypes
const asText = (text: string) => text

// int8 is parsed as a number (counts, event offsets) and refused if too large for one; times stay text.
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
