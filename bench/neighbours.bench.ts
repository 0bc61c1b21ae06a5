// One caller beside another: how long `GET /users/{id}` and `/livez` take alone, and while one subject of the weakest role
// sends what is dear, eight at a time. The service runs in a process of its own, with its own sign-in.
// Fill the store first: npm run load -- --users 200000
import { spawn } from 'node:child_process'
import path from 'node:path'

import type { Role, UserList } from '#contract/index.ts'
import { scriptClientId, scriptClientSecret } from '#server/identity/accounts.ts'
import { percentile } from './application.ts'

const seconds = Number(process.env.SECONDS ?? 30)
const atOnce = 8
const port = Number(process.env.PORT ?? 8397)
const base = `http://127.0.0.1:${port}`

/** Requests that are dear for the service or its database, all of which the weakest role may send. */
const dear: Readonly<Record<string, object>> = {
  'a search with typing mistakes': { q: 'maximillian muster' },
  // The most tests and operands that are allowed, none of which anybody has: under `any` each is made.
  'a filter of 50 tests with 100 values each': {
    filter: {
      any: Array.from({ length: 50 }, (_, test) => ({
        entity: 'person',
        where: [
          {
            key: 'city',
            type: 'TEXT',
            op: 'in',
            value: Array.from({ length: 100 }, (__, value) => `nowhere ${test} ${value}`),
          },
        ],
      })),
    },
  },
}

const service = spawn(process.execPath, [path.join(import.meta.dirname, '../server/main.ts')], {
  env: { ...process.env, PORT: String(port), LOG_LEVEL: 'error', RATE_LIMIT: '1000000' },
  stdio: ['ignore', 'ignore', 'inherit'],
})
try {
  await answering()
  const [neighbour, sender] = [await tokenOf('steward'), await tokenOf('support')]
  const { users } = (await (await get('/api/users', neighbour)).json()) as UserList
  const id = users[0]?.id ?? ''

  console.log(`${seconds} s each, milliseconds\n`)
  console.log('| beside | asked | answers | p50 | p99 | longest | not 200 |')
  console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: |')
  await measured('nobody', id, neighbour)
  for (const [name, body] of Object.entries(dear)) {
    let isOver = false
    const statuses: Record<number, number> = {}
    const senders = Array.from({ length: atOnce }, async () => {
      while (!isOver) {
        const status = await search(sender, body)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    })
    await measured(name, id, neighbour)
    isOver = true
    await Promise.all(senders)
    console.log(`| | answers to it by status: ${JSON.stringify(statuses)} |`)
  }
} finally {
  service.kill()
  await new Promise((resolve) => service.once('exit', resolve))
}

async function measured(beside: string, id: string, token: string): Promise<void> {
  const until = performance.now() + seconds * 1000
  const lines = await Promise.all(
    [`/api/users/${id}`, '/livez'].map(async (address) => {
      const times: number[] = []
      let refused = 0
      while (performance.now() < until) {
        const started = performance.now()
        const response = await get(address, token)
        await response.arrayBuffer()
        times.push(performance.now() - started)
        if (response.status !== 200) refused += 1
      }
      const name = address.startsWith('/api') ? 'GET /users/{id}' : address
      const shown = [percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)].map((ms) =>
        ms.toFixed(1),
      )
      return `| ${beside} | ${name} | ${times.length} | ${shown.join(' | ')} | ${refused} |`
    }),
  )
  for (const line of lines) console.log(line)
}

async function search(token: string, body: object): Promise<number> {
  const response = await fetch(`${base}/api/users/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

function get(address: string, token: string): Promise<Response> {
  return fetch(base + address, { headers: { authorization: `Bearer ${token}` } })
}

async function answering(): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    if (service.exitCode !== null) throw new Error('The service ended.')
    await new Promise((resolve) => setTimeout(resolve, 100))
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
