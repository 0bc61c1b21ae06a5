import { beforeEach, expect, test, vi } from 'vitest'

import type { Event, Job, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf, type TestService } from '../testing/service.ts'
import { dropJobsOfNobody } from './storage.ts'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const person = (name: string) => service.create('admin', '/users', { name })
const ask = (body: object, reference = 'DSR-1', role: Role = 'steward') =>
  service.call(role, 'POST', '/users/delete', body, { 'deletion-reference': reference })

async function ended(job: string, on: TestService = service): Promise<Job> {
  return await vi.waitFor(
    async () => {
      const now: Job = (await on.call('admin', 'GET', `/jobs/${job}`)).body
      expect(now.state).toBe('finished')
      return now
    },
    { timeout: 60_000, interval: 20 },
  )
}
const isThere = async (user: string) => (await service.call('admin', 'GET', `/users/${user}`)).status === 200

test('users are deleted as by a request of each: recorded with the reference, told by an event', async () => {
  const [ana, eva, ole] = [await person('Ana'), await person('Eva'), await person('Ole')]
  const filter = { user: 'name', op: 'in', value: ['Ana', 'Eva'] }
  const job = idOf(await ask({ filter, count: 2 }))
  expect(await ended(job)).toMatchObject({
    kind: 'delete',
    total: 2,
    done: 2,
    outcomes: { deleted: 2 },
    reference: 'DSR-1',
  })
  expect([await isThere(ana), await isThere(eva), await isThere(ole)]).toEqual([false, false, true])
  const { body } = await service.call('admin', 'GET', '/erasures?state=all')
  expect(body).toMatchObject({
    erasures: [
      { actor: 'steward', reference: 'DSR-1' },
      { actor: 'steward', reference: 'DSR-1' },
    ],
  })
  const log: Event[] = (await service.call('admin', 'GET', '/events?type=USER_DELETED')).body
  expect(new Set(log.map(({ properties: { user } }) => user))).toEqual(new Set([ana, eva]))
  // The report of a deletion stays though none of its users does.
  await dropJobsOfNobody(service.database.sql)
  expect((await service.call('steward', 'GET', `/jobs/${job}`)).status).toBe(200)
})

test('another count than that of the users found deletes nobody, and says how many there are', async () => {
  const ana = await person('Ana')
  expect(await ask({ filter: { all: [] }, count: 2 })).toMatchObject({
    status: 409,
    body: { code: 'count_differs', total: 1 },
  })
  expect((await ask({ filter: { all: [] } })).status).toBe(422)
  expect(await isThere(ana)).toBe(true)
  expect((await service.call('steward', 'GET', '/jobs')).body).toEqual([])
})

test('a dry run deletes nobody, and once it is applied it deletes those whom it named', async () => {
  const ana = await person('Ana')
  const job = idOf(await ask({ ids: [ana], count: 1, dryRun: true }))
  expect(await ended(job)).toMatchObject({ dryRun: true, outcomes: { deleted: 1 } })
  expect(await isThere(ana)).toBe(true)
  await service.call('steward', 'POST', `/jobs/${job}/apply`)
  expect(await ended(job)).toMatchObject({ dryRun: false, outcomes: { deleted: 1 } })
  expect(await isThere(ana)).toBe(false)
})

test('a user whose deletion is refused stays, and the report says why', async () => {
  const ana = await person('Ana Lopez')
  const eva = await person('Eva')
  const properties = [{ key: 'pin', type: 'TEXT', value: '4711', sensitive: true }]
  await service.create('admin', `/users/${eva}/entities`, { type: 'card', properties })
  const token = await service.sign({ sub: 'steward', scope: 'users:read users:delete' })
  const response = await service.fetch(`${service.baseUrl}/users/delete`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'deletion-reference': 'Ana%20Lopez',
    },
    body: JSON.stringify({ ids: [ana, eva], count: 2 }),
  })
  const job = response.headers.get('location')?.split('/').at(-1) ?? ''
  expect((await ended(job)).outcomes).toEqual({ refused: 2 })
  const { body } = await service.call('admin', 'GET', `/jobs/${job}/users`)
  expect(body).toMatchObject({
    users: [
      { user: ana, code: 'personal_reference' },
      { user: eva, code: 'insufficient_scope' },
    ],
  })
  expect([await isThere(ana), await isThere(eva)]).toEqual([true, true])
})

test('a deletion cannot be undone, and who may not delete users may not begin it', async () => {
  const ana = await person('Ana')
  const job = idOf(await ask({ ids: [ana], count: 1 }))
  await ended(job)
  expect(await service.call('steward', 'POST', `/jobs/${job}/undo`)).toMatchObject({
    status: 409,
    body: { code: 'not_revertible' },
  })
  expect((await ask({ ids: [ana], count: 1 }, 'DSR-1', 'support')).status).toBe(403)
})

const strict = testService({ changeReasons: 'required' })

test('a service that wants a reference for each deletion wants one here', async () => {
  const body = { ids: [crypto.randomUUID()], count: 1 }
  expect(await strict.call('steward', 'POST', '/users/delete', body)).toMatchObject({
    status: 422,
    body: { code: 'reference_required' },
  })
})
