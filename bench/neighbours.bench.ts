// Benchmarks isolation between callers: how long `GET /users/{id}` and `/livez` take alone, and while another caller
// with the weakest sufficient role sends expensive requests, eight at a time. The service runs in a separate process
// with its own sign-in. Fill the store first: npm run load -- --users 200000
import { spawn } from 'node:child_process'
import path from 'node:path'

import type { Role, UserList } from '#contract/index.ts'
import { scriptClientId, scriptClientSecret } from '#server/identity/accounts.ts'
import { percentile } from './application.ts'

const seconds = Number(process.env.SECONDS ?? 30)
const atOnce = 8
const port = Number(process.env.PORT ?? 8397)
const base = `http://127.0.0.1:${port}`

interface Dear {
  /** Weakest role that may send the request; defaults to support. */
  readonly role?: Role
  readonly path: string
  readonly body?: object
}

const words = (count: number, of: string) => Array.from({ length: count }, (_, at) => `${of} ${at}`)

/**
 * A filter with the maximum number of tests and operands, none of which matches. Under `any`, every test is therefore
 * evaluated.
 */
const manyTests = {
  any: words(50, 'nowhere').map((of) => ({
    entity: 'address',
    where: [{ key: 'city', type: 'TEXT', op: 'in', value: words(20, of) }],
  })),
}
/** A filter that no index can answer: every candidate has to be inspected, and none matches. */
const nobody = {
  all: [
    { user: 'name', op: 'contains', value: 'zzz' },
    {
      entity: 'car',
      where: [{ key: 'price', type: 'CURRENCY', op: 'gte', value: { currency: 'EUR', value: '1' } }],
    },
    { not: { entity: 'address', where: [{ key: 'city', type: 'TEXT', op: 'contains', value: 'o' }] } },
  ],
}
const columns = [
  'person.birthday',
  'person.newsletter',
  'address.city',
  'address.country',
  'car.brand',
  'car.price',
]
const tenYears = 'from=2016-12-01T00:00:00Z&to=2026-12-01T00:00:00Z'

/** Returns the most expensive allowed requests that are known, by description. */
function dearest(users: UserList['users']): Readonly<Record<string, Dear>> {
  const [id] = users.map((user) => user.id)
  return {
    'a search with typing mistakes': { path: '/users/search', body: { q: 'maximillian muster' } },
    'a search of eight letters': { path: '/users/search', body: { q: 'a e i o u m s t' } },
    'a filter of 50 tests with many values': { path: '/users/search', body: { filter: manyTests } },
    'the same, explained': { path: `/users/${id}/explain`, body: { filter: manyTests } },
    'the same, previewed': { path: '/segments/preview', body: { filter: manyTests } },
    'a filter that nobody passes': { path: '/users/search', body: { filter: nobody } },
    'the same, by name': { path: '/users/search', body: { filter: nobody, sort: 'name' } },
    'all users by name, with columns': { path: '/users/search', body: { sort: 'name', columns } },
    'fifty users with columns': {
      path: '/users/lookup',
      body: { ids: users.slice(0, 50).map((user) => user.id), columns },
    },
    'the segments of a user, explained': { path: `/users/${id}/segments?explain=true` },
    'all keys': { path: '/keys' },
    'the dictionary': { path: '/dictionary' },
    'counts of ten years of events': { path: `/events/counts?${tenYears}&by=month` },
    'events that there are not': {
      path: '/events?order=desc&type=SEGMENT_DELETED&delivery=failed&with=delivery',
    },
    'the audit of a key that nobody has': { role: 'steward', path: '/audit?key=nowhere' },
    'who did what in a year': {
      role: 'steward',
      path: '/audit/actors?from=2025-12-01T00:00:00Z&to=2026-12-01T00:00:00Z',
    },
    'a change of everybody, tried': {
      role: 'steward',
      path: '/users/batch',
      body: {
        filter: nobody,
        set: { entity: 'person', key: 'bench', type: 'TEXT', value: 'x' },
        dryRun: true,
      },
    },
  }
}

const service = spawn(process.execPath, [path.join(import.meta.dirname, '../server/main.ts')], {
  env: { ...process.env, PORT: String(port), LOG_LEVEL: 'error' },
  stdio: ['ignore', 'ignore', 'inherit'],
})
try {
  await answering()
  // The neighbour is a separate subject that sends no expensive requests.
  const neighbour = await tokenOf('admin')
  const { users } = (await (await get('/api/users', neighbour)).json()) as UserList
  const id = users[0]?.id ?? ''

  console.log(`${seconds} s each, milliseconds; of what is dear, answers by status\n`)
  console.log('| beside | asked | answers | p50 | p99 | longest | not 200 | answers to it |')
  console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |')
  await measured('nobody', id, neighbour, () => '')
  const chosen = Object.entries(dearest(users)).filter(([name]) => name.includes(process.env.ONLY ?? ''))
  for (const [name, { role = 'support', path: below, body }] of chosen) {
    const sender = await tokenOf(role)
    let isOver = false
    const statuses: Record<string, number> = {}
    const senders = Array.from({ length: atOnce }, async () => {
      while (!isOver) {
        const status = await send(sender, below, body)
        statuses[status] = (statuses[status] ?? 0) + 1
        // A well-behaved client waits after a 429. One that does not is refused as fast as it asks.
        if (status === 429) await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })
    await measured(name, id, neighbour, () => JSON.stringify(statuses))
    isOver = true
    await Promise.all(senders)
  }
} finally {
  service.kill()
  await new Promise((resolve) => service.once('exit', resolve))
}

async function measured(beside: string, id: string, token: string, answers: () => string): Promise<void> {
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
        // Waits, so that the neighbour stays below the rate limit.
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const name = address.startsWith('/api') ? 'GET /users/{id}' : address
      const shown = [percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)].map((ms) =>
        ms.toFixed(1),
      )
      return `| ${beside} | ${name} | ${times.length} | ${shown.join(' | ')} | ${refused} |`
    }),
  )
  for (const line of lines) console.log(`${line} ${answers()} |`)
}

/** Sends the request and resolves with its status. */
async function send(token: string, below: string, body: object | undefined): Promise<number> {
  const response = await fetch(`${base}/api${below}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
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
