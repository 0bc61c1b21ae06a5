import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { connect } from '../../api/connection.ts'
import type { Scan } from '../../domain/user-list/list-state.ts'
import { maxMatches, scanPages } from './ScanProgress.tsx'
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

/** Runs a scan and returns the progress it reported and the error it failed with. */
async function run(from?: Scan) {
  const told: Scan[] = []
  const { signal } = new AbortController()
  const failure: unknown = await scanPages('ana', '')(signal, (scan) => told.push(scan), from).catch(
    (error: unknown) => error,
  )
  return { told, last: told.at(-1), failure }
}

test('all pages are gone through, and what matches is kept as it comes', async () => {
  await createPeople(130)
  const { told, last, failure } = await run()
  expect(told.map(({ searched, total, matches }) => [searched, total, matches.length])).toEqual([
    [50, 130, 1],
    [100, 130, 2],
    [130, 130, 3],
  ])
  expect(failure).toBeUndefined()
  expect(last?.matches.map(({ name }) => name)).toEqual(['Ana 40', 'Ana 80', 'Ana 120'])
})

test('after a failed page it goes on with that page, and nobody is counted twice', async () => {
  await createPeople(110)
  let reads = 0
  edge.meet(() => (++reads === 2 ? new Response(null, { status: 500 }) : undefined))
  const { last: reached, failure } = await run()
  expect(failure).toMatchObject({ status: 500 })
  expect(reached).toMatchObject({ searched: 50 })
  const { last: done } = await run(reached)
  expect(done).toMatchObject({ searched: 110, matches: [{ name: 'Ana 40' }, { name: 'Ana 80' }] })
})

test('given up, it asks for no further page and says nothing more', async () => {
  await createPeople(110)
  const leave = new AbortController()
  const told: Scan[] = []
  const given = scanPages('ana', '')(
    leave.signal,
    (scan) => {
      told.push(scan)
      leave.abort()
    },
    undefined,
  )
  await expect(given).rejects.toMatchObject({ name: 'AbortError' })
  expect(told).toHaveLength(1)
  expect(edge.requests).toHaveLength(1)
})

test('a scan stops once it has more matches than it keeps', async () => {
  let page = 0
  const users = Array.from({ length: 50 }, (_, index) => ({ id: `${index}`, name: 'Ana' }))
  edge.meet(() => Response.json({ users, next: `${++page}` }))
  const { last } = await run()
  expect(last).toMatchObject({ isCutOff: true, searched: 550 })
  expect(last?.matches).toHaveLength(maxMatches)
})
