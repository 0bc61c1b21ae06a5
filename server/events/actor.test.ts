import { expect, test } from 'vitest'

import { type Event, type EventType, eventTypes, type Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf, type TestAnswer } from '../testing/service.ts'

const service = testService({ allowLoopback: true, jobs: true })

const everyone = { name: 'Everyone', filter: { all: [] } }

async function act(role: Role, method: string, path: string, body?: object): Promise<TestAnswer> {
  const answer = await service.call(role, method, path, body)
  expect({ method, path, refused: answer.status >= 400 }).toEqual({ method, path, refused: false })
  return answer
}

test('every event that somebody caused says who it was', async () => {
  const user = idOf(await act('support', 'POST', '/users', { name: 'Ana' }))
  await act('admin', 'PATCH', `/users/${user}`, { name: 'Eva' })
  const properties = [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02' }]
  const entity = idOf(await act('steward', 'POST', `/users/${user}/entities`, { type: 'bank', properties }))
  const at = `/users/${user}/entities/${entity}`
  await act('admin', 'POST', `${at}/reveal`, { keys: ['iban'], reason: 'Asked for' })
  await act('support', 'POST', `/users/${user}/check`, { keys: ['iban'], value: 'DE02' })
  const where = [{ key: 'iban', type: 'TEXT', op: 'exists' }]
  await act('steward', 'POST', '/users/search', { filter: { entity: 'bank', where } })
  await act('admin', 'DELETE', at)
  await act('steward', 'DELETE', `/users/${user}`)
  const segment = idOf(await act('admin', 'POST', '/segments', everyone))
  await act('admin', 'PUT', `/segments/${segment}`, { ...everyone, name: 'All' })
  await act('admin', 'DELETE', `/segments/${segment}`)
  await act('steward', 'PUT', '/definitions/bank/iban', {})
  const set = { entity: 'person', key: 'plate', type: 'TEXT', value: 'B-XY 1' }
  const job = idOf(await act('steward', 'POST', '/users/batch', { ids: [crypto.randomUUID()], set }))
  await expect
    .poll(async () => (await act('steward', 'GET', `/jobs/${job}`)).body)
    .toMatchObject({ state: 'finished' })
  const file = idOf(await act('steward', 'POST', '/exports', { format: 'ndjson', filter: { all: [] } }))
  await expect
    .poll(async () => (await act('steward', 'GET', `/jobs/${file}`)).body)
    .toMatchObject({ state: 'finished' })
  const token = await service.token('steward')
  await service.fetch(`${service.baseUrl}/jobs/${file}/file`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await act('support', 'POST', '/erasures/check', { ref: 'C-1' })
  const { id }: { id: string } = (
    await act('integrator', 'POST', '/subscriptions', { url: 'http://127.0.0.1:9/' })
  ).body
  await act('admin', 'PATCH', `/subscriptions/${id}`, { enabled: false })
  await act('admin', 'POST', `/subscriptions/${id}/rotate-secret`, {})
  await act('integrator', 'POST', `/subscriptions/${id}/test`)
  await act('admin', 'DELETE', `/subscriptions/${id}`)

  const events: Event[] = (await act('admin', 'GET', '/events')).body
  const expected: [EventType, Role, string | undefined][] = [
    ['USER_CREATED', 'support', user],
    ['USER_UPDATED', 'admin', user],
    ['DIRECT_DATA_CHANGE', 'steward', user],
    ['SENSITIVE_DATA_ACCESSED', 'admin', user],
    ['SENSITIVE_DATA_CHECKED', 'support', user],
    ['SENSITIVE_DATA_SEARCHED', 'steward', undefined],
    ['DIRECT_DATA_CHANGE', 'admin', user],
    ['USER_DELETED', 'steward', user],
    ['SEGMENT_CREATED', 'admin', segment],
    ['SEGMENT_UPDATED', 'admin', segment],
    ['SEGMENT_DELETED', 'admin', segment],
    ['DEFINITION_CHANGED', 'steward', undefined],
    ['JOB_FINISHED', 'steward', undefined],
    ['JOB_FINISHED', 'steward', undefined],
    ['EXPORT_FETCHED', 'steward', undefined],
    ['ERASURES_CHECKED', 'support', undefined],
    ['SUBSCRIPTION_CREATED', 'integrator', id],
    ['SUBSCRIPTION_UPDATED', 'admin', id],
    ['SUBSCRIPTION_SECRET_ROTATED', 'admin', id],
    ['WEBHOOK_TEST', 'integrator', id],
    ['SUBSCRIPTION_DELETED', 'admin', id],
  ]
  expect(
    events.map(({ type, properties: { actor, user: of, segment: which, subscription } }) => [
      type,
      actor,
      of ?? which ?? subscription,
    ]),
  ).toEqual(expected)
  // server/jobs/one-row.test.ts has a job that is stopped.
  expect(new Set([...events.map(({ type }) => type), 'JOB_STOPPED'])).toEqual(new Set(eventTypes))
})

test('a change of a webhook that changes nothing, or fails, is no event', async () => {
  await service.reset()
  const { id }: { id: string } = (
    await act('admin', 'POST', '/subscriptions', { url: 'http://127.0.0.1:9/', enabled: false })
  ).body
  await act('admin', 'PATCH', `/subscriptions/${id}`, { enabled: false })
  await service.call('admin', 'PATCH', `/subscriptions/${id}`, { url: 'ftp://example.org/' })
  await service.call('admin', 'DELETE', '/subscriptions/01900000-0000-7000-8000-000000000000')
  const events: Event[] = (await act('admin', 'GET', '/events')).body
  expect(events.map(({ type }) => type)).toEqual(['SUBSCRIPTION_CREATED'])
})
