import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startTestService } from '../testing/service.ts'

const service = testService()
beforeEach(() => service.reset())

const ask = async (query: string, on = service) => await on.call('integrator', 'GET', `/events?${query}`)
const events = async (query: string): Promise<Event[]> => {
  const { status, body } = await ask(query)
  expect(status).toBe(200)
  return body
}
const ids = (list: readonly Event[]) => list.map(({ id }) => id)

async function createUser(body: object = {}): Promise<string> {
  return await service.create('steward', '/users', body)
}

async function addEntity(user: string): Promise<string> {
  return await service.create('steward', `/users/${user}/entities`, { type: 'car' })
}

/** Reads all pages of a filter, each after the last event of the previous one. */
async function walk(query: string): Promise<Event[]> {
  const all: Event[] = []
  for (;;) {
    const page = await events(all.length === 0 ? query : `${query}&after=${all.at(-1)?.id}`)
    if (page.length === 0) return all
    expect(page.length).toBeLessThanOrEqual(100)
    all.push(...page)
  }
}

/** Longer than the part of a name that is in the index. */
const longName = 'n'.repeat(300)

/**
 * Creates a log of 6,000 events: 55 days, one event every 14.4 minutes, three types in turn and three events of a rare
 * type; in the middle, 500 that were loaded late, with times a year earlier. Every tenth event is delivered, as are two
 * of the rare type.
 */
async function fillLog(): Promise<Event[]> {
  await sql`
    create or replace function id_of(name text) returns uuid language sql immutable as
    $$ select overlay(overlay(md5(name) placing '7' from 13) placing '8' from 17)::uuid $$`.execute(
    service.database.sql,
  )
  await sql`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), timestamp '2024-03-01' + n * interval '864 seconds', 'KIND_' || n % 3,
      jsonb_build_object('user', id_of('u' || n % 50), 'actor', 'colleague ' || n % 7) ||
        case when n % 2 = 0 then jsonb_build_object('entity', id_of('e' || n % 200)) else '{}' end
    from generate_series(0, 2999) n`.execute(service.database.sql)
  await events('order=asc')
  await sql`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), timestamp '2023-03-01' + n * interval '1 second', 'LOADED', '{}'
    from generate_series(0, 499) n`.execute(service.database.sql)
  await events('order=asc')
  await sql`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), timestamp '2024-03-31' + n * interval '864 seconds',
      case when n % 1000 = 5 then 'RARE' else 'KIND_' || n % 3 end,
      jsonb_build_object('user', id_of('u' || n % 50), 'actor', ${longName} || case when n % 5 = 0 then ' the other' else '' end)
    from generate_series(0, 2499) n`.execute(service.database.sql)
  await events('order=asc')
  await sql`update events set delivered = true, deliveredtime = eventtime
    where seq % 10 = 0 or type = 'RARE' and seq > 3600`.execute(service.database.sql)
  const all: Event[] = []
  for (let offset = 0; offset < 6000; offset += 100) all.push(...(await events(`offset=${offset}`)))
  expect(all).toHaveLength(6000)
  return all
}

describe('filtered events', () => {
  test('are the matching ones, all of them and once, in either order, whatever is asked together', async () => {
    const log = await fillLog()
    const someone = log[7]?.properties.user as string
    const something = log[2600]?.properties.entity as string
    const ofAnother = `entity=${something}&user=${log[2601]?.properties.user as string}`
    const time = (event: Event) => Date.parse(event.eventtime)
    const questions: Record<string, (event: Event) => boolean> = {
      'type=KIND_1': ({ type }) => type === 'KIND_1',
      'type=RARE,%20LOADED,NO_SUCH': ({ type }) => type === 'RARE' || type === 'LOADED',
      'delivered=true': ({ delivered }) => delivered === true,
      'type=RARE&delivered=false': ({ type, delivered }) => type === 'RARE' && delivered === false,
      [`user=${someone}`]: ({ properties }) => properties.user === someone,
      [`user=${someone.toUpperCase()}&type=KIND_0,KIND_1&delivered=false`]: ({
        type,
        properties,
        delivered,
      }) => properties.user === someone && (type === 'KIND_0' || type === 'KIND_1') && delivered === false,
      'actor=colleague%203': ({ properties }) => properties.actor === 'colleague 3',
      [`actor=${longName}`]: ({ properties }) => properties.actor === longName,
      [`actor=${longName}%20the%20other&type=RARE,KIND_1&delivered=false`]: ({
        properties,
        type,
        delivered,
      }) =>
        properties.actor === `${longName} the other` &&
        (type === 'RARE' || type === 'KIND_1') &&
        delivered === false,
      [`actor=colleague%200&user=${someone}`]: ({ properties }) =>
        properties.actor === 'colleague 0' && properties.user === someone,
      'actor=colleague%205&from=2024-03-10T00:00:00Z&to=2024-03-12T00:00:00Z': (event) =>
        event.properties.actor === 'colleague 5' &&
        time(event) >= Date.parse('2024-03-10T00:00:00Z') &&
        time(event) < Date.parse('2024-03-12T00:00:00Z'),
      [`entity=${something}`]: ({ properties }) => properties.entity === something,
      [`entity=${something}&user=${log[2600]?.properties.user as string}`]: ({ properties }) =>
        properties.entity === something,
      [ofAnother]: () => false,
      // Twelve hours, with bounds that are events: the first is included, the last is not.
      [`from=${log[100]?.eventtime}&to=${log[150]?.eventtime}`]: (event) =>
        time(event) >= time(log[100] as Event) && time(event) < time(log[150] as Event),
      'from=2023-02-01T00:00:00Z&to=2024-03-02T02:00:00%2B02:00': (event) =>
        time(event) < Date.parse('2024-03-02T00:00:00Z'),
      // A span next to the events that were loaded late.
      'from=2024-04-02T00:00:00Z&to=2024-04-03T00:00:00Z': (event) =>
        time(event) >= Date.parse('2024-04-02T00:00:00Z') && time(event) < Date.parse('2024-04-03T00:00:00Z'),
      'from=2024-04-20T12:00:00Z&type=KIND_2,RARE&delivered=false': (event) =>
        time(event) >= Date.parse('2024-04-20T12:00:00Z') &&
        (event.type === 'KIND_2' || event.type === 'RARE') &&
        event.delivered === false,
      [`to=2024-03-20T00:00:00Z&user=${someone}`]: (event) =>
        event.properties.user === someone && time(event) < Date.parse('2024-03-20T00:00:00Z'),
    }
    for (const [query, matches] of Object.entries(questions)) {
      const expected = ids(log.filter(matches))
      expect({ query, some: expected.length > 0 }).toEqual({ query, some: query !== ofAnother })
      expect({ query, found: ids(await walk(query)) }).toEqual({ query, found: expected })
      const newestFirst = ids(await walk(`order=desc&${query}`))
      expect({ query, newestFirst }).toEqual({ query, newestFirst: expected.toReversed() })
    }
    expect(ids(await events('order=desc'))).toEqual(ids(log).toReversed().slice(0, 100))
    expect(await events(`order=desc&after=${log[1234]?.id}`)).toEqual(log.slice(1134, 1234).toReversed())
  })

  test('keep the shape of the plain list, which stays as it is', async () => {
    const user = await createUser({ name: 'Ana' })
    const entity = await addEntity(user)
    const [first, second] = await events('offset=0')
    expect(await events(`user=${user}`)).toEqual([first, second])
    expect(await events(`order=desc&entity=${entity}`)).toEqual([second])
    expect((await service.call('integrator', 'GET', '/events')).body).toEqual([first, second])
  })

  test('match nothing where nothing can match', async () => {
    await createUser()
    for (const query of [
      'type=',
      'type=%00',
      'user=',
      'user=nobody',
      'actor=nobody',
      'actor=%00',
      'actor=',
      'entity=%00',
      'from=2024-03-02T00:00:00Z&to=2024-03-01T00:00:00Z',
      'to=0000-01-01T00:00:00Z',
      'from=9999-12-31T23:59:59-14:00',
    ])
      expect({ query, found: await events(query) }).toEqual({ query, found: [] })
    expect(await events('from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59-14:00')).toHaveLength(1)
  })

  test.each([
    ['order=up', 'order', 'invalid_parameter'],
    ['delivered=no', 'delivered', 'invalid_parameter'],
    ['from=yesterday', 'from', 'invalid_parameter'],
    ['to=2024-03-01T00:00:00', 'to', 'invalid_parameter'],
    ['user=a&user=b', 'user', 'invalid_parameter'],
    ['order=asc&offset=0', 'offset', 'invalid_parameter'],
    ['after=', 'after', 'invalid_after'],
    ['after=nobody', 'after', 'invalid_after'],
    ['type=RARE&after=01900000-0000-7000-8000-000000000000', 'after', 'invalid_after'],
  ])('are refused for %s', async (query, parameter, code) => {
    const { status, body } = await ask(query)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code, errors: [{ parameter, code }] })
  })

  test('need events:read', async () => {
    const token = await service.sign({ sub: 'script', scope: 'users:read' })
    const answer = await service.fetch(`${service.baseUrl}/events?order=desc`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ scope: 'events:read' })
  })

  test('read while 16 writers write: none is missed and none comes twice, newest and oldest first', async () => {
    const user = await createUser()
    await sql`
      insert into event_inbox (id, eventtime, type, properties)
      select gen_random_uuid(), now() at time zone 'UTC', 'DIRECT_DATA_CHANGE', jsonb_build_object('user', ${user}::text)
      from generate_series(1, 250)`.execute(service.database.sql)
    const before = new Set<string>(ids(await walk(`user=${user}&type=DIRECT_DATA_CHANGE`)))
    const writers = Array.from({ length: 16 }, async () => {
      for (let n = 0; n < 12; n++) await addEntity(n % 2 ? user : await createUser())
    })
    const questions = [
      'delivered=false',
      'type=DIRECT_DATA_CHANGE',
      `user=${user}`,
      'from=2020-01-01T00:00:00Z',
    ]
    const readers = questions
      .flatMap((question) => [`order=desc&${question}`, `order=asc&${question}`])
      .map(async (query) => {
        const seen = ids(await walk(query))
        return {
          query,
          twice: seen.length - new Set(seen).size,
          kept: seen.filter((id) => before.has(id)).length,
        }
      })
    for (const read of await Promise.all(readers)) expect(read).toMatchObject({ twice: 0, kept: 250 })
    await Promise.all(writers)
    const upward = ids(await walk('order=asc'))
    expect(new Set(upward).size).toBe(upward.length)
    expect(ids(await walk('order=desc'))).toEqual(upward.toReversed())
  })
})

test('the bare document knows none of it: every parameter but offset is ignored', async () => {
  const bare = await startTestService({ additions: 'none' })
  for (let n = 0; n < 3; n++) await bare.call('support', 'POST', '/users', {})
  const plain = await ask('', bare)
  expect(plain.body).toHaveLength(3)
  expect(
    (
      await ask(
        'order=down&type=NONE&user=nobody&actor=nobody&delivered=no&delivery=x&with=x&from=x&to=y&after=z',
        bare,
      )
    ).body,
  ).toEqual(plain.body)
  expect((await ask('order=desc&offset=1', bare)).body).toEqual((plain.body as Event[]).slice(1))
  await bare.close()
})
