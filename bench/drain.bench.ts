// Benchmarks a shutdown under load: the service receives SIGTERM while 16 clients write over keep-alive connections.
// Counts the outcomes of the requests. A request is cut off if it is neither answered nor refused a connection.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { seeConsoleBuilt } from '../server/build-console.ts'

const rounds = 21
const writers = 16
const port = 8897
const root = path.join(import.meta.dirname, '..')
const folder = mkdtempSync(path.join(tmpdir(), 'data-store-drain-'))
const environment = {
  ...process.env,
  PORT: String(port),
  DATA_DIR: folder,
  SAMPLE_DATA: '0',
  LOG_LEVEL: 'silent',
  RATE_LIMIT: '0',
}

await seeConsoleBuilt()
const outcomes = new Map<string, number>()
let longest = 0
try {
  for (let round = 0; round < rounds; round++) {
    const service = spawn(process.execPath, [path.join(root, 'server', 'main.ts')], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    while (!(await isReady())) await setTimeout(100)
    const token = spawnSync(
      process.execPath,
      [path.join(root, 'server', 'identity', 'print-token.ts'), '--role', 'steward'],
      { env: environment },
    )
      .stdout.toString()
      .trim()
    const running = Array.from({ length: writers }, () => writeUntilRefused(token))
    await setTimeout(300 + Math.random() * 700)
    const startedMs = performance.now()
    service.kill('SIGTERM')
    await Promise.all(running)
    await once(service, 'exit')
    longest = Math.max(longest, performance.now() - startedMs)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${rounds} rounds of ${writers} writers; the longest stop took ${Math.round(longest)} ms`)
for (const [outcome, count] of outcomes) console.log(`  ${outcome}: ${count}`)

async function writeUntilRefused(token: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let outcome = ''; outcome !== 'ECONNREFUSED';) {
    outcome = await write(agent, token)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  agent.destroy()
}

/** Sends one write. Resolves with the HTTP status, or with the error code if there is no response. */
function write(agent: Agent, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve) => {
    const sent = request(
      `http://127.0.0.1:${port}/api/users`,
      { method: 'POST', agent, headers },
      (response) => {
        response.resume()
        response.on('end', () => resolve(String(response.statusCode)))
        response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end('{}')
  })
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}
