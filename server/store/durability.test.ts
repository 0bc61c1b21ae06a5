import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import type { Found } from './durability-writer.ts'

const rounds = 20
let root: string
let dataDir: string

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-'))
  dataDir = path.join(root, 'data')
})
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

it('opens after a kill while the folder was being made', async () => {
  const writer = startWriter('unborn')
  await vi.waitFor(() => expect(fs.existsSync(path.join(dataDir, 'pg.new', 'PG_VERSION'))).toBe(true), {
    timeout: 60_000,
    interval: 5,
  })
  await writer.kill()
  expect(fs.existsSync(path.join(dataDir, 'pg'))).toBe(false)

  const second = startWriter('born')
  await second.acknowledges(1)
  await second.kill()
})

it(`keeps every acknowledged write, with its event, through ${rounds} kills`, async () => {
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    const writer = startWriter(`round${round}`)
    check(await writer.found, acknowledged)
    await writer.acknowledges(1 + Math.floor(Math.random() * 300))
    await writer.kill()
    acknowledged.push(...writer.acknowledged)
  }
  const last = startWriter('last')
  check(await last.found, acknowledged)
  await last.kill()
  expect(acknowledged.length).toBeGreaterThan(rounds)
})

it('refuses a second process while the first has the folder, and disturbs nothing', async () => {
  const first = startWriter('first')
  await first.acknowledges(1)

  const second = startWriter('second')
  await expect(second.found).rejects.toThrow('ended')
  expect(second.complaint()).toContain(
    `The data folder ${dataDir} is in use by another process. ` +
      'Stop that process, or set DATA_DIR to another folder.',
  )
  await first.acknowledges(first.acknowledged.length + 20)
  await first.kill()

  const third = startWriter('third')
  check(await third.found, first.acknowledged)
  await third.kill()
})

function check(found: Found, acknowledged: string[]) {
  const refs = new Set(found.refs)
  expect(acknowledged.filter((ref) => !refs.has(ref))).toEqual([])
  expect(found).toMatchObject({ usersWithoutEvent: 0, eventsWithoutUser: 0, counted: refs.size })
}

function startWriter(name: string) {
  // --liftoff-only: no optimized WebAssembly for a process that lives for a second, half the CPU time per round
  const child = spawn(
    process.execPath,
    ['--liftoff-only', path.join(import.meta.dirname, 'durability-writer.ts'), dataDir, name],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (text) => (errors += text))
  const exited = once(child, 'close')
  const acknowledged: string[] = []
  let more = Promise.withResolvers<void>()
  const found = Promise.withResolvers<Found>()
  // a writer that is killed early has nobody waiting for what it found
  found.promise.catch(() => {})
  createInterface(child.stdout).on('line', (line) => {
    if (line.startsWith('found ')) found.resolve(JSON.parse(line.slice('found '.length)) as Found)
    else acknowledged.push(line)
    more.resolve()
    more = Promise.withResolvers()
  })
  const ended = exited.then(() => {
    const error = new Error(`The writer ended: ${errors}`)
    found.reject(error)
    throw error
  })
  ended.catch(() => {})

  return {
    found: found.promise,
    acknowledged,
    complaint: () => errors,
    async acknowledges(count: number) {
      while (acknowledged.length < count) await Promise.race([more.promise, ended])
    },
    /** At a moment of its own, not right after an acknowledgement. What was acknowledged is complete afterwards. */
    async kill() {
      await setTimeout(Math.random() * 10)
      child.kill('SIGKILL')
      await exited
    },
  }
}
