import type { Duplex } from 'node:stream'
import {
  type ClientBase,
  type CustomTypesConfig,
  Pool,
  type PoolClient,
  type PoolConfig,
  types as pgTypes,
} from 'pg'
import type { Embedded } from './embedded.ts'

const applicationName = 'data-store'

export function postgresPool(
  connectionString: string,
  failed: (error: Error) => void,
  { statementLimitMs, max, socket }: { statementLimitMs: number; max: number; socket?: () => Duplex },
) {
  // An open transaction that its process forgot would hold its locks for ever. Compiling a statement first takes 40 ms
  // or more, and running it 2 (a page of filtered events). A set of half a million users must fit into the memory of one
  // step: with the default of 4 MB, counting who is not in it compares each user with all of the set, for hours.
  const settings = (client: ClientBase) =>
    client.query(
      `set timezone = 'UTC'; set statement_timeout = ${statementLimitMs}; ` +
        "set idle_in_transaction_session_timeout = 15000; set jit = off; set work_mem = '32MB'",
    )
  return prepared(
    new Pool({
      connectionString,
      application_name: applicationName,
      types,
      ...(socket && { stream: socket }),
      max,
      // no free connection in this time: the service answers 503
      connectionTimeoutMillis: 2_000,
      idleTimeoutMillis: 0,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Not as startup parameters, which a pooler in between may refuse or drop. The pool waits for the promise; its
      // types do not say so.
      onConnect: settings as (client: ClientBase) => void,
    }),
    failed,
  )
}

export function embeddedPool({ engine }: Embedded, failed: (error: Error) => void) {
  return prepared(
    new QueuePool({
      stream: () => engine.connect(),
      // all given, so that no PG* variable of the environment is looked at
      host: 'embedded',
      port: 0,
      user: 'postgres',
      database: 'postgres',
      password: '',
      ssl: false,
      application_name: applicationName,
      types,
      max: 1,
      // However the queue moves.
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 0,
    }),
    failed,
  )
}

type Connected = Parameters<Pool['connect']>[0]

/**
 * Refuses who waits when the connection has not changed hands for so long. All requests wait for the one connection, so
 * that waiting is no sign of trouble as long as others get their turn: with 2 s for each request, however the queue
 * moved, a burst of 2,000 inserts lost 1,262 where a flush takes 2 ms; and with 10 s each, whoever came while one
 * transaction held the connection waited for 10 s (2 cores, PGlite 0.5.16).
 */
class QueuePool extends Pool {
  #handedOverMs = 0

  constructor(options: PoolConfig) {
    super(options)
    this.on('acquire', () => (this.#handedOverMs = performance.now()))
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | void {
    if (callback === undefined)
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client ? resolve(client) : reject(error ?? standsStill()))),
      )
    const askedMs = performance.now()
    let hasGivenUp = false
    const look = () => {
      const leftMs = standstillMs - (performance.now() - Math.max(askedMs, this.#handedOverMs))
      if (leftMs > 0) {
        timer = setTimeout(look, leftMs)
        return
      }
      hasGivenUp = true
      callback(standsStill(), undefined, () => {})
    }
    let timer = setTimeout(look, standstillMs)
    super.connect((error, client, release) => {
      clearTimeout(timer)
      if (!hasGivenUp) callback(error, client, release)
      else if (client) release()
    })
  }
}

const standstillMs = 2_000

const standsStill = () =>
  Object.assign(new Error('The connection is held too long'), { code: '53300' /* too_many_connections */ })

// A connection that breaks emits 'error' on its client whether or not anyone uses it then; without a listener that
// ends the process. Whoever waits for an answer is told by the answer; the pool tells of the idle ones.
function prepared(pool: Pool, failed: (error: Error) => void) {
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
