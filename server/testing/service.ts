import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { exportJWK, generateKeyPair, createLocalJWKSet, SignJWT } from 'jose'
import { sql } from 'kysely'
import { Client } from 'pg'
import { type Logger, pino } from 'pino'

import type { Role } from '#contract/index.ts'
import { createApi } from '../api/api.ts'
import { openChanges } from '../changesets/changes.ts'
import type { ChangesetRow } from '../changesets/storage.ts'
import { openRow } from '../entities/sealing.ts'
import type { EntityRow } from '../entities/storage.ts'
import { createApp } from '../http/app.ts'
import { bearerCheck } from '../http/auth/caller.ts'
import type { BuiltConsole } from '../http/console.ts'
import type { Authenticate } from '../http/guard.ts'
import { importWork } from '../imports/import.ts'
import { Working } from '../jobs/working.ts'
import { openDataKey } from '../sealing/data-keys.ts'
import { type Database, openDatabase } from '../sealing/database.ts'
import { isDistributed } from '../store/distributed.ts'
import type { Handle } from '../store/sql.ts'
import { Delivering } from '../webhooks/delivery/delivering.ts'
import { Receivers } from '../webhooks/delivery/receiver.ts'
import { defineKeysOf, definesKeys } from './define-keys.ts'
import { template, urlOf } from './postgresql.ts'

/** Master keys of test stores. */
export const testKeys = [{ id: 'test', key: Buffer.alloc(32, 7) }] as const
export const testIssuer = 'https://issuer.example.org'
export const testAudience = 'urn:data-store'
const origin = 'http://data-store.test'

export interface TestService {
  readonly database: Database
  /** `{base_url}` of this service. Requests to it go straight into the application, without a socket. */
  readonly baseUrl: string
  /** Features beyond the API document. */
  readonly features: Readonly<Record<string, number>>
  /** Drop-in for the global fetch: follows redirects and reports them, as a browser does. */
  readonly fetch: typeof fetch
  /** Returns a bearer token of a role, valid for an hour. */
  token(role: Role): Promise<string>
  /** Returns a token signed by the trusted key; `claims` and `header` are added to the defaults. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
  /**
   * Sends one request as a role, or without a token, and follows no redirect. `body` is sent as JSON; bytes are sent as
   * they are, with the type that `headers` gives.
   */
  call(
    role: Role | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestAnswer>
  /** Creates a resource and returns its id. Throws if the service refuses. */
  create(role: Role, path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Opens a real port as well, for tests that need a socket. */
  listen(): Promise<{ port: number }>
  /** Empties the store and ends its event streams. */
  reset(): Promise<void>
  /** Closes the service. Its port, if any, accepts requests until `elsewhere` settles; see `drain`. */
  close(elsewhere?: Promise<unknown>): Promise<void>
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON; undefined for an empty body. */
  readonly body: never
}

/** Returns the id of the created or matched resource, from the `Location` header of the response. */
export const idOf = ({ headers }: { readonly headers: Headers }): string =>
  headers.get('location')?.split('/').at(-1) ?? ''

/**
 * Starts the real service on a real database: by default a fresh one on the run's PostgreSQL. With `deliveries` it
 * also sends webhooks, and `allowLoopback` permits receivers on this machine; with `jobs` it also runs the background
 * jobs.
 */
export async function startTestService(
  options: {
    /** Replaces the check of tokens against the test service's own key. */
    authenticate?: Authenticate
    additions?: 'all' | 'none'
    sensitiveReads?: 'values' | 'reveal'
    changeReasons?: 'optional' | 'required'
    erasureDigests?: 'kept' | 'none'
    allowLoopback?: boolean
    deliveries?: boolean
    jobs?: boolean
    log?: Logger
    console?: BuiltConsole
    /** Folder of an embedded store, which has its own master key. */
    dataDir?: string
    /** Store to use instead of a fresh database or `dataDir`. Closed with the service. */
    database?: Database
    rateLimit?: number
  } = {},
): Promise<TestService> {
  const { database, drop } = options.database
    ? { database: options.database, drop: async () => {} }
    : await openTestDatabase(options)
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'ES256' }] })
  const api = createApi({ inviteUrl: 'https://example.org/invitation', ...options, database })
  const app = await createApp({
    api,
    authenticate: bearerCheck(
      {
        issuer: testIssuer,
        audience: testAudience,
        roleClaim: 'role',
        tokenLifetimeHours: 24,
        clockToleranceS: 60,
      },
      { find: keys, reading: 0 },
    ),
    consoleUrl: `${origin}/`,
    corsOrigins: ['https://console.example.org'],
    // A bug answered with 500 shows its stack in the test's output.
    log: pino({ level: 'error' }, pino.destination({ fd: 2, sync: true })),
    ...options,
  })
  await app.ready()
  const { allowLoopback = false } = options
  const delivering = options.deliveries
    ? new Delivering({ database, receivers: new Receivers({ allowLoopback }) })
    : undefined
  const working = options.jobs
    ? new Working({
        database,
        pollMs: 20,
        sensitiveReads: options.sensitiveReads,
        kinds: { import: importWork(database) },
      })
    : undefined

  const sign: TestService['sign'] = async (claims, header = {}) => {
    const now = Math.floor(Date.now() / 1000)
    return await new SignJWT({ iss: testIssuer, aud: testAudience, sub: 'test', exp: now + 3600, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'test', typ: 'at+jwt', ...header })
      .sign(privateKey)
  }
  const tokens = new Map<Role, Promise<string>>()
  const token = (role: Role) => {
    const made = tokens.get(role) ?? sign({ sub: role, role })
    tokens.set(role, made)
    return made
  }
  let closed = false
  const underWay = new Set<Promise<unknown>>()
  const streams = new Set<() => void>()
  const awaited = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closed) throw new TypeError('The service is closed.')
    const result = work()
    underWay.add(result)
    return await result.finally(() => underWay.delete(result))
  }
  const inject = async (url: URL, request: Request): Promise<Response> => {
    const payload = Buffer.from(await request.clone().arrayBuffer())
    if (definesKeys()) await defineKeysOf(database.sql, url.pathname, payload.toString())
    const isStream = url.pathname.endsWith('/events/stream')
    const response = await app.inject({
      method: request.method as 'GET',
      url: url.pathname + url.search,
      headers: { ...Object.fromEntries(request.headers), host: url.host },
      ...(payload.length > 0 && { payload }),
      ...(isStream && { payloadAsStream: true }),
    })
    if (isStream) {
      // Ends the stream as a real connection does when its client aborts, even while it opens.
      const end = () => {
        if (!streams.delete(end)) return
        response.raw.res.destroy()
        response.raw.res.emit('close')
      }
      streams.add(end)
      request.signal.addEventListener('abort', end)
      if (request.signal.aborted) end()
    }
    request.signal.throwIfAborted()
    const headers = new Headers()
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) headers.set(name, String(value))
    const empty = [204, 303, 304].includes(response.statusCode)
    const body = isStream
      ? (Readable.toWeb(response.stream()) as ReadableStream)
      : new Uint8Array(response.rawPayload)
    return new Response(empty ? null : body, { status: response.statusCode, headers })
  }
  const follow: typeof fetch = async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, origin), init)
    const url = new URL(request.url)
    const response = await inject(url, request)
    const location = response.headers.get('location')
    if (response.status !== 303 || location === null) return describeResponse(response, url, false)
    const target = new URL(location)
    const { authorization } = Object.fromEntries(request.headers)
    // Like a browser, sends no token along with a redirect to another origin.
    const headers = new Headers(
      authorization !== undefined && target.origin === url.origin ? { authorization } : {},
    )
    return describeResponse(
      await inject(target, new Request(target, { headers, signal: request.signal })),
      target,
      true,
    )
  }

  const call: TestService['call'] = (role, method, path, body, extra) =>
    awaited(async () => {
      const headers: Record<string, string> = { ...extra }
      if (role) headers.authorization = `Bearer ${await token(role)}`
      const isFile = Buffer.isBuffer(body)
      if (body !== undefined && !isFile) headers['content-type'] = 'application/json'
      const url = new URL(`${origin}/api${path}`)
      const response = await inject(
        url,
        new Request(url, {
          method,
          headers,
          ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
        }),
      )
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: (text === '' ? undefined : JSON.parse(text)) as never,
      }
    })

  return {
    database,
    baseUrl: `${origin}/api`,
    features: api.features,
    fetch: (input, init) => awaited(() => follow(input, init)),
    token,
    sign,
    call,
    async create(role, path, body, headers) {
      const made = await call(role, 'POST', path, body, headers)
      if (made.status !== 201)
        throw new Error(`POST ${path} answered ${made.status}: ${JSON.stringify(made.body)}`)
      return idOf(made)
    },
    async listen() {
      await app.listen({ port: 0, host: '127.0.0.1' })
      return { port: (app.server.address() as AddressInfo).port }
    },
    async reset() {
      // Open streams would continue from the position at which the log ended.
      for (const end of streams) end()
      // The background work locks the same tables in another order. PostgreSQL cancels one side of such a deadlock, so
      // the reset retries.
      for (;;) {
        try {
          await empty(database.sql)
          return
        } catch (error) {
          if ((error as { code?: string }).code !== '40P01') throw error
        }
      }
    },
    async close(elsewhere) {
      // Requests that a page sends after its test would find no database and be logged as bugs.
      closed = true
      await Promise.allSettled(underWay)
      await delivering?.stop(0)
      await working?.stop()
      await app.drain(elsewhere)
      await app.close()
      await database.close()
      await drop()
    },
  }
}

const usersTables = 'users, user_keys, user_terms, value_terms, entities, changesets, reasons'
const otherTables =
  'definitions, segments, segment_sizes, event_inbox, events, event_blocks, event_counts, idempotency_keys, subscriptions, subscription_days, deliveries, delivery_attempts, erasure_marks, erasures, jobs, job_users, imports, import_chunks, import_identifiers, audit, audit_keys, audit_met, audit_hours, audit_days, audit_people'

/**
 * Empties all tables. Deleting a few rows takes a tenth of the 30 ms that `truncate` needs for new files. Like
 * `truncate`, it waits for transactions that still write.
 */
async function empty(handle: Handle): Promise<void> {
  const tables = `${usersTables}, ${otherTables}`
  const deleted = (names: string) => names.split(', ').map((table) => `delete from ${table};`)
  const counted =
    'update user_counts set users = 0 where users <> 0; update definitions_version set version = version + 1;'
  // `cascade`: a newer release may have tables that refer to these.
  const statements = isDistributed(handle)
    ? `delete from users; delete from user_identifiers; ${counted} truncate ${otherTables} cascade`
    : `do $$ begin
        lock table ${tables} in exclusive mode;
        if (select sum(pg_relation_size(name::regclass)) > 1e6 from unnest(string_to_array('${tables}', ', ')) name) then
          truncate ${tables} cascade;
        else
          ${deleted(tables).join(' ')}
          ${counted}
        end if;
      end $$`
  await sql.raw(statements).execute(handle)
}

/** Sets `url` and `redirected` as a browser does; on a constructed Response they cannot be assigned. */
function describeResponse(response: Response, url: URL, redirected: boolean): Response {
  return Object.defineProperties(response, { url: { value: url.href }, redirected: { value: redirected } })
}

/**
 * Returns entities with all values decrypted, so that they can be compared: sealing a value gives a different result
 * each time.
 */
export async function openEntities({ sql: database, keys }: Pick<Database, 'sql' | 'keys'>) {
  const { rows } = await sql<EntityRow>`
    select user_id as "user", e.*, master, wrapped from entities e left join user_keys using (user_id)
    order by id`.execute(database)
  return rows.map((row) => {
    const { user, id, type, created } = row
    return { user, id, type, created, properties: openRow(keys.keyring, row) }
  })
}

/** Returns entities and changesets with all values decrypted. */
export async function openContents({ sql: database, keys }: Database) {
  const { rows: changesets } = await sql<ChangesetRow>`
    select user_id as "user", c.*, master, wrapped from changesets c left join user_keys using (user_id)
    order by id`.execute(database)
  return {
    entities: await openEntities({ sql: database, keys }),
    changesets: changesets.map((row) => {
      const { user, id, entity_id: entity, entity_type: type, op, actor, time } = row
      const place = { user, entity: entity ?? undefined, changeset: id }
      const changes = openChanges(openDataKey(keys.keyring, row), place, row.changes)
      return { user, id, entity, type, op, actor, time, changes }
    }),
  }
}

/** Opens an embedded store in a folder, or a new database on the run's PostgreSQL. `drop` removes the database. */
export async function openTestDatabase({
  dataDir,
  erasureDigests,
}: { dataDir?: string; erasureDigests?: 'kept' | 'none' } = {}): Promise<{
  database: Database
  drop: () => Promise<void>
}> {
  // On a busy machine a statement takes longer than the service's limits allow.
  const options = { statementLimitMs: 60_000, searchLimitMs: 60_000, erasureDigests }
  if (dataDir !== undefined)
    return { database: await openDatabase({ dataDir }, undefined, options), drop: async () => {} }
  const { databaseUrl, drop } = await createTestDatabase()
  return { database: await openDatabase({ databaseUrl }, testKeys, options), drop }
}

/** Creates a migrated, empty database; on Citus, one on each machine. */
export async function createTestDatabase(): Promise<{ databaseUrl: string; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) throw new Error('Tests have a PostgreSQL by server/testing/postgresql.ts, which Vitest calls.')
  const nodes = process.env.TEST_DATABASE_NODES?.split(' ') ?? [server]
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const admin = async (statement: string) => {
    await Promise.all(
      nodes.map(async (node) => {
        const client = new Client({ connectionString: node })
        await client.connect()
        await client.query(statement)
        await client.end()
      }),
    )
  }
  // `file_copy` takes half the time of copying through the log, which is meant for servers with other users.
  await admin(`create database ${name} template ${template} strategy file_copy`)
  // PostgreSQL waits five seconds for the sessions that it ends; on a busy machine they need longer.
  const drop = (attempts = 6): Promise<void> =>
    admin(`drop database if exists ${name} with (force)`).catch((error: { code?: string }) => {
      if (error.code !== '55006' || attempts === 1) throw error
      return drop(attempts - 1)
    })
  return { databaseUrl: urlOf(server, name), drop }
}
