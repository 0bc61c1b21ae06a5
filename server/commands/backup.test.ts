// Runs the commands of docs/operations.md, "Back up and restore", exactly as printed there.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { ErasureList } from '#contract/index.ts'
import { finaliseErasures } from '../erasures/finalising.ts'
import { addUser, commands, lookInto, run, withStore } from '../testing/backup.ts'
import { fastestFolder } from '../testing/folder.ts'
import { openContents, startTestService, type TestService } from '../testing/service.ts'

const [backUp, restore, listDeleted, deleteAgain, countEvents] = commands

const root = fs.mkdtempSync(path.join(fastestFolder(), 'data-store-backup-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
const at = (name: string) => path.join(root, name)

test('the page has as many commands as are tried here and in the test of servers', () => {
  expect(commands).toHaveLength(9)
})

describe('an embedded store', () => {
  const dataDir = at('data')
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ dataDir })
    await service.call('admin', 'POST', '/subscriptions', { url: 'https://example.org/' })
    for (let n = 0; n < 20; n++) await addUser(service, `first${n}`)
    await service.call('steward', 'DELETE', `/users/${await addUser(service, 'gone')}`)
  })
  afterAll(() => service.close())

  /** Restores a backup into a folder of this name. */
  async function restored(backup: string, keys: string, name: string): Promise<string> {
    const folder = at(name)
    expect(await run(restore, { BACKUP: backup, KEYS: keys, DATA_DIR: folder })).toMatchObject({
      status: 0,
      problem: '',
    })
    return folder
  }

  const takeBackup = async (name: string, of = dataDir) => {
    const [BACKUP, KEYS] = [at(name), at(`${name}-keys`)]
    const ended = await run(backUp, { BACKUP, KEYS, DATA_DIR: of })
    expect(ended).toMatchObject({ status: 0, problem: '' })
    return { BACKUP, KEYS, out: ended.out }
  }

  test('is backed up under writes with all that was acknowledged, and each change whole or not at all', async () => {
    const acknowledged: string[] = []
    let isOver = false
    const write = async (writer: number) => {
      for (let n = 0; !isOver; n++) acknowledged.push(await addUser(service, `writer${writer}-${n}`))
    }
    const writers = Array.from({ length: 8 }, (_, writer) => write(writer))
    await expect.poll(() => acknowledged.length).toBeGreaterThan(50)
    const before = [...acknowledged]
    // Constant log switches and checkpoints: a backup that did not retain the log it needs would lose it here.
    const churn = (async () => {
      while (!isOver) await service.database.maintain?.('select pg_switch_wal()', 'checkpoint')
    })()
    const { BACKUP, KEYS } = await takeBackup('busy').finally(() => (isOver = true))
    await churn
    await Promise.all(writers)

    const original = await openContents(service.database)
    await withStore({ dataDir: await restored(BACKUP, KEYS, 'busy-restored') }, async (database) => {
      const { entities, changesets } = await openContents(database)
      const users = new Set(entities.map(({ user }) => user))
      expect(before.filter((user) => !users.has(user))).toEqual([])
      expect(original.entities).toEqual(expect.arrayContaining(entities))
      expect(original.changesets).toEqual(expect.arrayContaining(changesets))
      const { rows } = await database.pool.query(`
        with logged as (select type, properties from events union all select type, properties from event_inbox)
        select (select count(*)::int from users u where not exists (select 1 from entities where user_id = u.id)) as "without entity",
          (select count(*)::int from users u where not exists (
            select 1 from logged where type = 'USER_CREATED' and properties ->> 'user' = u.id::text)) as "without event",
          (select count(*)::int from logged where type = 'USER_CREATED') - (select count(*)::int from users) as deleted,
          (select sum(users)::int from user_counts) - (select count(*)::int from users) as miscounted`)
      expect(rows).toEqual([{ 'without entity': 0, 'without event': 0, deleted: 1, miscounted: 0 }])
      await database.pool.query('create extension amcheck')
      await database.pool.query(
        `select bt_index_check(c.oid, true) from pg_class c join pg_am a on a.oid = c.relam
         where a.amname = 'btree' and c.relkind = 'i' and c.relpersistence = 'p'`,
      )
    })
  })

  test('comes back row for row, with values, keys, webhooks and events, whether or not it was running', async () => {
    const running = await takeBackup('quiet')
    const original = await lookInto(service.database)
    expect(original.values.entities.length).toBeGreaterThan(20)
    expect(
      await withStore({ dataDir: await restored(running.BACKUP, running.KEYS, 'quiet-restored') }, lookInto),
    ).toEqual(original)

    await service.close()
    const stopped = await takeBackup('stopped')
    expect(
      await withStore(
        { dataDir: await restored(stopped.BACKUP, stopped.KEYS, 'stopped-restored') },
        lookInto,
      ),
    ).toEqual(original)
    // A restore moves an existing store aside.
    await restored(running.BACKUP, running.KEYS, 'stopped-restored')
    expect(fs.existsSync(at('stopped-restored.before/postgresql'))).toBe(true)
    service = await startTestService({ dataDir })
  })

  test('leaves its key out of the backup, which does not open without it, nor with a later one', async () => {
    const { BACKUP, KEYS } = await takeBackup('apart')
    const key = fs.readFileSync(path.join(dataDir, 'encryption-key'), 'utf8').trim()
    const [id = '', base64 = ''] = key.split(':')
    const files = fs.readdirSync(BACKUP, { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => !name.startsWith('postgresql'))).toEqual([])
    const holds = (name: string, needle: Buffer) =>
      fs.statSync(path.join(BACKUP, name)).isFile() &&
      fs.readFileSync(path.join(BACKUP, name)).includes(needle)
    const found = [Buffer.from(base64, 'base64'), Buffer.from(base64)].flatMap((needle) =>
      files.filter((name) => holds(name, needle)),
    )
    expect(found).toEqual([])
    expect(fs.readdirSync(KEYS)).toEqual(['encryption-key'])
    for (const folder of [BACKUP, KEYS]) expect(fs.statSync(folder).mode & 0o066).toBe(0)

    const withoutKeys = await run('npm run backup -- --to "$BACKUP"', {
      BACKUP: at('keyless'),
      DATA_DIR: dataDir,
    })
    expect(withoutKeys.out).toContain(
      `opens with ${path.join(dataDir, 'encryption-key')} of this moment alone`,
    )
    fs.cpSync(BACKUP, at('without-key'), { recursive: true })
    const refused = withStore({ dataDir: at('without-key') }, () => Promise.resolve())
    await expect(refused).rejects.toThrow(
      `The master key "${id}" is not the one that this store was written with.`,
    )

    const before = await openContents(service.database)
    await finaliseErasures(service.database, { now: true, graceMs: 0 })
    fs.cpSync(path.join(dataDir, 'encryption-key'), path.join(at('without-key'), 'encryption-key'))
    await expect(withStore({ dataDir: at('without-key') }, () => Promise.resolve())).rejects.toThrow(
      'master key',
    )
    expect(
      await withStore({ dataDir: await restored(BACKUP, KEYS, 'apart-restored') }, openContents),
    ).toEqual(before)
  })

  test('is restored with users deleted since, who are deleted again as the page says, and says how long its log is', async () => {
    const [kept, since] = [await addUser(service, 'kept'), await addUser(service, 'since')]
    const { BACKUP, KEYS } = await takeBackup('erasure')
    await service.call('steward', 'DELETE', `/users/${since}`, undefined, { 'Deletion-Reference': 'T-47' })
    for (let n = 0; n < 60; n++)
      await service.call('steward', 'DELETE', `/users/${await addUser(service, `later${n}`)}`)
    const TOKEN = await service.token('steward')
    const DELETED = at('deleted')
    const { port } = await service.listen()
    const listed = await run(listDeleted, { API: `http://127.0.0.1:${port}/api`, TOKEN, DELETED })
    expect(listed).toMatchObject({ status: 0, problem: '' })
    const refused = await run(listDeleted, { API: `http://127.0.0.1:${port}/api`, TOKEN: 'none', DELETED })
    expect(refused).toMatchObject({ status: 1, problem: expect.stringContaining('401') })
    const { rows } = await service.database.pool.query('select user_id as "user" from erasures')
    const lines = fs.readFileSync(DELETED, 'utf8').trim().split('\n')
    expect(lines.toSorted()).toEqual((rows as { user: string }[]).map(({ user }) => user).toSorted())

    const again = await startTestService({ dataDir: await restored(BACKUP, KEYS, 'erasure-restored') })
    try {
      const API = `http://127.0.0.1:${(await again.listen()).port}/api`
      const as = { API, TOKEN: await again.token('steward'), DELETED }
      const { rows: log } = await again.database.pool.query<{ length: string }>(
        'select ((select count(*) from events) + (select count(*) from event_inbox))::text as length',
      )
      expect(await run(countEvents, as)).toEqual({ status: 0, out: `${log[0]?.length}\n`, problem: '' })
      expect((await again.call('support', 'GET', `/users/${since}`)).status).toBe(200)
      const { out } = await run(deleteAgain, as)
      expect(out.split('\n').filter((line) => line.startsWith('204'))).toEqual([`204 ${since}`])
      expect(out.match(/^404 /gm)).toHaveLength(lines.length - 1)
      expect((await again.call('support', 'GET', `/users/${since}`)).status).toBe(404)
      expect((await again.call('support', 'GET', `/users/${kept}`)).status).toBe(200)
      const list = (await again.call('support', 'GET', `/erasures?state=all&user=${since}`))
        .body as ErasureList
      expect(list.erasures).toMatchObject([{ user: since, reference: 'deleted-before-restore' }])
    } finally {
      await again.close()
    }
  })
})
