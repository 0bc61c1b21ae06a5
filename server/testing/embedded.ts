// Helpers for tests of an embedded store: folders, processes that have one open, and PostgreSQL's processes.
import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'

import { asRefusal } from '../http/errors/problem.ts'
import { openStore } from '../store/store.ts'
import { type StoreContents, look } from './writer.ts'

/** Makes one empty store for a test file. Each test gets a copy, because making a store takes a second or two. */
export function emptyStores() {
  let root: string
  let copies = 0
  beforeAll(async () => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-'))
    // If the tests run as root, PostgreSQL runs as another account, which must be able to pass through.
    fs.chmodSync(root, 0o755)
    const { store } = await openStore({ dataDir: path.join(root, 'empty') }, () => Promise.resolve())
    await store.close()
  })
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
  return {
    copy(to = path.join(root, `${++copies}`), from = path.join(root, 'empty')): string {
      fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true })
      return to
    },
    /** Returns the path of a folder that does not exist yet. */
    none: () => path.join(root, `${++copies}`),
  }
}

export const clusterOf = (folder: string): string => path.join(folder, 'postgresql')

/**
 * Returns the pids of the processes that work in a cluster: PostgreSQL's own and the shell that ends it. Excludes
 * processes that have ended but were not reaped.
 */
export function processesIn(cluster: string): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => {
      try {
        return /^\d+$/.test(name) && fs.readlinkSync(`/proc/${name}/cwd`) === cluster
      } catch {
        return false
      }
    })
    .map(Number)
}

export const commandOf = (pid: number): string =>
  fs.existsSync(`/proc/${pid}`) ? fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') : ''

/** Waits until no process works in a cluster any more, and returns how many milliseconds that took. */
export async function waitUntilGone(cluster: string): Promise<number> {
  const startMs = performance.now()
  await vi.waitFor(
    () => {
      const left = processesIn(cluster)
      if (left.length > 0) throw new Error(`There runs still: ${left.map(commandOf).join('\n')}`)
    },
    { timeout: 30_000, interval: 10 },
  )
  return performance.now() - startMs
}

export const postmasterOf = (cluster: string): number =>
  Number.parseInt(fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8'), 10)

export const childrenOf = (pid: number): number[] =>
  fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Returns the contents of a store, which it opens in this process and closes again. */
export async function contentsOf(folder: string): Promise<StoreContents> {
  const { store } = await openStore({ dataDir: folder }, () => Promise.resolve())
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

/** Cache for the compiled code of the processes that `open` starts, so that each file is compiled once. */
export const compileCache = path.join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'data-store')

/** Returns the status that the service would answer for an error; the stack of an unknown error. */
function statusOf(error: string): string {
  const { stack, message, ...fields } = JSON.parse(error) as Error
  return String(asRefusal(Object.assign(new Error(message), fields))?.status ?? stack)
}

export type Opener = ReturnType<typeof open>

/** Starts a process that opens the store with the given number of writers. `prefix` is a command to start it with. */
export function open(
  folder: string,
  {
    name = 'none',
    writers = 0,
    prefix = [],
    ...options
  }: { name?: string; writers?: number; prefix?: readonly string[] } & SpawnOptions = {},
) {
  const file = path.join(import.meta.dirname, 'writer.ts')
  const command = [...prefix, process.execPath, file, folder, name, String(writers)]
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache, ...options.env }
  const child = spawn(command[0] ?? '', command.slice(1), {
    ...options,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('A child has no pipes')
  onTestFinished(() => void child.kill('SIGKILL'))
  let complaint = ''
  stderr.on('data', (text) => (complaint += text))
  const exited = once(child, 'close')
  const said = { wrote: [] as string[], failed: [] as string[], told: [] as string[] }
  let more = Promise.withResolvers<void>()
  const found = Promise.withResolvers<StoreContents>()
  createInterface(stdout).on('line', (line) => {
    const [, kind = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? []
    if (kind === 'found') found.resolve(JSON.parse(rest) as StoreContents)
    else if (kind === 'failed') said.failed.push(statusOf(rest))
    else said[kind as 'wrote' | 'told'].push(rest)
    more.resolve()
    more = Promise.withResolvers()
  })
  const ended = exited.then(() => {
    throw new Error(`It ended: ${complaint}`)
  })
  const opened = Promise.race([found.promise, ended])
  for (const promise of [ended, opened]) promise.catch(() => {})
  return {
    /** Users and events that existed when the store was opened. */
    found: opened,
    said,
    pid: child.pid,
    /** Waits until the process has reported that kind of message `times` more times. */
    async says(kind: keyof typeof said, times: number): Promise<void> {
      const count = said[kind].length + times
      while (said[kind].length < count) await Promise.race([more.promise, ended])
    },
    /** Resolves with the error output of the process when it has ended. */
    complaint: () => exited.then(() => complaint.trim()),
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Kills the process; everything it reported is available afterwards. */
    async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      child.kill(signal)
      await exited
    },
  }
}

function signal(pid: number, name: 'SIGKILL' | 'SIGSTOP'): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended by itself.
  }
}

export const kill = (pid: number): void => signal(pid, 'SIGKILL')

export const pause = (pid: number): void => signal(pid, 'SIGSTOP')

/** Waits for a random moment, so that a test does not always continue right after an acknowledgement. */
export const anyMoment = (): Promise<void> => setTimeout(Math.random() * 10)
