import { beforeEach, describe, expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
beforeEach(() => service.reset())

const page = async (offset?: number): Promise<Event[]> =>
  (await service.call('integrator', 'GET', offset === undefined ? '/events' : `/events?offset=${offset}`))
    .body

async function createUsers(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await service.call('support', 'POST', '/users', {})
}

describe('the event log', () => {
  test('answers pages of 100 by row offset, oldest first, in the documented shape', async () => {
    await createUsers(250)
    const first = await page()
    const second = await page(100)
    const third = await page(200)
    expect([first.length, second.length, third.length]).toEqual([100, 100, 50])
    const all = [...first, ...second, ...third]
    expect(new Set(all.map(({ id }) => id)).size).toBe(250)
    expect(await page(37)).toEqual(all.slice(37, 137))
    expect(await page(250)).toEqual([])
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      eventtime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      type: 'USER_CREATED',
      properties: { user: expect.any(String), changeset: expect.any(String), actor: 'support' },
      delivered: false,
    })
  })

  test('shows what was just written, and one event by its id', async () => {
    await createUsers(1)
    const [event] = await page()
    const one = await service.call('integrator', 'GET', `/events/${event?.id}`)
    expect(one.body).toEqual(event)
  })

  test('finds a new event by id before anybody has read the list', async () => {
    await createUsers(1)
    const { rows } = await service.database.pool.query<{ id: string }>('select id from event_inbox')
    expect((await service.call('integrator', 'GET', `/events/${rows[0]?.id}`)).status).toBe(200)
  })

  test.each(['no-uuid', '01900000-0000-7000-8000-000000000000'])('has no event %s', async (id) => {
    const answer = await service.call('integrator', 'GET', `/events/${id}`)
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ code: 'event_not_found' })
  })

  test.each(['-1', 'x', '1.5', '1e3', '99999999999999999'])('refuses the offset %s', async (offset) => {
    const answer = await service.call('integrator', 'GET', `/events?offset=${offset}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter: 'offset' }] })
  })

  test('read upward while 16 writers write: nothing is missed, nothing comes twice, nothing appears behind', async () => {
    const writers = Array.from({ length: 16 }, () => createUsers(40))
    const done = Promise.all(writers).then(() => true)
    const seen: string[] = []
    let finished = false
    void done.then(() => (finished = true))
    for (;;) {
      const last = finished
      const rows = await page(seen.length)
      seen.push(...rows.map(({ id }) => id))
      if (last && rows.length === 0) break
    }
    expect(seen).toHaveLength(640)
    expect(new Set(seen).size).toBe(640)
    const again: string[] = []
    for (let offset = 0; offset < 640; offset += 100) again.push(...(await page(offset)).map(({ id }) => id))
    expect(again).toEqual(seen)
  })
})
