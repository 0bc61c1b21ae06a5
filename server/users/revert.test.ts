import { beforeEach, describe, expect, test } from 'vitest'

import type { Event, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

const service = testService()
let path: string
beforeEach(async () => {
  await service.reset()
  path = `/users/${idOf(await service.call('admin', 'POST', '/users', { name: 'Ana', ref: 'C-1' }))}`
})

const patch = (body: object) => service.call('steward', 'PATCH', path, body)
const read = async () => (await service.call('steward', 'GET', path)).body
const newest = async () => {
  const [event]: Event[] = (await service.call('admin', 'GET', '/events?order=desc')).body
  return String(event?.properties.changeset)
}
const revert = (id: string, body: object = {}, role: Role = 'steward', headers = {}) =>
  service.call(role, 'POST', `/changesets/${id}/revert`, body, headers)

describe('a change of the fields of a user', () => {
  test('can be reverted as a whole or by field, and that again', async () => {
    const { since } = await read()
    await patch({ name: 'Anna', ref: '', email: 'ana@example.org', since: '2020-01-01T00:00:00' })
    const changed = await newest()
    expect((await revert(changed, { keys: ['name'] })).status).toBe(204)
    expect(await read()).toMatchObject({ name: 'Ana', email: 'ana@example.org' })
    expect((await revert(await newest())).status).toBe(204)
    expect((await revert(changed)).status).toBe(204)
    const before = await read()
    expect(before).toMatchObject({ name: 'Ana', ref: 'C-1', email: 'Unknown email', since })
    expect((await revert(await newest())).status).toBe(204)
    expect(await read()).toMatchObject({ name: 'Anna', email: 'ana@example.org' })
  })

  test('needs what a write of them needs, which support has', async () => {
    await patch({ name: 'Anna' })
    const changed = await newest()
    expect((await revert(changed, {}, 'support')).status).toBe(204)
    expect(await read()).toMatchObject({ name: 'Ana' })
    const entity = { type: 'car', properties: [{ key: 'brand', type: 'TEXT', value: 'Volvo' }] }
    await service.call('admin', 'POST', `${path}/entities`, entity)
    expect((await revert(await newest(), {}, 'support')).status).toBe(403)
  })

  test('is an event and a changeset like any other, with its reason', async () => {
    await patch({ name: 'Anna' })
    const changed = await newest()
    await revert(changed, {}, 'steward', { 'change-reason': 'Mistyped' })
    const id = await newest()
    expect(id).not.toBe(changed)
    expect((await service.call('steward', 'GET', `/changesets/${id}`)).body).toMatchObject({
      op: 'change',
      actor: 'steward',
      reason: 'Mistyped',
      changes: [{ op: 'change', key: 'name', before: 'Anna', after: 'Ana' }],
    })
  })

  test('is not reverted over what was written since, unless the caller has seen it', async () => {
    await patch({ name: 'Anna', ref: 'C-2' })
    const changed = await newest()
    await patch({ name: 'Annika' })
    expect(await revert(changed)).toMatchObject({
      status: 409,
      body: { code: 'changed_since', keys: ['name'] },
    })
    expect(await read()).toMatchObject({ name: 'Annika', ref: 'C-2' })
    const { headers } = await service.call('steward', 'GET', path)
    const seen = { 'if-match': String(headers.get('etag')) }
    expect((await revert(changed, {}, 'steward', seen)).status).toBe(204)
    expect(await read()).toMatchObject({ name: 'Ana', ref: 'C-1' })
    expect((await revert(changed, {}, 'steward', seen)).status).toBe(412)
  })

  test('is refused for an e-mail that another user has by now, for a field that it left alone, and for a new user', async () => {
    await patch({ email: 'ana@example.org' })
    await patch({ email: 'anna@example.org' })
    const changed = await newest()
    await service.call('admin', 'POST', '/users', { email: 'ana@example.org' })
    const made = await newest()
    expect(await revert(changed)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    expect(await revert(changed, { keys: ['name'] })).toMatchObject({ status: 422 })
    expect(await revert(made)).toMatchObject({ status: 409, body: { code: 'not_revertible' } })
    expect((await revert(changed, {}, 'integrator')).status).toBe(403)
    expect((await revert('01900000-0000-7000-8000-000000000000', {}, 'integrator')).status).toBe(403)
    await service.call('admin', 'DELETE', path)
    expect((await revert(changed)).status).toBe(404)
  })
})
