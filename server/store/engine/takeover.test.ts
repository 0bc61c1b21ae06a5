// Tests that remains in a data folder after crashes are taken over or removed, and that only one process ever has the
// folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import {
  clusterOf,
  commandOf,
  contentsOf,
  emptyStores,
  kill,
  open,
  postmasterOf,
  processesIn,
  waitUntilGone,
} from '../../testing/embedded.ts'
import { openFolder } from './embedded.ts'

const stores = emptyStores()
const waiting = { timeout: 30_000, interval: 5 }
const isRoot = process.getuid?.() === 0

describe.runIf(process.platform === 'linux')('after a kill', () => {
  it('a folder is free within a second of the end of its service', async () => {
    const folder = stores.copy()
    const service = open(folder)
    await service.found
    const commands = processesIn(clusterOf(folder)).map(commandOf)
    expect(commands).toContainEqual(expect.stringMatching(/^\/bin\/sh /))
    expect(commands).toContainEqual(expect.stringMatching(/bin\/postgres -D/))
    await service.kill()
    // PostgreSQL should end within a second; the rest allows for a busy machine.
    expect(await waitUntilGone(clusterOf(folder))).toBeLessThan(5_000)
  })

  /** Leaves a PostgreSQL that outlives its service, by first killing the reader that would end it. */
  const leaveOrphan = async (folder: string) => {
    const service = open(folder, { name: 'first', writers: 4 })
    await service.says('wrote', 20)
    const cluster = clusterOf(folder)
    for (const pid of processesIn(cluster)) if (commandOf(pid).startsWith('/bin/sh')) kill(pid)
    const orphan = postmasterOf(cluster)
    onTestFinished(() => kill(orphan))
    await service.kill()
    expect(processesIn(cluster)).toContain(orphan)
    return { orphan, refs: service.said.wrote }
  }

  it.each([
    ['the next service', []],
    // Root in Docker lacks this capability, so it cannot see in which folders other accounts' processes work.
    ['the root of a container', ['setpriv', '--bounding-set=-sys_ptrace', '--inh-caps=-sys_ptrace']],
  ])('a PostgreSQL that has outlived its service is ended by %s', async (_, prefix) => {
    if (prefix.length > 0 && !isRoot) return
    const folder = stores.copy()
    const { orphan, refs } = await leaveOrphan(folder)
    const next = open(folder, { prefix })
    expect((await next.found).refs).toEqual(expect.arrayContaining(refs))
    expect(processesIn(clusterOf(folder))).not.toContain(orphan)
  })

  it('a PostgreSQL that has outlived its service is ended though another one is the last process of all', async ({
    skip,
  }) => {
    const lastPid = '/proc/sys/kernel/ns_last_pid'
    if (!isRoot || !fs.existsSync(lastPid)) return skip()
    const folder = stores.copy()
    const { orphan } = await leaveOrphan(folder)
    // Another database of the machine, as far as a list of processes tells, which sorts them as texts.
    const other = path.join(stores.copy(), 'postgres')
    fs.copyFileSync('/bin/sleep', other)
    // Another process that begins at the same time may take the pid.
    const decoy = await vi.waitFor(
      () => {
        fs.writeFileSync(lastPid, '9998')
        const process = spawn(other, ['600'], { cwd: path.dirname(other), stdio: 'ignore' })
        onTestFinished(() => void process.kill('SIGKILL'))
        const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
        expect(pids.toSorted().at(-1)).toBe(String(process.pid))
        return process
      },
      { timeout: 60_000 },
    )
    await open(folder).found
    expect(processesIn(clusterOf(folder))).not.toContain(orphan)
    expect(decoy.exitCode).toBeNull()
  })

  it('a service opens no store beside a PostgreSQL that it cannot see', async ({ skip }) => {
    if (!isRoot) return skip()
    const folder = stores.copy()
    const { orphan, refs } = await leaveOrphan(folder)
    const apart = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
    expect(await open(folder, { prefix: apart }).complaint()).toContain(
      `The data folder ${folder} is in use by another process (PostgreSQL, pid ${orphan} in ${clusterOf(folder)}/postmaster.pid).`,
    )
    expect(processesIn(clusterOf(folder))).toContain(orphan)
    expect((await contentsOf(folder)).refs).toEqual(expect.arrayContaining(refs))
  })

  it('files that name a process are of another program, and do not hinder the start', async () => {
    const folder = stores.copy()
    const service = open(folder)
    await service.found
    const cluster = clusterOf(folder)
    const { uid, gid } = fs.statSync(cluster)
    processesIn(cluster).forEach(kill)
    await service.kill()
    await waitUntilGone(cluster)
    // PostgreSQL trusts the pid in a file if a process of its own account has that number.
    const other = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' })
    onTestFinished(() => void other.kill('SIGKILL'))
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      const file = path.join(cluster, name)
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^\d+/, String(other.pid)))
    }
    expect(await contentsOf(folder)).toMatchObject({ refs: [] })
    expect(other.exitCode).toBeNull()
  })

  it('the file that names a process is empty, as a power cut leaves it, and does not hinder the start', async () => {
    const folder = stores.copy()
    fs.writeFileSync(path.join(clusterOf(folder), 'postmaster.pid'), '')
    expect(await contentsOf(folder)).toMatchObject({ refs: [] })
  })

  it('during an upgrade, the copies of personal data that it left are removed by the next start', async () => {
    const folder = stores.copy()
    const left = path.join(folder, 'upgrading')
    fs.cpSync(clusterOf(folder), path.join(left, 'postgresql'), { recursive: true })
    fs.mkdirSync(path.join(left, 'pg-copy'))
    const { uid, gid } = fs.statSync(clusterOf(folder))
    const busy = path.join(left, 'postgres')
    fs.copyFileSync('/bin/sleep', busy)
    const orphan = spawn(busy, ['600'], { cwd: path.join(left, 'postgresql'), uid, gid, stdio: 'ignore' })
    onTestFinished(() => void orphan.kill('SIGKILL'))
    const ended = once(orphan, 'exit')
    expect(await contentsOf(folder)).toMatchObject({ refs: [] })
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(fs.readdirSync(folder).toSorted()).toEqual(['lock', 'postgresql', 'reserve'])
  })

  it('and with the clock an hour back a folder is opened', async () => {
    const folder = stores.copy()
    const service = open(folder, { writers: 4 })
    await service.says('wrote', 20)
    const cluster = clusterOf(folder)
    processesIn(cluster).forEach(kill)
    await service.kill()
    const inAnHour = Date.now() / 1000 + 3600
    const pidFile = path.join(cluster, 'postmaster.pid')
    const [pid, at, , ...others] = fs.readFileSync(pidFile, 'utf8').split('\n')
    fs.writeFileSync(pidFile, [pid, at, Math.round(inAnHour), ...others].join('\n'))
    for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (!name.includes('.s.PGSQL')) fs.utimesSync(path.join(folder, name), inAnHour, inAnHour)
    expect((await contentsOf(folder)).refs).toEqual(expect.arrayContaining(service.said.wrote))
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s while a database is made, another one is made',
    async (signal) => {
      const folder = stores.none()
      const first = open(folder)
      const unfinished = `${clusterOf(folder)}.new`
      await vi.waitFor(() => expect(fs.existsSync(path.join(unfinished, 'PG_VERSION'))).toBe(true), waiting)
      await first.kill(signal)
      await waitUntilGone(unfinished)
      expect(fs.existsSync(clusterOf(folder))).toBe(false)
      expect(await contentsOf(folder)).toMatchObject({ refs: [] })
      expect(fs.existsSync(unfinished)).toBe(false)
    },
  )
})

describe.runIf(process.platform === 'linux')('a recovery', () => {
  let crashed: string
  beforeAll(async () => {
    crashed = stores.copy()
    const postgres = await openFolder(crashed, { failed() {} })
    const client = new Client(postgres.address)
    client.on('error', () => {})
    await client.connect()
    await client.query('checkpoint')
    await client.query(
      'insert into users (id, created, since) select gen_random_uuid(), now(), now() from generate_series(1, 150000)',
    )
    const all = processesIn(clusterOf(crashed))
    const closed = postgres.close()
    all.forEach(kill)
    await closed
    await waitUntilGone(clusterOf(crashed))
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)('that ends by %s is done by the next start', async (signal) => {
    const folder = stores.copy(undefined, crashed)
    const cluster = clusterOf(folder)
    const first = open(folder)
    const recovers = () =>
      processesIn(cluster)
        .map(commandOf)
        .some((command) => command.includes(': startup'))
    await vi.waitFor(() => expect(recovers()).toBe(true), waiting)
    await first.kill(signal)
    expect(await waitUntilGone(cluster)).toBeLessThan(5_000)
    expect((await contentsOf(folder)).counted).toBe(150_000)
  })

  it('that is under way when its service is asked to stop is waited for, and leaves nothing running', async () => {
    const folder = stores.copy(undefined, crashed)
    const failures: string[] = []
    const postgres = await openFolder(folder, { failed: ({ name }) => void failures.push(name) })
    kill(postmasterOf(clusterOf(folder)))
    await vi.waitFor(() => expect(failures).toContain('ServerEnded'), waiting)
    await postgres.close()
    await waitUntilGone(clusterOf(folder))
    const next = await openFolder(folder, { failed() {} })
    await next.close()
  })
})

describe('two services', () => {
  const refusal = (folder: string) => `The data folder ${folder} is in use by another process (pid `

  it('do not have one folder: the second is refused, and the first one is not disturbed', async () => {
    const folder = stores.copy()
    const first = open(folder, { name: 'first', writers: 4 })
    await first.says('wrote', 1)
    expect(await open(folder).complaint()).toContain(refusal(folder))
    await first.says('wrote', 20)
    expect(first.said).toMatchObject({ failed: [], told: [] })
  })

  it('that begin at once in a folder that is not there yet are one, and one that is refused', async () => {
    const folder = stores.none()
    const both = [open(folder), open(folder)]
    const outcomes = await Promise.allSettled(both.map(({ found }) => found))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = both[outcomes.findIndex(({ status }) => status === 'rejected')]
    expect(await refused?.complaint()).toContain(refusal(folder))
  })
})
