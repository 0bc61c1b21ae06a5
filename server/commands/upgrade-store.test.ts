import { type ChildProcess, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { makeSampleData } from '../demo/sample.ts'
import { indexSealedEmails } from '../entities/sealed-emails.ts'
import { type Database, openDatabase } from '../sealing/database.ts'
import { openFolder } from '../store/engine/embedded.ts'
import { lockFolder } from '../store/engine/folder.ts'
import { compareTables, tablesOf } from '../store/upgrade/copy.ts'
import { installPGlite, PGlite } from '../store/upgrade/pglite.ts'
import { upgradeStore } from '../store/upgrade/upgrade.ts'
import { fastestFolder } from '../testing/folder.ts'
import { openContents } from '../testing/service.ts'

const users = 40
const newestThen = '0013-health-of-subscriptions'

let root: string
let engine: string
/** A store of release 0.2.0 whose service was killed; `contents` is its data. */
let former: string
let contents: Contents
let folder: string

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(fastestFolder(), 'data-store-upgrade-'))
  engine = await installPGlite(path.join(root, 'engine'))
  former = path.join(root, 'former')
  const source = path.join(root, 'source')
  const database = await openDatabase({ dataDir: source }, undefined)
  try {
    await makeSampleData(database, users, () => {})
    // Adds more data than one copy step moves, with no two rows alike.
    await database.pool.query(`
      update changesets set changes = changes || jsonb_build_array(jsonb_build_object('key', 'note', 'sensitive', false,
        'before', (select string_agg(md5(id::text || n), '') from generate_series(1, 2000) n)))
      where id in (select id from changesets order by id limit 80)`)
    await makeFormer(database)
    contents = await contentsOf(database)
  } finally {
    await database.close()
  }
  fs.copyFileSync(path.join(source, 'encryption-key'), path.join(former, 'encryption-key'))
})
afterAll(() => fs.rmSync(root, { recursive: true, force: true, maxRetries: 10 }))
beforeEach(({ task }) => {
  folder = path.join(root, task.id)
  fs.cpSync(former, folder, { recursive: true })
  return () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** Creates a store with the tables of release 0.2.0, filled with as much of a current store as they can hold. */
async function makeFormer({ pool }: Database): Promise<void> {
  fs.mkdirSync(former)
  const old = await PGlite.open(engine, path.join(former, 'pg'))
  const own = path.join(import.meta.dirname, '../store/migrations')
  const files = fs.readdirSync(own).filter((file) => file.endsWith('.sql') && file <= `${newestThen}.sql`)
  const insert = (file: string) => `insert into kysely_migration values ('${path.parse(file).name}', '2026')`
  await old.rows(`
    create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
    create table kysely_migration_lock (id varchar(255) primary key, is_locked integer default 0 not null);
    insert into kysely_migration_lock values ('migration_lock', 0)`)
  for (const file of files) {
    const text = fs.readFileSync(path.join(own, file), 'utf8')
    await old.rows(`begin; ${text}; ${insert(file)}; commit`)
  }
  await old.rows('set session_replication_role = replica')
  const tables = (await tablesOf(old)).filter(({ name }) => !name.startsWith('kysely_'))
  await old.rows(`truncate ${tables.map(({ name }) => name).join()}`)
  for (const { name, written } of tables) {
    const { rows } = await pool.query<{ rows: string }>(
      `select coalesce(json_agg(t), '[]')::text as rows from (select ${written} from ${name}) as t`,
    )
    await old.rows(`insert into ${name} (${written}) select ${written}
      from json_populate_recordset(null::${name}, '${rows[0]?.rows.replaceAll("'", "''")}')`)
  }
  await old.close()
}

interface Contents {
  readonly tables: Readonly<Record<string, string>>
  readonly opened: string
}

/**
 * Returns a digest of each table, and all sealed values opened. `nth_of_type` is digested separately, because a
 * migration numbers entities in its own order.
 */
async function contentsOf(database: Database): Promise<Contents> {
  const digestOf = async (rows: string) => {
    const { rows: found } = await database.pool.query<{ digest: string }>(
      `select count(*) || ' rows, ' || coalesce(md5(string_agg(row, '' order by row)), '') as digest from (${rows}) as rows (row)`,
    )
    return found[0]?.digest ?? ''
  }
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely_%'`,
  )
  const digests: Record<string, string> = {
    numbers: await digestOf('select concat(user_id, type, nth_of_type) from entities'),
    indexes: await digestOf("select indexdef from pg_indexes where schemaname = 'public'"),
  }
  for (const { name } of tables)
    digests[name] = await digestOf(`select (to_jsonb(t) - 'nth_of_type')::text from ${name} as t`)
  return { tables: digests, opened: JSON.stringify(await openContents(database)) }
}

interface Run {
  readonly status: number | null
  readonly said: string
  readonly problem: string
}

/** Runs the command. `seen` receives each piece of output and the process that wrote it. */
async function upgrade(
  environment: Readonly<Record<string, string>> = {},
  seen: (said: string, child: ChildProcess) => void = () => {},
): Promise<Run> {
  const { DATABASE_URL: _, ...own } = process.env
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'upgrade-store.ts')], {
    env: { ...own, DATA_DIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let problem = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    seen(said, child)
  })
  child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, said, problem }
}

/** Returns a content digest for every file of the store. */
function filesOf(store: string): Record<string, string> {
  const names = fs.readdirSync(store, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => fs.statSync(path.join(store, name)).isFile())
  const digest = (name: string) => hash('sha256', fs.readFileSync(path.join(store, name)))
  return Object.fromEntries(files.map((name) => [name, digest(name)]))
}
const isAsItWas = () => {
  expect(filesOf(path.join(folder, 'pg'))).toEqual(filesOf(path.join(former, 'pg')))
  expect(fs.existsSync(path.join(folder, 'postgresql'))).toBe(false)
}

describe('npm run upgrade-store', () => {
  test('moves all that a store of 0.2.0 has, one whose service was killed too, and after a kill of its own', async () => {
    await upgrade({}, (said, child) => {
      if (said.includes('Copying 32 tables')) child.kill('SIGKILL')
    })
    isAsItWas()
    await expect(openDatabase({ dataDir: folder }, undefined)).rejects.toThrow('npm run upgrade-store')

    const temporary = path.join(root, 'temporary')
    fs.mkdirSync(temporary)
    const { status, said, problem } = await upgrade({ TMPDIR: temporary })
    expect({ status, problem }).toEqual({ status: 0, problem: '' })
    expect(fs.readdirSync(temporary).filter((name) => name.startsWith('data-store-'))).toEqual([])
    expect(said).toContain(`users: ${users} rows are the same`)
    expect(said).toMatch(/kept in .*pg-0\.2\.0\. Delete it as soon as/)
    expect(fs.readdirSync(folder).toSorted()).toEqual(['encryption-key', 'lock', 'pg-0.2.0', 'postgresql'])
    expect(filesOf(path.join(folder, 'pg-0.2.0'))).toEqual(filesOf(path.join(former, 'pg')))
    const database = await openDatabase({ dataDir: folder }, undefined)
    try {
      // The store of 0.2.0 has sealed e-mails in ASCII alone: each has the terms of its mailbox.
      expect(await indexSealedEmails(database)).toBe(0)
      expect(await contentsOf(database)).toEqual(contents)
    } finally {
      await database.close()
    }
    expect(await upgrade()).toMatchObject({
      status: 0,
      said: expect.stringContaining('already of this release'),
    })
  })

  test('ends at Ctrl-C with nothing changed', async () => {
    const ended = await upgrade({}, (said, child) => {
      if (said.includes('Comparing both') && !child.killed) child.kill('SIGINT')
    })
    expect(ended).toMatchObject({
      status: 130,
      problem: 'Stopped. Nothing was changed. Run it again to start over.\n',
    })
    isAsItWas()
    expect(fs.readdirSync(folder)).not.toContain('upgrading')
  })

  test('says what to do where npm cannot get the engine, with nothing changed', async () => {
    const { status, problem } = await upgrade({
      npm_config_registry: 'http://127.0.0.1:1',
      npm_config_cache: path.join(root, 'cache'),
      npm_config_fetch_retries: '0',
    })
    expect(status).toBe(1)
    expect(problem).toMatch(
      /^The store was not upgraded, and the old one is as it was\. npm could not get .* needs the network/,
    )
    isAsItWas()
  })

  test('is refused while a service has the folder', async () => {
    const unlock = lockFolder(folder)
    try {
      expect(await upgrade()).toMatchObject({
        status: 1,
        problem: expect.stringContaining('is in use by another process'),
      })
    } finally {
      unlock()
    }
    isAsItWas()
  })

  test('has nothing to do without an old store', async () => {
    fs.rmSync(path.join(folder, 'pg'), { recursive: true })
    expect(await upgrade()).toMatchObject({
      status: 0,
      said: expect.stringContaining('There is no store of an older release'),
    })
    expect(fs.readdirSync(folder)).toEqual(['encryption-key'])
    const databaseUrl = 'postgresql://127.0.0.1/store'
    expect(await upgrade({ DATABASE_URL: databaseUrl })).toMatchObject({
      status: 1,
      problem: expect.stringContaining('DATABASE_URL'),
    })
  })
})

describe('upgradeStore', () => {
  const quietly = () => upgradeStore(folder, { say: () => {} })

  test('puts the old store aside where an earlier call had come so far', async () => {
    fs.mkdirSync(path.join(folder, 'postgresql'))
    fs.mkdirSync(path.join(folder, 'upgrading'))
    expect(await quietly()).toEqual({ isThere: true, kept: path.join(folder, 'pg-0.2.0') })
    expect(fs.readdirSync(folder).toSorted()).toEqual(['encryption-key', 'lock', 'pg-0.2.0', 'postgresql'])
  })

  test('leaves a store that was kept before alone', async () => {
    fs.mkdirSync(path.join(folder, 'pg-0.2.0'))
    await expect(quietly()).rejects.toThrow('is there already')
    isAsItWas()
  })

  test('begins nothing on a disk that lacks the room', async () => {
    const disk = fs.statfsSync(folder)
    vi.spyOn(fs, 'statfsSync').mockReturnValue(Object.assign(disk, { bavail: (100 * 2 ** 20) / disk.bsize }))
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(quietly()).rejects.toThrow(/lacks room: .* MB are needed .* and 100 are free/)
    isAsItWas()
  })

  test('refuses a store with migrations that it does not know', async () => {
    const old = await PGlite.open(engine, path.join(folder, 'pg'))
    await old.rows(`insert into kysely_migration values ('9999-later', '2027')`)
    await old.close()
    await expect(quietly()).rejects.toThrow('made by a version that this one does not know')
    expect(fs.readdirSync(folder).toSorted()).toEqual(['encryption-key', 'lock', 'pg'])
  })

  test('refuses a store that lacks a table or a column', async () => {
    const old = await PGlite.open(engine, path.join(folder, 'pg'))
    await old.rows('alter table users drop column ref_key')
    await old.close()
    await expect(quietly()).rejects.toThrow('has other tables or columns than its release has made')
  })
})

test('a row that is not what it was is noticed', async () => {
  const old = await PGlite.open(engine, path.join(folder, 'pg'))
  const tables = (await tablesOf(old)).filter(({ name }) => ['users', 'changesets'].includes(name))
  await old.close()
  // The table `changesets` is copied in more than one step.
  expect(tables[0]?.pieces.length).toBeGreaterThan(1)
  await upgradeStore(folder, { say: () => {} })
  const upgraded = await openFolder(folder, { failed() {} })
  const client = new Client(upgraded.address)
  try {
    await client.connect()
    const compare = () => compareTables(client, tables, () => {})
    await compare()
    await client.query(
      `update users set name = name || '.' where id = (select min(id::text)::uuid from users)`,
    )
    await expect(compare()).rejects.toThrow('The table users is not what it was')
  } finally {
    await client.end()
    await upgraded.close()
  }
})
