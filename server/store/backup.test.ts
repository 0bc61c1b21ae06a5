import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { finaliseErasures } from '../erasures/finalising.ts'
import { addUser, run, withStore } from '../testing/backup.ts'
import { fastestFolder } from '../testing/folder.ts'
import { startTestService, type TestService } from '../testing/service.ts'

const root = fs.mkdtempSync(path.join(fastestFolder(), 'data-store-backups-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
const at = (...names: string[]) => path.join(root, ...names)
const dataDir = at('data')

const command = `exec node ${path.join(import.meta.dirname, '../commands/backup.ts')}`
const backUp = async (
  args: string,
  environment: Readonly<Record<string, string>> = {},
  started?: (pid: number) => void,
) => await run(`${command} ${args}`, { DATA_DIR: dataDir, ...environment }, started)

const usersIn = async (folder: string) =>
  await withStore(
    { dataDir: folder },
    async ({ pool }) => (await pool.query('select id from users order by id')).rows,
  )

const keySetting = `k1:${randomBytes(32).toString('base64')}`

let service: TestService
beforeAll(async () => {
  service = await startTestService({ dataDir })
  for (let n = 0; n < 10; n++) await addUser(service, `user${n}`)
})
afterAll(() => service.close())

describe('a backup', () => {
  test('is refused in words where it would lie in the way, in the store, or beside the key', async () => {
    fs.mkdirSync(at('there'))
    fs.mkdirSync(at('killed.unfinished'))
    const server = { DATABASE_URL: 'postgresql://localhost/store', ENCRYPTION_KEYS: keySetting }
    const [there, fresh] = [at('there'), `--to ${at('new')}`]
    const refusals: [args: string, words: string, environment?: Record<string, string>][] = [
      ['', 'Say where to, by --to.'],
      ['--to', "Option '--to <value>' argument missing"],
      [`--to ${there}`, `${there} is there already: name a folder that is not.`],
      [`--to ${at('killed')}`, 'another backup is being made, or was killed. In that case delete it'],
      [`--to ${at('nowhere', 'x')}`, `${at('nowhere')} is not there: make it, or mount its disk.`],
      [`--to ${at('data', 'x')}`, `${at('data', 'x')} lies in ${dataDir}: name a place apart from it.`],
      [`${fresh} --keys-to ${at('data', 'k')}`, `lies in ${dataDir}`],
      [`${fresh} --keys-to ${at('new')}`, `lies in ${at('new')}`],
      [`--to ${at('newer')} --keys-to ${there}`, `${there} is there already`],
      [fresh, 'back it up by pg_dump', server],
      [fresh, `There is no embedded store in ${there}`, { DATA_DIR: there }],
    ]
    const problem = (words: string) => ({ status: 1, out: '', problem: expect.stringContaining(words) })
    const ended = await Promise.all(refusals.map(([args, , environment]) => backUp(args, environment)))
    expect(ended).toMatchObject(refusals.map(([, words]) => problem(words)))
    expect(fs.readdirSync(root).toSorted()).toEqual(['data', 'killed.unfinished', 'there'])
  })

  test('leaves nothing of its work when it is stopped', async () => {
    // A large file, so that the backup takes long enough to be stopped.
    const filler = at('data', 'postgresql', 'base', 'filler')
    fs.writeFileSync(filler, '')
    fs.truncateSync(filler, 2 ** 28)
    let pid = 0
    const ended = backUp(`--to ${at('stopped')}`, {}, (started) => (pid = started))
    await vi.waitFor(() => expect(fs.existsSync(at('stopped.unfinished', 'postgresql'))).toBe(true), {
      timeout: 60_000,
      interval: 1,
    })
    process.kill(pid, 'SIGINT')
    expect(await ended).toEqual({ status: 130, out: '', problem: 'Stopped. There is no backup.\n' })
    expect(fs.readdirSync(root).filter((name) => name.startsWith('stopped'))).toEqual([])
    fs.rmSync(filler)
  })

  test('does not start without a file of its log, and begins elsewhere or not at all without its label', async () => {
    const maintain = service.database.maintain ?? expect.fail()
    // Puts the checkpoint before the backup's own into a log file that is not copied.
    await maintain('checkpoint', 'select pg_switch_wal()')
    await addUser(service, 'late')
    await maintain('select pg_switch_wal()')
    let isOver = false
    const churn = (async () => {
      while (!isOver) await maintain(`select pg_logical_emit_message(true, '', '')`, 'select pg_switch_wal()')
    })()
    const ended = backUp(`--to ${at('whole')} --keys-to ${at('key')}`).finally(() => (isOver = true))
    await churn
    expect(await ended).toMatchObject({ status: 0, problem: '' })
    const copy = (name: string) => {
      fs.cpSync(at('whole'), at(name), { recursive: true })
      fs.cpSync(at('key'), at(name), { recursive: true })
      return at(name)
    }
    const log = fs.readdirSync(at('whole', 'postgresql', 'pg_wal'))
    expect(log.length).toBeGreaterThan(1)
    // Tests the first log file, one in the middle, and the last one.
    for (const name of [0, log.length >> 1, log.length - 1].map((n) => log.toSorted()[n] ?? '')) {
      const lacking = copy(`without-${name}`)
      fs.rmSync(path.join(lacking, 'postgresql', 'pg_wal', name))
      await expect(usersIn(lacking)).rejects.toThrow('could not be opened: its files are damaged')
    }
    const unlabelled = copy('unlabelled')
    fs.rmSync(path.join(unlabelled, 'postgresql', 'backup_label'))
    await expect(usersIn(unlabelled)).rejects.toThrow('could not be opened: its files are damaged')

    expect(await usersIn(copy('sound'))).toHaveLength(11)
  })

  test('keeps a deletion from becoming final, but not the service from stopping', async () => {
    const key = () => fs.readFileSync(at('data', 'encryption-key'), 'utf8')
    const before = key()
    await service.call('steward', 'DELETE', `/users/${await addUser(service, 'deleted')}`)
    const { pool } = service.database
    await pool.query(`select pg_create_physical_replication_slot('held', true)`)
    try {
      const stop = new AbortController()
      const options = { now: true, graceMs: 0, signal: stop.signal }
      const finalising = finaliseErasures(service.database, options)
      const recycling = async () => (await pool.query('show wal_recycle')).rows
      await expect.poll(recycling).toEqual([{ wal_recycle: 'off' }])
      stop.abort()
      await finalising
      expect(key()).toBe(before)
    } finally {
      await pool.query(`select pg_drop_replication_slot('held')`)
    }
    await finaliseErasures(service.database, { now: true, graceMs: 0 })
    expect(key()).not.toBe(before)
  })

  test('has both master keys while one replaces the other', async () => {
    const until = Promise.withResolvers<void>()
    const stop = new AbortController()
    const finalising = finaliseErasures(service.database, {
      now: true,
      signal: stop.signal,
      step: (name) => name === 'wrapped' && until.resolve(),
    })
    await until.promise
    const during = await backUp(`--to ${at('between')} --keys-to ${at('keys-between')}`)
    stop.abort()
    await finalising
    expect(during).toMatchObject({ status: 0, problem: '' })
    expect(fs.readdirSync(at('keys-between')).toSorted()).toEqual(['encryption-key', 'encryption-key.next'])
    fs.cpSync(at('keys-between'), at('between'), { recursive: true })
    expect(await usersIn(at('between'))).toHaveLength(11)
  })

  test.runIf(process.getuid?.() === 0)(
    'may be made by the owner of a stopped store, and by root too if the store is running',
    async () => {
      fs.chownSync(dataDir, 65_534, 65_534)
      try {
        expect(await backUp(`--to ${at('by-root')}`)).toMatchObject({ status: 0, problem: '' })
        await service.close()
        expect(await backUp(`--to ${at('foreign')}`)).toMatchObject({
          status: 1,
          problem: expect.stringContaining(
            `${dataDir} belongs to the user with the id 65534: run this command as that user.`,
          ),
        })
      } finally {
        fs.chownSync(dataDir, 0, 0)
      }
      service = await startTestService({ dataDir })
    },
  )
})
