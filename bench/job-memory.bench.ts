// Memory of all processes of a service, PostgreSQL's too, while it checks, imports and exports 100,000 users, above what
// they have while nothing is done. The file is stored by another process before.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { format, startJobs, storeUsersFile } from './jobs.ts'

const size = Number(process.env.ROWS ?? 100_000)
const config = readConfig({ LOG_LEVEL: 'silent', SAMPLE_DATA: '0', RATE_LIMIT: '0', ...process.env })
/** Time for which the service has nothing to do before it is looked at: its thread for jobs has ended by then. */
const restMs = 45_000
const [file] = process.argv.slice(2)
if (file === undefined) await measure()
else await serve(file)

/** Does the jobs that the parent process asks for, one after the other. */
async function serve(imported: string): Promise<void> {
  const database = await openDatabase(config.store, config.keys)
  const { post, waitForEnd, checkFile, applyFile, stop } = await startJobs(database, config)
  const exportAll = async () =>
    await waitForEnd(await post('/exports', { format: 'ndjson', entities: 'each', filter: { all: [] } }))
  const works: Readonly<Record<string, () => Promise<void>>> = {
    check: () => checkFile(imported, size),
    import: () => applyFile(imported),
    export: exportAll,
    async stop() {
      await stop()
      await database.close()
      process.disconnect?.()
    },
  }
  process.on('message', (name: string) => {
    const work = works[name] ?? (() => Promise.resolve())
    void work().then(() => process.connected && process.send?.('done'))
  })
  process.send?.('ready')
}

async function measure(): Promise<void> {
  const database = await openDatabase(config.store, config.keys)
  const job = await storeUsersFile(database, size)
  await database.close()
  const service = fork(import.meta.filename, [job])
  await once(service, 'message')
  const pid = service.pid ?? 0
  for (const name of ['check', 'import', 'export']) {
    await sleep(restMs)
    const idle = megabytesOf(pid)
    const done = once(service, 'message')
    service.send(name)
    let most = idle
    for (let isDone = false; !isDone;) {
      isDone = await Promise.race([done.then(() => true), sleep(250, false)])
      const now = megabytesOf(pid)
      if (now.all > most.all) most = now
    }
    console.log(
      `${name} of ${format(size)} users: ${format(most.all - idle.all)} MB above idle, ${format(most.service - idle.service)} of them of the service; idle ${format(idle.all)} MB, ${format(idle.service)} of them of the service`,
    )
  }
  const over = once(service, 'exit')
  service.send('stop')
  await over
}

/** Returns the memory of a process and of all below it, each shared page counted in parts. */
function megabytesOf(root: number): { readonly all: number; readonly service: number } {
  const parents = new Map(
    fs.readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [[Number(name), parentOf(name)]] : [])),
  )
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)))
  const all = [...parents.keys()].filter(isBelow).reduce((sum, pid) => sum + sizeOf(pid), 0)
  return { all: all / 1024, service: sizeOf(root) / 1024 }
}

function parentOf(pid: string): number | undefined {
  const found = /^PPid:\t(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Returns the proportional set size in kilobytes. */
function sizeOf(pid: number): number {
  return Number(/^Pss: +(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
}

/** Returns a file of the system; nothing if its process has ended. */
function read(name: string): string {
  try {
    return fs.readFileSync(name, 'utf8')
  } catch {
    return ''
  }
}
