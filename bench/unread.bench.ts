// Benchmarks clients that send requests without reading the responses: 300 connections with 200 pipelined requests
// each. Measures the service's memory, and the delay for other callers.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { seeConsoleBuilt } from '../server/build-console.ts'
import { percentile } from './application.ts'

const connections = 300
const requests = 200
const seconds = 25
const port = 8899
const root = path.join(import.meta.dirname, '..')

if (process.argv[2] === 'flood') await flood()
else await measure()

async function flood(): Promise<void> {
  const [, , , address = '/', token] = process.argv
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
  const one = `GET ${address} HTTP/1.1\r\nhost: localhost:${port}\r\n${authorization}\r\n`
  for (let count = 0; count < connections; count++) {
    const socket = connect(port, '127.0.0.1')
    // Without a `data` listener the socket reads nothing.
    socket.on('error', () => {})
    socket.write(one.repeat(requests))
  }
  await setTimeout(seconds * 1000)
  process.exit()
}

async function measure(): Promise<void> {
  await seeConsoleBuilt()
  const folder = mkdtempSync(path.join(tmpdir(), 'data-store-unread-'))
  const environment = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: folder,
    SAMPLE_DATA: '500',
    LOG_LEVEL: 'silent',
  }
  const service = spawn(process.execPath, [path.join(root, 'server', 'main.ts')], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    while (!(await isReady())) await setTimeout(200)
    const printToken = path.join(root, 'server', 'identity', 'print-token.ts')
    const tokenOf = (role: string) =>
      spawnSync(process.execPath, [printToken, '--role', role], { env: environment }).stdout.toString().trim()
    const token = tokenOf('support')
    const others = { '/livez': undefined, '/api/users': tokenOf('steward') }
    const aloneUntil = performance.now() + 8000
    const alone = await waits(others, () => performance.now() < aloneUntil)
    const memoryBefore = residentMegabytes(service.pid)
    console.log(`alone: ${format(alone)}, ${memoryBefore} MB`)
    for (const [address, sent] of [[largestFile()], ['/api/users', token]]) {
      console.log(`${connections} connections × ${requests} GET ${address}, nothing read:`)
      const args = ['flood', address ?? '', ...(sent === undefined ? [] : [sent])]
      const client = spawn(process.execPath, [import.meta.filename, ...args], { stdio: 'inherit' })
      let running = true
      client.on('close', () => (running = false))
      let memory = 0
      let open = 0
      const openBefore = openSockets(service.pid)
      const during = await waits(others, () => {
        memory = Math.max(memory, residentMegabytes(service.pid))
        if (running) open = openSockets(service.pid) - openBefore
        return running
      })
      console.log(`  ${format(during)}, at most ${memory} MB (+ ${memory - memoryBefore})`)
      console.log(`  ${Math.max(0, open)} of the connections still open after ${seconds} s`)
      await setTimeout(3000)
    }
  } finally {
    service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures the requests of other callers, in milliseconds: one after the other, 20 ms apart. */
async function waits(
  addresses: Readonly<Record<string, string | undefined>>,
  goOn: () => boolean,
): Promise<Record<string, number[]>> {
  const taken: Record<string, number[]> = {}
  await Promise.all(
    Object.entries(addresses).map(async ([address, token]) => {
      const times = (taken[address] = [] as number[])
      const init = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
      while (goOn()) {
        const begun = performance.now()
        await (await fetch(`http://127.0.0.1:${port}${address}`, init)).arrayBuffer()
        times.push(performance.now() - begun)
        await setTimeout(20)
      }
    }),
  )
  return taken
}

function format(taken: Record<string, number[]>): string {
  return Object.entries(taken)
    .map(([address, times]) => {
      const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1))
      return `${address} p50 ${p50} p99 ${p99} most ${most} ms`
    })
    .join(', ')
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}

/** Returns the resident memory of a process in MB, from Linux's `statm`, which counts 4 kB pages. */
function residentMegabytes(pid: number | undefined): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
  return Math.round((Number(pages) * 4096) / 1e6)
}

function openSockets(pid: number | undefined): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(path.join(folder, name)).startsWith('socket:')
    } catch {
      return false
    }
  }).length
}

function largestFile(): string {
  const names = readdirSync(path.join(root, 'dist', 'assets')).filter((name) => name.endsWith('.js'))
  const size = (name: string) => statSync(path.join(root, 'dist', 'assets', name)).size
  const [largest] = names.toSorted((a, b) => size(b) - size(a))
  if (largest === undefined) throw new Error('There is no script in dist/assets.')
  return `/assets/${largest}`
}
