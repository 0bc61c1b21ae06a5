import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing-hooks.ts'
import { connect } from '../../api/client.ts'
import { maxMatches, notBegun, scan, type ScanState } from './scan.ts'
import { network } from '../../testing-network.ts'

const service = testService({ additions: 'none' })
let edge: ReturnType<typeof network>
beforeEach(async () => {
  await service.reset()
  edge = network(service)
  const token = () => service.token('admin')
  connect({ apiUrl: service.baseUrl, tokens: { token, tokenAfter: token }, features: {}, fetch: edge.fetch })
})

async function createPeople(count: number) {
  for (let index = 1; index <= count; index += 1)
    await service.call('admin', 'POST', '/users', {
      name: index % 40 === 0 ? `Ana ${index}` : `Bob ${index}`,
    })
}

async function run(start: ScanState, q: string, signal = new AbortController().signal) {
  const states: ScanState[] = []
  await scan(start, { segment: '', q, signal, onProgress: (state) => states.push(state) })
  return states
}

test('all pages are gone through, and what matches is kept as it comes', async () => {
  await createPeople(130)
  const states = await run(notBegun, 'ana')
  expect(
    states.map(({ status, searched, total, matches }) => [status, searched, total, matches.length]),
  ).toEqual([
    ['running', 50, 130, 1],
    ['running', 100, 130, 2],
    ['done', 130, 130, 3],
  ])
  expect(states.at(-1)?.matches.map(({ name }) => name)).toEqual(['Ana 40', 'Ana 80', 'Ana 120'])
})

test('after a failed page it goes on with that page, and nobody is counted twice', async () => {
  await createPeople(110)
  let reads = 0
  edge.meet(() => (++reads === 2 ? new Response(null, { status: 500 }) : undefined))
  const failed = (await run(notBegun, 'ana')).at(-1)
  expect(failed).toMatchObject({ status: 'failed', searched: 50 })
  const done = (await run({ ...(failed as ScanState), status: 'running' }, 'ana')).at(-1)
  expect(done).toMatchObject({
    status: 'done',
    searched: 110,
    matches: [{ name: 'Ana 40' }, { name: 'Ana 80' }],
  })
})

test('given up, it asks for no further page and says nothing more', async () => {
  await createPeople(110)
  const leave = new AbortController()
  const states: ScanState[] = []
  await scan(notBegun, {
    segment: '',
    q: 'ana',
    signal: leave.signal,
    onProgress(state) {
      states.push(state)
      leave.abort()
    },
  })
  expect(states).toHaveLength(1)
  expect(edge.requests).toHaveLength(1)
})

test('it stops where more are found than are kept', async () => {
  let page = 0
  const users = Array.from({ length: 50 }, (_, index) => ({ id: `${index}`, name: 'Ana' }))
  edge.meet(() => Response.json({ users, next: `${++page}` }))
  const last = (await run(notBegun, 'ana')).at(-1)
  expect(last).toMatchObject({ status: 'full', searched: 550 })
  expect(last?.matches).toHaveLength(maxMatches)
})
