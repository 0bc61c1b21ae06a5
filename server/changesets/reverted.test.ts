import { beforeEach, describe, expect, test } from 'vitest'

import type { Changeset, Event, LookedUpChangeset } from '#contract/index.ts'
import { inSteps } from '../store/migrations/migrations.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
let user = ''
let entity = ''
beforeEach(async () => {
  await service.reset()
  user = await service.create('steward', '/users', { name: 'Ana' })
  const properties = [text('city', 'Lyon'), { ...text('iban', 'DE00'), sensitive: true }]
  entity = await service.create('steward', `/users/${user}/entities`, { type: 'person', properties })
})

const text = (key: string, value: string) => ({ key, type: 'TEXT', value })
const patch = async (...properties: object[]) => {
  await service.call('steward', 'PATCH', `/users/${user}/entities/${entity}`, { properties })
  return await newest()
}
async function newest(): Promise<string> {
  const events: Event[] = (await service.call('admin', 'GET', `/events?order=desc&user=${user}`)).body
  return String(events.find(({ properties }) => properties.changeset !== undefined)?.properties.changeset)
}
async function revert(id: string, body: object = {}): Promise<string> {
  expect((await service.call('steward', 'POST', `/changesets/${id}/revert`, body)).status).toBe(204)
  return await newest()
}
const read = async (id: string): Promise<Changeset> =>
  (await service.call('support', 'GET', `/changesets/${id}`)).body
const areReverted = async (...ids: string[]) => {
  const { body } = await service.call('support', 'POST', '/changesets/lookup', { ids })
  const inShort = (body as LookedUpChangeset[]).map(({ reverted }) => reverted)
  expect(await Promise.all(ids.map(async (id) => (await read(id)).reverted))).toEqual(inShort)
  return inShort
}

describe('a changeset says that it was reverted', () => {
  test('once it was, as long as that is not reverted in turn, and by which', async () => {
    const change = await patch(text('city', 'Nice'), text('iban', 'DE11'))
    expect(await areReverted(change)).toEqual([undefined])
    const undo = await revert(change)
    expect(await read(undo)).toMatchObject({ reverts: change })
    expect(await areReverted(change, undo)).toEqual([true, undefined])
    const redo = await revert(undo)
    expect(await read(redo)).toMatchObject({ reverts: undo })
    expect(await areReverted(change, undo, redo)).toEqual([undefined, true, undefined])
  })

  test('only if nothing of it is left out', async () => {
    const change = await patch(text('city', 'Nice'), text('iban', 'DE11'))
    const part = await revert(change, { keys: ['city'] })
    expect(await read(part)).not.toHaveProperty('reverts')
    expect(await areReverted(change)).toEqual([undefined])
    const single = await patch(text('city', 'Brest'))
    await revert(single, { keys: ['city'] })
    expect(await areReverted(single)).toEqual([true])
  })

  test('after the fields of a user were, and a deletion, however the entity was restored', async () => {
    await service.call('steward', 'PATCH', `/users/${user}`, { name: 'Anna' })
    const named = await newest()
    expect(await read(await revert(named))).toMatchObject({ reverts: named })
    expect(await areReverted(named)).toEqual([true])
    for (const restore of [revert, undefined]) {
      await service.call('steward', 'DELETE', `/users/${user}/entities/${entity}`)
      const deletion = await newest()
      if (restore) await restore(deletion)
      else await service.call('steward', 'POST', `/users/${user}/entities/${entity}/restore`)
      expect(await areReverted(deletion)).toEqual([true])
    }
  })
})

test('changesets of the release before revert none, and its processes record more', async () => {
  const { pool, sql } = service.database
  const change = await patch(text('city', 'Nice'))
  await pool.query('alter table changesets drop column reverts')
  // Runs all of it twice, as after a crash.
  for (let round = 0; round < 2; round++) await inSteps('0033-reverts.sql').up(sql)
  await pool.query(
    `insert into changesets (user_id, id, op, actor, time, changes)
    values ($1, gen_random_uuid(), 'change', 'older', now() at time zone 'UTC', '[]')`,
    [user],
  )
  expect(await areReverted(change)).toEqual([undefined])
  await revert(change)
  expect(await areReverted(change)).toEqual([true])
})
