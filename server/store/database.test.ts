import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { sql } from 'kysely'
import { Client, type DatabaseError, types } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { type Database, openDatabase } from '../sealing/database.ts'
import { createTestDatabase, testKeys } from '../testing/service.ts'
import { userById } from '../users/storage.ts'
import type { Handle, Transaction } from './sql.ts'

/** If users are distributed over several machines, counters, constraints and connections differ. */
const isOnOneMachine = !process.env.TEST_DATABASE_NODES

describe.runIf(isOnOneMachine)('a database', () => {
  let database: Database
  let databaseUrl: string
  let drop: () => Promise<void>

  beforeAll(async () => {
    ;({ databaseUrl, drop } = await createTestDatabase())
    database = await openDatabase({ databaseUrl }, testKeys, { statementLimitMs: 500 })
  })
  beforeEach(() => sql`truncate users, segments, event_inbox, events cascade`.execute(database.sql))
  afterAll(async () => {
    await database.close()
    await drop()
  })

  it('lets work of its own take longer than a caller’s statement', async () => {
    const sleeps = (handle: Handle) => sql`select pg_sleep(0.8)`.execute(handle)
    await expect(sleeps(database.sql)).rejects.toThrow('statement timeout')
    await database.unlimited(sleeps)
  })

  it('gives searches their own limit, but not through a pooler, which would lend it to others', async () => {
    const { port } = await startPooler(databaseUrl)
    const limits = { statementLimitMs: 5000, searchLimitMs: 700 }
    const through = databaseUrl.replace(/@[^/]+/, `@127.0.0.1:${port}`)
    for (const [url, limit] of [
      [databaseUrl, '700ms'],
      [through, '5s'],
    ] as const) {
      const opened = await openDatabase({ databaseUrl: url }, testKeys, limits)
      try {
        const { rows } = await sql<{
          limit: string
        }>`select current_setting('statement_timeout') as limit`.execute(opened.searches)
        expect(rows).toEqual([{ limit }])
      } finally {
        await opened.close()
      }
    }
  })

  it('keeps what requests run all the time planned, but not through a pooler, where others have its session next', async () => {
    const { port } = await startPooler(databaseUrl)
    const through = databaseUrl.replace(/@[^/]+/, `@127.0.0.1:${port}`)
    for (const [url, kept] of [
      [databaseUrl, [{ reused: true }]],
      [through, []],
    ] as const) {
      const opened = await openDatabase({ databaseUrl: url }, testKeys)
      try {
        await opened.sql.connection().execute(async (handle) => {
          for (let times = 0; times < 8; times++) await userById(handle, uuidv7())
          expect((await planned(handle)).map(({ reused }) => ({ reused }))).toEqual(kept)
        })
      } finally {
        await opened.close()
      }
    }
  })

  it('plans again after a while, since a table that was small may have grown', async () => {
    await database.sql.connection().execute(async (handle) => {
      const planOf = async () => {
        for (let times = 0; times < 8; times++) await userById(handle, uuidv7())
        const [{ name } = { name: '' }] = await planned(handle)
        const { rows } = await sql`explain execute ${sql.ref(name)}(${sql.lit(uuidv7())})`.execute(handle)
        return JSON.stringify(rows)
      }
      await sql`insert into users (id, created, since) values (gen_random_uuid(), now(), now())`.execute(
        handle,
      )
      await sql`analyze users`.execute(handle)
      expect(await planOf()).toContain('Seq Scan')
      await growUsers(database)
      expect(await planOf()).toContain('Index Scan')
    })
  })

  it('plans the checks of foreign keys again, too', async () => {
    await database.sql.connection().execute(async (handle) => {
      const { rows } = await sql<{ id: string }>`
        insert into users (id, created, since) values (gen_random_uuid(), now(), now()) returning id`.execute(
        handle,
      )
      await sql`analyze users`.execute(handle)
      const scans = async (transaction: Transaction) => {
        const { rows: found } = await sql<{ scans: number }>`
          select seq_scan::int as scans from pg_stat_xact_user_tables where relname = 'users'`.execute(
          transaction,
        )
        return found[0]?.scans ?? 0
      }
      const scansOf = (term: string) =>
        handle.transaction().execute(async (transaction) => {
          const before = await scans(transaction)
          for (let times = 0; times < 8; times++)
            await sql`insert into user_terms (user_id, term, name)
              values (${rows[0]?.id}::uuid, ${`${term}${times}`}, false)`.execute(transaction)
          return (await scans(transaction)) - before
        })
      expect(await scansOf('small')).toBeGreaterThan(0)
      await growUsers(database)
      expect(await scansOf('large')).toBe(0)
    })
  })

  it('stops what is given up', async () => {
    const stop = new AbortController()
    const sleeping = database.within(
      200_000,
      (handle) => sql`select pg_sleep(180)`.execute(handle),
      stop.signal,
    )
    await vi.waitFor(async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity where state = 'active' and query = 'select pg_sleep(180)'`,
      )
      expect(rowCount).toBe(1)
    })
    stop.abort()
    expect(await sleeping).toBeUndefined()
  })

  it('stops nothing that a connection does for another caller after what was given up', async () => {
    const { held, letGo } = holdCancels()
    const stop = new AbortController()
    const reading = database.within(
      10_000,
      async (handle) => {
        stop.abort()
        return await pidOf(handle)
      },
      stop.signal,
    )
    const pid = await reading
    await held
    // The pool hands out the most recently released connection first.
    const other = database.sql.transaction().execute(async (handle) => {
      const taken = await pidOf(handle)
      letGo()
      await sql`select pg_sleep(0.3)`.execute(handle)
      return taken
    })
    expect(await other).toBe(pid)
  })

  it('knows the number of users after inserts, deletes, conflicts and rollbacks', async () => {
    await insertUsers(database, 10)
    expect(await countedUsers(database)).toBe(10)

    await database.pool.query('delete from users where id in (select id from users limit 4)')
    expect(await countedUsers(database)).toBe(6)

    await insertUser(database.sql, 'known')
    const again = insertion('known')
    await sql`${again} on conflict on constraint users_ref_unique do nothing`.execute(database.sql)
    await expect(again.execute(database.sql)).rejects.toMatchObject({ constraint: 'users_ref_unique' })
    expect(await countedUsers(database)).toBe(7)

    const undone = database.sql.transaction().execute(async (transaction) => {
      for (let made = 0; made < 3; made++) await insertUser(transaction)
      await sql`delete from users where ref = 'known'`.execute(transaction)
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(await countedUsers(database)).toBe(7)

    await sql`truncate users cascade`.execute(database.sql)
    expect(await countedUsers(database)).toBe(0)
  })

  it('knows the number of users after many writers at once', async () => {
    const writers = Array.from({ length: 20 }, async () => {
      await insertUsers(database, 5)
      const one = await insertUser(database.sql)
      await database.pool.query('delete from users where id = $1', [one])
    })
    await Promise.all(writers)
    expect(await countedUsers(database)).toBe(100)
    expect(await database.pool.query('select 1 from user_counts')).toMatchObject({ rowCount: 64 })
  })

  it('deletes the entities of a user with the user', async () => {
    const insertEntity = (owner: string) =>
      sql`insert into entities (user_id, id, type, created, properties)
        values (${owner}, ${uuidv7()}, 'car', now(), '{}')`.execute(database.sql)
    await insertEntity(await insertUser(database.sql))
    await expect(insertEntity(uuidv7())).rejects.toMatchObject({ constraint: 'entities_user_fk' })

    await database.pool.query('delete from users')
    expect(await database.pool.query('select 1 from entities')).toMatchObject({ rowCount: 0 })
  })

  it('reads counts as numbers and times as text, and leaves the parsers of other connections alone', async () => {
    const read = `select count(*) as n, timestamp '2026-03-01 12:00:00.120' as at, '{"a":[1]}'::jsonb as j`
    const { rows } = await database.pool.query(read)
    expect(rows).toEqual([{ n: 1, at: '2026-03-01 12:00:00.12', j: { a: [1] } }])
    await expect(database.pool.query('select 9007199254740993::int8')).rejects.toThrow('too large')
    expect(types.getTypeParser(types.builtins.INT8)('1')).toBe('1')
  })

  it('keeps working after errors: 100 bad queries between 200 good ones', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 300 }, (_, index) =>
        index % 3 === 0
          ? database.pool.query('select $1::int as n', ['not a number'])
          : database.pool.query<{ n: number }>('select $1::int as n', [index]),
      ),
    )
    const outcomes = answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.rows[0]?.n : (answer.reason as DatabaseError).code,
    )
    expect(outcomes).toEqual(answers.map((_, index) => (index % 3 === 0 ? '22P02' : index)))
  })

  it('answers a burst of 2,000 queries', async () => {
    const numbers = Array.from({ length: 2_000 }, (_, index) => index)
    const answers = await Promise.all(
      numbers.map((n) => sql<{ n: number }>`select ${n}::int as n`.execute(database.sql)),
    )
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(numbers)
  })

  it('ends a statement that runs too long, undoes its transaction, and uses the connection again', async () => {
    const started = performance.now()
    const slow = database.sql.transaction().execute(async (transaction) => {
      await insertUser(transaction)
      await sql`select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b where a + b = 1`.execute(
        transaction,
      )
    })
    await expect(slow).rejects.toMatchObject({ code: '57014' })
    expect(performance.now() - started).toBeLessThan(30_000)
    expect(await countedUsers(database)).toBe(0)
    const quick = Array.from({ length: 20 }, () => database.pool.query('select 1'))
    await expect(Promise.all(quick)).resolves.toHaveLength(20)
  })

  it('lets reads take longer where that was asked for, and all others as long as before', async () => {
    const slow = sql`select count(*) from generate_series(1, 6000) a, generate_series(1, 6000) b where a + b = 1`
    const read = (limitMs: number) => database.within(limitMs, (handle) => slow.execute(handle))
    expect(await read(60_000)).toMatchObject({ rows: [{ count: 0 }] })
    expect(await read(50)).toBeUndefined()
    await expect(slow.execute(database.sql)).rejects.toMatchObject({ code: '57014' })
  })

  it('gives the next client a clean session after one that left in a transaction', async () => {
    const client = await database.pool.connect()
    await client.query(`set timezone = 'Asia/Tokyo'`)
    await client.query('begin')
    await client.query('insert into users (id, created, since) values ($1, now(), now())', [uuidv7()])
    client.release(true)
    expect(await database.pool.query('show timezone')).toMatchObject({ rows: [{ TimeZone: 'UTC' }] })
    expect(await countedUsers(database)).toBe(0)
    expect(await database.pool.query('select id from users')).toMatchObject({ rowCount: 0 })
  })

  it('starts again on what it has already migrated', async () => {
    await insertUsers(database, 1)
    const others = await Promise.all([1, 2].map(() => openDatabase({ databaseUrl }, testKeys)))
    for (const other of others) {
      expect(await countedUsers(other)).toBe(1)
      await other.close()
    }
  })

  it('lets the process end after close(), and answers what waited before it', async () => {
    const child = node(`
      import { openDatabase } from '../sealing/database.ts'
      const database = await openDatabase(${JSON.stringify({ databaseUrl })}, [{ id: 'test', key: Buffer.alloc(32, 7) }])
      const waiting = Array.from({ length: 50 }, () => database.pool.query('select 1'))
      await database.close()
      process.stdout.write(String((await Promise.all(waiting)).length))`)
    expect(await waitForEnd(child)).toEqual({ code: 0, output: '50' })
  })
})

describe.runIf(isOnOneMachine)('a PostgreSQL that drops its connections', () => {
  it('is reported, does not crash, and connects again', async () => {
    const failures: Error[] = []
    const { databaseUrl, drop } = await createTestDatabase()
    onTestFinished(drop)
    const database = await openDatabase({ databaseUrl }, testKeys, {
      failed: (error) => failures.push(error),
    })
    onTestFinished(() => database.close())
    const held = await database.pool.connect()
    await Promise.all(Array.from({ length: 5 }, () => database.pool.query('select pg_sleep(0.05)')))
    const admin = new Client({ connectionString: databaseUrl })
    await admin.connect()
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity ' +
        'where datname = current_database() and pid <> pg_backend_pid()',
    )
    await admin.end()
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0))
    await expect(held.query('select 1')).rejects.toThrow(/terminat|not queryable/)
    held.release()
    await vi.waitFor(() => expect(countedUsers(database)).resolves.toBe(0))
  })
})

const insertion = (ref: string | null, id = uuidv7()) =>
  sql`insert into users (id, ref, created, since) values (${id}, ${ref}, now(), now())`

async function insertUser(handle: Handle, ref: string | null = null): Promise<string> {
  const id = uuidv7()
  await insertion(ref, id).execute(handle)
  return id
}

/** Inserts users in one statement, so with a single commit. */
const insertUsers = (database: Database, count: number) =>
  database.pool.query('insert into users (id, created, since) select unnest($1::uuid[]), now(), now()', [
    Array.from({ length: count }, () => uuidv7()),
  ])

async function countedUsers({ pool }: Database) {
  const { rows } = await pool.query<{ n: number }>('select sum(users)::int8 as n from user_counts')
  return rows[0]?.n
}

function node(script: string) {
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function waitForEnd(child: ReturnType<typeof node>) {
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

let plannedHours = 0

/** Makes the table of users large, and lets an hour pass, after which connections plan again. */
async function growUsers(database: Database): Promise<void> {
  await database.unlimited((handle) =>
    sql`insert into users (id, created, since)
      select gen_random_uuid(), now(), now() from generate_series(1, 5000)`.execute(handle),
  )
  plannedHours += 1
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + plannedHours * 3_600_000)
  onTestFinished(() => clock.mockRestore())
}

/** Returns the statements that a connection keeps, and whether it has used a plan of theirs for other values. */
const planned = async (handle: Handle) => {
  const { rows } = await sql<{ name: string; reused: boolean }>`
    select name, generic_plans > 0 as reused from pg_prepared_statements`.execute(handle)
  return rows
}

const pidOf = async (handle: Handle) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(handle)).rows[0]?.pid

/** Holds back statements that cancel others, as on a very busy machine. */
function holdCancels(): { readonly held: Promise<void>; readonly letGo: () => void } {
  const prototype = Client.prototype as unknown as { query: (...words: unknown[]) => unknown }
  const { query } = prototype
  const asked = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  prototype.query = function (this: unknown, ...words: unknown[]) {
    const send = () => Reflect.apply(query, this, words)
    if (!String(words[0]).includes('pg_cancel_backend')) return send()
    asked.resolve()
    return going.promise.then(send)
  }
  onTestFinished(() => {
    prototype.query = query
  })
  return { held: asked.promise, letGo: going.resolve }
}

/** Starts a proxy that, like PgBouncer, tells each client another process id than the server's. */
async function startPooler(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const place = decodeURIComponent(hostname)
  const listening = place.startsWith('/')
    ? { path: `${place}/.s.PGSQL.${port || 5432}` }
    : { host: place, port: Number(port) }
  const keyData = Buffer.from([0x4b, 0, 0, 0, 12])
  const pooler = createServer((client) => {
    const server = connect(listening)
    client.pipe(server)
    server.on('data', (chunk: Buffer) => {
      const at = chunk.indexOf(keyData)
      if (at >= 0) chunk.writeInt32BE(chunk.readInt32BE(at + 5) + 1, at + 5)
      client.write(chunk)
    })
    server.on('close', () => client.destroy())
    client.on('close', () => server.destroy())
    for (const socket of [client, server]) socket.on('error', () => {})
  })
  onTestFinished(() => void pooler.close())
  await once(pooler.listen(0, '127.0.0.1'), 'listening')
  return { port: (pooler.address() as AddressInfo).port }
}
