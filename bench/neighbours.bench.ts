// Benchmarks isolation between callers: how long `GET /users/{id}` and `/livez` take alone, and while another caller
// with the weakest sufficient role sends dear or refused requests, eight at a time. The service runs in a separate
// process with its own sign-in. Fill the store first: npm run load -- --users 50000
//
// SECONDS  for how long each is measured (6)
// ONLY     only requests whose description matches this pattern
// SERVICE  folder of another tree whose service is to be measured, such as one of the last release
import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

import type { Role, UserList } from '#contract/index.ts'
import { scriptClientId, scriptClientSecret } from '#server/identity/accounts.ts'
import { percentile } from './application.ts'
import { type Dear, dearest, refused } from './neighbour-requests.ts'
import type { Sending } from './neighbour-sender.ts'
import { prepareStore } from './neighbour-store.ts'

const seconds = Number(process.env.SECONDS ?? 6)
const atOnce = 8
const port = Number(process.env.PORT ?? 8397)
const base = `http://127.0.0.1:${port}`
/** How many times as long as alone others may wait: half of them, and all but one in a hundred. */
const aim = { p50: 4, p99: 6 }
const agent = new Agent({ keepAlive: true })

/** Token of nobody: well formed, and signed with no key. */
const forged = [{ alg: 'ES256', typ: 'at+jwt' }, { sub: 'x', exp: 9e9 }, 'x'.repeat(64)]
  .map((part) => Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url'))
  .join('.')

type Times = readonly [user: readonly number[], livez: readonly number[]]

const prepared = await prepareStore()
const service = start(process.env.SERVICE ?? path.join(import.meta.dirname, '..'))
try {
  await answering()
  // The neighbour is a separate subject that sends no expensive requests.
  const neighbour = await tokenOf('admin')
  const { users } = (await (
    await fetch(`${base}/api/users`, { headers: { authorization: `Bearer ${neighbour}` } })
  ).json()) as UserList
  const ids = users.map(({ id }) => id)
  const measured = (forSeconds: number) => measure(ids[0] ?? '', neighbour, forSeconds)

  console.log(`${seconds} s each, milliseconds, and how many times as long as alone just before and after\n`)
  console.log('| beside | asked | answers | p50 | p99 | times alone: p50 | p99 | answers to it |')
  console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |')
  let alone = await measured(seconds)
  const only = new RegExp(process.env.ONLY ?? '')
  const chosen = Object.entries({ ...dearest(ids, prepared), ...refused(ids, prepared) }).filter(([name]) =>
    only.test(name),
  )
  for (const [name, dear] of chosen) {
    const stop = await sending(dear)
    const beside = await measured(seconds)
    const statuses = await stop()
    const after = await measured(seconds / 2)
    print(
      name,
      beside,
      [
        [...alone[0], ...after[0]],
        [...alone[1], ...after[1]],
      ],
      JSON.stringify(statuses),
    )
    alone = after
  }
} finally {
  agent.destroy()
  const ended = new Promise((resolve) => service.once('exit', resolve))
  if (service.kill()) await ended
}

function print(name: string, beside: Times, alone: Times, statuses: string): void {
  for (const [at, asked] of ['GET /users/{id}', '/livez'].entries()) {
    const times = beside[at] ?? []
    const shown = (['p50', 'p99'] as const).map((which) => {
      const share = which === 'p50' ? 0.5 : 0.99
      const ms = percentile(times, share)
      const ratio = ms / percentile(alone[at] ?? [], share)
      return [ms.toFixed(1), ratio > aim[which] ? `**${ratio.toFixed(1)}**` : ratio.toFixed(1)] as const
    })
    const columns = [...shown.map(([ms]) => ms), ...shown.map(([, ratio]) => ratio)].join(' | ')
    console.log(`| ${name} | ${asked} | ${times.length} | ${columns} | ${statuses} |`)
  }
}

/** Asks both, one request at a time each. Throws if an answer is not 200. */
async function measure(id: string, token: string, forSeconds: number): Promise<Times> {
  const until = performance.now() + forSeconds * 1000
  const [user = [], livez = []] = await Promise.all(
    [`/api/users/${id}`, '/livez'].map(async (address) => {
      const times: number[] = []
      while (performance.now() < until) {
        const started = performance.now()
        const status = await statusOf(address, token)
        times.push(performance.now() - started)
        if (status !== 200) throw new Error(`${address} answered ${status}`)
        // Waits, so that the neighbour stays below the rate limit.
        await sleep(20)
      }
      return times
    }),
  )
  return [user, livez]
}

function statusOf(address: string, token: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(base + address, { agent, headers: { authorization: `Bearer ${token}` } }, (response) =>
      response.once('end', () => resolve(response.statusCode)).resume(),
    ).once('error', reject)
  })
}

/** Begins to send; returns the function that ends it and resolves with the number of answers by status. */
async function sending({ as = 'support', impatient, ...sent }: Dear) {
  const workerData: Sending = {
    ...sent,
    port,
    atOnce,
    token: as === 'nobody' ? undefined : as === 'somebody with another token' ? forged : await tokenOf(as),
    isPatient: !impatient,
  }
  const sender = new Worker(new URL('neighbour-sender.ts', import.meta.url), { workerData })
  await new Promise((resolve) => sender.once('online', resolve))
  return () =>
    new Promise((resolve, reject) => {
      sender.once('message', resolve).once('error', reject)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      sender.postMessage('stop')
    })
}

function start(folder: string): ChildProcess {
  return spawn(process.execPath, [path.join(folder, 'server/main.ts')], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function answering(): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    if (service.exitCode !== null) throw new Error('The service ended.')
    await sleep(100)
  }
}

async function tokenOf(role: Role): Promise<string> {
  const response = await fetch(`${base}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: scriptClientId(role),
      client_secret: scriptClientSecret,
    }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}
