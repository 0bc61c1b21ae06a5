import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

import type { Event, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

const reason = 'canary: she asked on the phone'
const service = testService()
let user: string
beforeEach(async () => {
  await service.reset()
  user = idOf(await service.call('admin', 'POST', '/users', {}))
  for (const sensitive of [true, false]) {
    const properties = [{ key: 'hiv', type: 'TEXT', sensitive, value: 'x' }]
    const entity = idOf(
      await service.call('admin', 'POST', `/users/${user}/entities`, { type: 'a', properties }),
    )
    const at = `/users/${user}/entities/${entity}/reveal`
    await service.call('admin', 'POST', at, { keys: ['hiv'], reason })
  }
})

async function seenBy(role: Role, query = '') {
  const all: Event[] = (await service.call(role, 'GET', `/events${query}`)).body
  const read = all.filter(({ type }) => type === 'SENSITIVE_DATA_ACCESSED')
  for (const { id, properties } of read)
    expect((await service.call(role, 'GET', `/events/${id}`)).body).toMatchObject({ id, properties })
  return read.map(({ properties }) => Object.keys(properties).toSorted().join(' '))
}

test('a reason is told to those alone who may read sensitive values, and the names of properties to those who may read entities', async () => {
  for (const query of ['', '?order=desc', `?user=${user}`, '?type=SENSITIVE_DATA_ACCESSED']) {
    expect(await seenBy('steward', query)).toEqual(Array(2).fill('actor entity keys reason user'))
    expect(await seenBy('support', query)).toEqual(Array(2).fill('actor entity keys user'))
    expect(await seenBy('integrator', query)).toEqual(Array(2).fill('actor entity user'))
  }
})

test('the stream tells nobody a reason, nor an integrator the names of properties', async () => {
  const [first]: Event[] = (await service.call('admin', 'GET', '/events')).body
  for (const [role, keys] of [
    ['admin', true],
    ['integrator', false],
  ] as const) {
    const stop = new AbortController()
    const { body } = await service.fetch(`${service.baseUrl}/events/stream?after=${first?.id}`, {
      headers: { authorization: `Bearer ${await service.token(role)}` },
      signal: stop.signal,
    })
    let text = ''
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      if (text.split('SENSITIVE_DATA_ACCESSED').length > 2) break
    }
    stop.abort()
    expect(text).not.toContain('canary')
    expect(text.includes('hiv')).toBe(keys)
  }
})

test('a reason is sealed, and goes with its user', async () => {
  const kept = async () =>
    (
      await sql<{ text: string }>`
        select r::text as text from reasons r union all select e::text from events e
        union all select i::text from event_inbox i`.execute(service.database.sql)
    ).rows.map(({ text }) => text)
  expect((await kept()).join()).not.toContain('canary')
  await service.call('admin', 'DELETE', `/users/${user}`)
  expect((await sql`select 1 from reasons`.execute(service.database.sql)).rows).toEqual([])
  expect(await seenBy('steward')).toEqual(Array(2).fill('actor entity keys user'))
})
