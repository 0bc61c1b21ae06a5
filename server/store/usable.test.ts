import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openDatabase } from '../sealing/database.ts'
import { testKeys } from '../testing/service.ts'
import { TestPostgres } from '../testing/test-postgresql.ts'

let postgres: TestPostgres
const said: string[] = []
beforeAll(async () => {
  postgres = await TestPostgres.make({ password: 'secret' })
})
afterAll(() => postgres.remove())

async function run(statements: readonly string[], database = 'postgres'): Promise<void> {
  const client = new Client({ connectionString: urlOf(database) })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const urlOf = (database: string, user = 'postgres') =>
  Object.assign(new URL(postgres.url), { pathname: `/${database}`, username: user }).href

const open = (databaseUrl: string, lines = said, waitSeconds = 600) =>
  openDatabase({ databaseUrl }, testKeys, { waitSeconds, waiting: (line) => lines.push(line) })

/** Returns `started`, or the message of the error that the start ends with. */
async function start(databaseUrl: string): Promise<string> {
  said.length = 0
  try {
    await (await open(databaseUrl)).close()
    return 'started'
  } catch (error) {
    // Waiting fixes none of these faults, so the start must not wait.
    expect(said).toEqual([])
    expect((error as Error).message).not.toContain('secret')
    return (error as Error).message
  }
}

const role = (name: string, more = '') => `create role ${name} login ${more} password 'secret'`

describe('a start on PostgreSQL', () => {
  it.each(['LATIN1', 'SQL_ASCII', 'LATIN9', 'WIN1252', 'EUC_JP'])(
    'is refused where the database keeps its text as %s',
    async (encoding) => {
      const name = `text_${encoding.toLowerCase()}`
      await run([
        `create database ${name} encoding '${encoding}' template template0 locale_provider libc locale 'C'`,
      ])
      expect(await start(urlOf(name))).toMatch(
        new RegExp(
          `^PostgreSQL at 127\\.0\\.0\\.1:\\d+: the database "${name}" has the encoding ${encoding}, .* encoding 'UTF8'`,
        ),
      )
    },
  )

  it('is refused to a user who may not create tables, and not to one who may', async () => {
    await run([role('guest'), 'create database rights'])
    const words = await start(urlOf('rights', 'guest'))
    expect(words).toContain(
      'the user "guest" may not create tables in the schema "public" of the database "rights"',
    )
    expect(words).toContain('grant create on schema "public" to "guest"')
    await run(['grant create on schema public to guest'], 'rights')
    expect(await start(urlOf('rights', 'guest'))).toBe('started')
    // Another user has no access to the first user's tables.
    await run([role('stranger')])
    expect(await start(urlOf('rights', 'stranger'))).toContain(
      'the user "stranger" may not read and write the tables of the store in the database "rights"',
    )
    await run(['grant select on all tables in schema public to stranger'], 'rights')
    expect(await start(urlOf('rights', 'stranger'))).toContain('may not read and write')
    await run(['grant guest to stranger'])
    expect(await start(urlOf('rights', 'stranger'))).toBe('started')
  })

  it('is refused where the search path leads to no schema, or past the one that has the store', async () => {
    await run([
      'create database paths',
      role('lost', 'superuser'),
      'alter role lost set search_path = elsewhere',
    ])
    expect(await start(urlOf('paths', 'lost'))).toContain(
      'the search_path of the user "lost" names no schema that exists',
    )
    await run(['create schema elsewhere'], 'paths')
    expect(await start(urlOf('paths', 'lost'))).toBe('started')
    expect(await start(urlOf('paths', 'lost'))).toBe('started')
    const words = await start(urlOf('paths'))
    expect(words).toContain('the store in the database "paths" is in the schema "elsewhere"')
    expect(words).toContain('the search_path of the user "postgres" leads to "public"')
    expect(words).toContain('alter role "postgres" set search_path = "elsewhere"')
    await run(['alter role postgres in database paths set search_path = "elsewhere"'])
    expect(await start(urlOf('paths'))).toBe('started')
  })

  it('is refused where a migration has to change what the user does not own', async () => {
    await run([role('owner'), role('heir'), 'create database old owner owner'])
    expect(await start(urlOf('old', 'owner'))).toBe('started')
    await run(
      [
        'grant select, insert, update, delete on all tables in schema public to heir',
        `delete from kysely_migration where name >= '0016'`,
        'drop table if exists kept_erasures',
      ],
      'old',
    )
    expect(await start(urlOf('old', 'heir'))).toContain(
      'the user "heir" may not change the store as this version needs',
    )
  })

  it.each([
    ['sslmode=verify-full', /cannot be connected to as DATABASE_URL asks .*SSL/],
    [
      'sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
      /^DATABASE_URL cannot be used: \/nowhere\/ca\.pem cannot be read\.$/,
    ],
  ])('is refused in words with %s, which the server cannot do', async (query, words) => {
    expect(await start(`${urlOf('postgres')}?${query}`)).toMatch(words)
  })
})

// All of them wait for seconds.
describe.concurrent('a PostgreSQL that takes a connection and no further one', () => {
  /**
   * Puts a proxy in front of the server that imitates a restart after its initialization: it lets `through`
   * connections pass, then drops the next `dropped`.
   */
  async function before(through: number, dropped: number) {
    const { port } = new URL(postgres.url)
    let seen = 0
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      if (seen++ >= through && seen <= through + dropped) return void socket.destroy()
      const other = connect(Number(port), '127.0.0.1')
      sockets.add(other)
      other.on('error', () => {})
      socket.pipe(other).pipe(socket)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    return {
      url: (database: string) =>
        Object.assign(new URL(urlOf(database)), { port: String((server.address() as AddressInfo).port) })
          .href,
      close: () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      },
    }
  }

  it.each([
    [1, 1],
    [1, 3],
    [0, 2],
    [2, 1],
  ])('is waited for as one that takes none: %i, then %i dropped', async (through, dropped) => {
    const name = `late_${through}_${dropped}`
    await run([`create database ${name}`])
    const late = await before(through, dropped)
    const lines: string[] = []
    try {
      await (await open(late.url(name), lines)).close()
      if (through < 2) expect(lines[0]).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+ does not answer yet \(/)
    } finally {
      late.close()
    }
  })

  it('is told in words where the time is up', async () => {
    const late = await before(1, Infinity)
    try {
      await expect(open(late.url('postgres'), [], 2)).rejects.toThrow(
        /^PostgreSQL at 127\.0\.0\.1:\d+ does not answer \(.*\), not within 2 s \(DATABASE_WAIT\)/,
      )
    } finally {
      late.close()
    }
  })
})
