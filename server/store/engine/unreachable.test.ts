// Tests that a PostgreSQL which lives and cannot be reached is ended and started again.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import {
  clusterOf,
  commandOf,
  contentsOf,
  emptyStores,
  kill,
  open,
  pause,
  postmasterOf,
  processesIn,
  waitUntilGone,
} from '../../testing/embedded.ts'
import { openFolder } from './embedded.ts'

const stores = emptyStores()

const stop = (pids: readonly number[]) => {
  onTestFinished(() => pids.forEach(kill))
  pids.forEach(pause)
}
const removeSocket = (cluster: string) => fs.rmSync(path.join(cluster, '.s.PGSQL.5432'))
const stopFirst = (cluster: string) => stop([postmasterOf(cluster)])
const isPostgres = (pid: number) => /^\S+bin\/postgres |^postgres:/.test(commandOf(pid))
const stopAll = (cluster: string) => stop(processesIn(cluster).filter(isPostgres))
const harms = [
  ['its socket is removed', removeSocket],
  ['its first process is stopped', stopFirst],
  ['all of its processes are stopped', stopAll],
] as const

describe.runIf(process.platform === 'linux')('PostgreSQL is ended by force', () => {
  it.each(harms)('and started again when %s, and keeps what it has acknowledged', async (_, harm) => {
    const folder = stores.copy()
    const writer = open(folder, { name: 'writer', writers: 4 })
    await writer.says('wrote', 20)
    const first = postmasterOf(clusterOf(folder))
    harm(clusterOf(folder))
    await writer.says('told', 1)
    await writer.says('wrote', 20)
    expect(postmasterOf(clusterOf(folder))).not.toBe(first)
    expect(writer.said.told).toEqual(['ServerEnded'])
    await writer.kill()
    const refs = new Set((await contentsOf(folder)).refs)
    expect(writer.said.wrote.filter((ref) => !refs.has(ref))).toEqual([])
  })

  it.each(harms)('when it is to stop, though %s', async (_, harm) => {
    const folder = stores.copy()
    const postgres = await openFolder(folder, { failed() {} })
    harm(clusterOf(folder))
    const beganMs = performance.now()
    await postgres.close(1_000)
    expect(performance.now() - beganMs).toBeLessThan(8_000)
    await waitUntilGone(clusterOf(folder))
  })

  it('when it stops answering while it starts', async () => {
    const folder = stores.copy()
    const cluster = clusterOf(folder)
    const opening = openFolder(folder, { failed() {} }).then(
      () => 'opened',
      (error: Error) => error.message,
    )
    // The file is there from the first moment on, and says later that the start is done.
    await vi.waitFor(() => expect(fs.existsSync(path.join(cluster, 'postmaster.pid'))).toBe(true), {
      interval: 1,
    })
    stop([postmasterOf(cluster)])
    expect(await opening).toMatch(
      /could not be started \(it could not be reached any more, and was stopped\)/,
    )
    expect(await contentsOf(folder)).toMatchObject({ refs: [] })
  })
})
