import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { dataType, type Event, type Segment, type UserList } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf, openContents } from '../testing/service.ts'
import { makeSampleData } from './sample.ts'

const service = testService()
let indexOptions: unknown
beforeAll(async () => {
  indexOptions = await rows(optionsOfIndex)
})

const anyDay = new Date('2026-02-03T09:00:00Z')
const silent = () => {}
const optionsOfIndex = `select reloptions from pg_class where relname = 'entities_properties_gin'`

async function rows<Row>(statement: string): Promise<Row[]> {
  return (await service.database.pool.query(statement)).rows as Row[]
}

async function one(statement: string): Promise<number> {
  return Number((await rows<{ value: unknown }>(statement))[0]?.value)
}

/** Returns the store's contents, mostly as one digest per table. */
async function everything() {
  const digests: Record<string, unknown> = await openContents(service.database)
  for (const table of ['users', 'segments', 'event_inbox', 'events'])
    digests[table] = await rows(`select count(*), md5(string_agg(t::text, '' order by id)) from ${table} t`)
  return { ...digests, owners: await rows('select user_id from user_keys order by 1') }
}

const stored = `entities e, jsonb_each(e.properties) as p (key, property)`

describe('the sample data of a new store', () => {
  const said: string[] = []
  beforeAll(async () => {
    await service.reset()
    await makeSampleData(service.database, 2000, (line) => said.push(line))
  })

  test('says what it makes', () => {
    expect(said).toEqual([
      'Making sample data: 2,000 users …',
      expect.stringMatching(
        /^Sample data is ready: \d,\d{3} entities, 15 segments and 1\d,\d{3} events, made in [\d.]+ s\.$/,
      ),
    ])
  })

  test('has as many users as asked for, a few per cent of them without e-mail, name or ref', async () => {
    const { body } = await service.call('support', 'GET', '/users')
    expect((body as UserList).total).toBe(2000)
    for (const column of ['email', 'name', 'ref']) {
      const missing = await one(`select count(*) as value from users where ${column} is null`)
      expect(missing).toBeGreaterThan(20)
      expect(missing).toBeLessThan(120)
    }
    expect(await one('select avg(account::int) as value from users')).toBeCloseTo(0.6, 1)
  })

  test('has names of many languages, and e-mail addresses of example domains only', async () => {
    for (const script of ['[éèüößåłñ]', '[α-ω]', '[а-я]', '[一-龠]', '^.{45,}$'])
      expect(await one(`select count(*) as value from users where name ~ '${script}'`)).toBeGreaterThan(2)
    expect(
      await rows(String.raw`select email from users where email !~* '^[a-z0-9.-]+@example\.(org|com|net)$'`),
    ).toEqual([])
  })

  test('has users in the order of their creation, who are customers since then or before', async () => {
    expect(
      await one(`select count(*) as value from (
      select created, lag(created) over (order by id) as before from users) as u where before >= created`),
    ).toBe(0)
    expect(await one('select count(*) as value from users where since > created')).toBe(0)
    expect(await one('select extract(year from age(max(since), min(since))) as value from users')).toBe(7)
    expect(
      await one(
        `select count(*) as value from users u join entities e on e.user_id = u.id where e.created < u.created`,
      ),
    ).toBe(0)
  })

  test('has a person for nearly everybody, up to three cars and up to two addresses', async () => {
    const most = await rows(`select type, max(n)::int as most, count(*)::int as users from
      (select type, user_id, count(*) as n from entities group by 1, 2) as t group by 1 order by 1`)
    expect(most).toEqual([
      { type: 'address', most: 2, users: expect.toSatisfy((n: number) => n > 1600) },
      { type: 'car', most: 3, users: expect.toSatisfy((n: number) => n > 1100) },
      { type: 'person', most: 1, users: expect.toSatisfy((n: number) => n > 1860 && n < 1940) },
    ])
  })

  test('uses every data type, and has properties without a value', async () => {
    const types = await rows<{ type: string }>(`select distinct property ->> 'type' as type from ${stored}`)
    expect(types.map(({ type }) => type).toSorted()).toEqual(dataType.options.toSorted())
    expect(
      await one(`select count(*) as value from ${stored} where jsonb_typeof(property -> 'value') = 'null'`),
    ).toBeGreaterThan(100)
  })

  test('marks what is sensitive everywhere, and nothing else', async () => {
    expect(
      await rows(`select distinct key, property -> 'sensitive' as sensitive from ${stored}
        where (property ->> 'sensitive')::boolean or key in ('phone', 'national_id', 'iban', 'plate') order by 1`),
    ).toEqual(['iban', 'national_id', 'phone', 'plate'].map((key) => ({ key, sensitive: true })))
  })

  test('has account numbers that check', async () => {
    const { entities } = await openContents(service.database)
    const numbers = entities.flatMap(({ properties }) =>
      properties['iban'] ? [String(properties['iban'].value)] : [],
    )
    expect(numbers.length).toBeGreaterThan(500)
    for (const number of numbers) {
      const digits = `${number.slice(4)}${number.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
        String(Number.parseInt(letter, 36)),
      )
      expect(BigInt(digits) % 97n).toBe(1n)
    }
  })

  test('relates spouses to one another', async () => {
    const spouses = await rows<{ user: string; spouse: string }>(
      `select e.user_id as user, property -> 'value' ->> 'user' as spouse from ${stored} where key = 'spouse'`,
    )
    expect(spouses.length).toBeGreaterThan(50)
    const users = new Set((await rows<{ id: string }>('select id from users')).map(({ id }) => id))
    const spouseOf = new Map(spouses.map(({ user, spouse }) => [user, spouse]))
    for (const { user, spouse } of spouses) {
      expect(users).toContain(spouse)
      // Some users have no person entity that could name their spouse.
      expect([user, undefined]).toContain(spouseOf.get(spouse))
    }
  })

  test('has events for all of it, in order, of the past, not delivered', async () => {
    expect(await one('select count(*) as value from event_inbox')).toBe(0)
    expect(await one('select max(seq) - count(*) as value from events')).toBe(-1)
    expect(await one('select min(seq) as value from events')).toBe(0)
    expect(
      await one(`select count(*) as value from (
        select eventtime, lag(eventtime) over (order by seq) as before from events) as e where before > eventtime`),
    ).toBe(0)
    expect(
      await one(`select count(*) as value from events where eventtime >= now() at time zone 'UTC'`),
    ).toBe(0)
    expect(
      await one('select count(*) as value from events where delivered or deliveredtime is not null'),
    ).toBe(0)
    expect(
      await rows(`select type, count(distinct properties ->> case type when 'DIRECT_DATA_CHANGE' then 'entity'
          when 'SEGMENT_CREATED' then 'segment' else 'user' end)::int as things from events
        where type <> 'USER_UPDATED' and type not like 'SENSITIVE%' group by 1 order by 1`),
    ).toEqual([
      { type: 'DIRECT_DATA_CHANGE', things: await one('select count(*) as value from entities') },
      { type: 'SEGMENT_CREATED', things: await one('select count(*) as value from segments') },
      { type: 'USER_CREATED', things: 2000 },
    ])
    const [first] = (await service.call('support', 'GET', '/events')).body as { type: string }[]
    expect(first?.type).toBe('USER_CREATED')
  })

  test('has kept what each write changed, from nothing to what there is now', async () => {
    const told = await rows<{
      id: string
    }>(`select properties ->> 'changeset' as id, properties ->> 'user' as user,
      eventtime::text as time, properties ->> 'entity' as entity from events where properties ? 'changeset' order by 1`)
    const kept = await rows<{
      id: string
    }>(`select id::text, user_id::text as user, time::text, entity_id::text as entity
      from changesets order by 1`)
    const ids = new Set(told.map(({ id }) => id))
    expect(told).toEqual(kept.filter(({ id }) => ids.has(id)))
    expect(await one(`select count(*) as value from changesets where changes = '[]'`)).toBe(0)
    // Applied in order, the changes of an entity must produce its properties.
    const { entities, changesets } = await openContents(service.database)
    const states = new Map<string | null, Map<string, unknown>>()
    for (const { entity, changes } of changesets.toSorted((a, b) => (a.time < b.time ? -1 : 1))) {
      const state = states.get(entity) ?? new Map<string, unknown>()
      states.set(entity, state)
      if (entity === null) continue
      for (const { key, before, after } of changes) {
        expect(before).toEqual(state.get(key))
        state.set(key, after)
      }
    }
    for (const { id, properties } of entities)
      expect(Object.fromEntries(states.get(id) ?? [])).toEqual(
        Object.fromEntries(Object.entries(properties).map(([key, { value }]) => [key, value])),
      )
    expect(
      (
        await rows<{ op: string }>(`select distinct change ->> 'op' as op
        from changesets, jsonb_array_elements(changes) as change where op = 'change' order by 1`)
      ).map(({ op }) => op),
    ).toEqual(['add', 'change'])
  })

  test('tells who saw sensitive values and why, who changed what and why, and how consents came and went', async () => {
    for (const type of ['SENSITIVE_DATA_ACCESSED', 'SENSITIVE_DATA_CHECKED']) {
      const { body } = await service.call('steward', 'GET', `/events?type=${type}`)
      const told = body as Event[]
      expect(told.length).toBeGreaterThan(20)
      for (const { properties } of told)
        expect(properties).toMatchObject({
          actor: expect.stringMatching(type.endsWith('CHECKED') ? /^support$/ : /^(steward|admin)$/),
          keys: expect.stringMatching(/^\["(iban|national_id|phone|plate)"\]$/),
          reason: expect.stringMatching(/\.$/),
        })
    }
    expect(
      await one('select count(*) as value from changesets join reasons using (user_id, id)'),
    ).toBeGreaterThan(500)
    // Consents were given, withdrawn and given again; the date in each value is the time of its change.
    const changed = `changesets c, jsonb_array_elements(changes) as change
      where change ->> 'key' = 'newsletter' and c.op = 'change'`
    expect(
      await rows(`select distinct change #>> '{before,status}' as before, change #>> '{after,status}' as after
        from ${changed} order by 1 nulls first, 2`),
    ).toEqual([
      { before: null, after: 'DENIED' },
      { before: null, after: 'GRANTED' },
      { before: 'GRANTED', after: 'REVOKED' },
      { before: 'REVOKED', after: 'GRANTED' },
    ])
    expect(
      await one(`select count(*) as value from ${changed}
        and c.time <> ((change #>> '{after,statusDate}')::timestamptz at time zone 'UTC')`),
    ).toBe(0)
    expect(
      await one(`select count(*) as value from changesets a join changesets b using (user_id, entity_id),
        jsonb_array_elements(a.changes) as x, jsonb_array_elements(b.changes) as y
        where a.time < b.time and x ->> 'key' = y ->> 'key' and jsonb_array_length(a.changes) = 1
          and x -> 'before' = y -> 'after' and x -> 'after' = y -> 'before' and a.actor = 'admin' and b.actor = 'steward'`),
    ).toBeGreaterThan(10)
  })

  test('has segments of every size: none, a handful, hundreds, most', async () => {
    const { body } = await service.call('support', 'GET', '/segments')
    const sizes: Record<string, string> = {}
    for (const { id, name } of body as Segment[]) {
      // A slow count is still running at first: until it ends, the page answers with a lower bound.
      const total = await vi.waitFor(
        async () => {
          const { body } = await service.call('support', 'GET', `/users?segment=${id}`)
          expect(body).not.toHaveProperty('atLeast')
          return (body as UserList).total ?? NaN
        },
        { timeout: 60_000 },
      )
      sizes[String(name)] =
        total === 0 ? 'none' : total < 100 ? 'a handful' : total < 1000 ? 'hundreds' : 'most'
    }
    expect(sizes).toEqual({
      'Account holders': 'most',
      'Granted newsletter': 'hundreds',
      'No e-mail address': 'a handful',
      'Volvo or Polestar drivers': 'hundreds',
      'Inspection due': 'hundreds',
      'Invite to inspection by newsletter': 'hundreds',
      'Two cars or more': 'hundreds',
      'Expensive to run': 'hundreds',
      'Electric above 50,000 euros': 'a handful',
      'Birthday within a week': 'a handful',
      'Lapsed in Lyon': 'a handful',
      'VIPs to win for an account': 'hundreds',
      'Early deliveries on the continent': 'hundreds',
      'Created in the last 30 days': 'a handful',
      'With us for ten years': 'none',
    })
  })

  test('has what each segment was counted at on the days before, up to what it is now', async () => {
    const sizes = await rows<{ days: number; last: number; fits: boolean }>(
      `select count(*)::int as days, (array_agg(total order by day desc))[1] as last, bool_and(total <= users) as fits
      from segment_sizes group by segment_id`,
    )
    expect(sizes).toHaveLength(15)
    expect(sizes.every(({ days, fits }) => days > 60 && fits)).toBe(true)
    expect(Math.max(...sizes.map(({ last }) => last))).toBeGreaterThan(1000)
  })

  test('has segments that use the whole grammar', async () => {
    const text = JSON.stringify(await rows('select filter from segments'))
    for (const member of ['all', 'any', 'not', 'segment', 'user', 'entity', 'min', 'orMissing', 'ago'])
      expect(text).toContain(`"${member}":`)
  })

  // Runs after the tests of the log, because reading sensitive values adds to it.
  test('is taken back by the API as it is', async () => {
    for (const { user_id, id } of await rows<{ user_id: string; id: string }>(
      'select distinct on (type) user_id, id from entities order by type, id',
    )) {
      const before = await rows(`select properties, sealed from entities where id = '${id}'`)
      const { body } = await service.call('admin', 'GET', `/users/${user_id}/entities/${id}`)
      const events = await one('select count(*) as value from event_inbox')
      expect(await service.call('admin', 'PUT', `/users/${user_id}/entities/${id}`, body)).toMatchObject({
        status: 204,
      })
      expect(await rows(`select properties, sealed from entities where id = '${id}'`)).toEqual(before)
      // A write that changes nothing leaves no event.
      expect(await one('select count(*) as value from event_inbox')).toBe(events)
    }
  })
})

describe('making sample data', () => {
  beforeEach(() => service.reset())

  test('gives the same data for the same day', async () => {
    await makeSampleData(service.database, 120, silent, anyDay)
    const first = await everything()
    await service.reset()
    await makeSampleData(service.database, 120, silent, new Date('2026-02-03T23:59:59Z'))
    expect(await everything()).toEqual(first)
    await service.reset()
    await makeSampleData(service.database, 120, silent, new Date('2026-02-04T00:00:00Z'))
    expect(await everything()).not.toEqual(first)
  })

  test('leaves a store alone that holds a user or a segment', async () => {
    for (const [path, body] of [
      ['/users', { name: 'Ana' }],
      ['/segments', { name: 'Everyone', filter: { all: [] } }],
    ] as const) {
      await service.reset()
      expect(await service.call('admin', 'POST', path, body)).toMatchObject({ status: 201 })
      const before = await everything()
      const said: string[] = []
      await makeSampleData(service.database, 50, (line) => said.push(line), anyDay)
      expect(said).toEqual([])
      expect(await everything()).toEqual(before)
    }
  })

  test('leaves a store alone whose last user is deleted', async () => {
    const ana = idOf(await service.call('admin', 'POST', '/users', { name: 'Ana' }))
    await service.call('admin', 'DELETE', `/users/${ana}`)
    expect(await one('select count(*) as value from users')).toBe(0)
    await makeSampleData(service.database, 50, silent, anyDay)
    expect(await one('select count(*) as value from users')).toBe(0)
  })

  test('leaves nothing when it ends half-way, so that the next start makes all of it', async () => {
    const { pool } = service.database
    await makeSampleData(service.database, 120, silent, anyDay)
    const whole = await everything()
    await service.reset()
    const empty = await everything()

    // Segments come last: by then all users are inserted.
    await pool.query('alter table segments add constraint power_cut check (false)')
    await expect(makeSampleData(service.database, 120, silent, anyDay)).rejects.toThrow('power_cut')
    await pool.query('alter table segments drop constraint power_cut')
    expect(await everything()).toEqual(empty)

    await makeSampleData(service.database, 120, silent, anyDay)
    expect(await everything()).toEqual(whole)
  })

  test('leaves the index over properties as the service wants it', async () => {
    await makeSampleData(service.database, 50, silent, anyDay)
    expect(await rows(optionsOfIndex)).toEqual(indexOptions)
  })
})
