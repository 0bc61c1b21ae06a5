import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { type Filter, type PropertyTest, dayMs } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { conditionOf } from './conditions.ts'
import { readFilter } from './facts.ts'
import { keepRangeIndexes } from './range-indexes.ts'

const service = testService()

const people = 6_000

/**
 * Creates entities with a number, a decimal, an amount in one of two currencies, a day, a moment and a time, each
 * increasing with the user. Some have unexpected values.
 */
beforeEach(async () => {
  await service.reset()
  const { sql: handle } = service.database
  await dropAll()
  await sql`
    insert into users (id, ref, ref_key, created, since)
    select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n::text, n::text, now(), now()
    from generate_series(1, ${people}::int) n`.execute(handle)
  await sql`
    insert into entities (user_id, id, type, created, properties)
    select u.id, u.id, case when n % 50 = 0 then 'boat' else 'car' end, now(), case when n % 40 = 0
      then jsonb_build_object('km', ${odd('TEXT')}, 'l', ${odd('URL')}, 'price', ${odd('TEXT')}, 'day', ${odd('TEXT')})
      when n % 41 = 0 then jsonb_build_object('km', ${odd('NUMBER')}, 'l', ${odd('DECIMAL')}, 'price', ${odd('CURRENCY')},
        'day', ${odd('DATE')}, 'at', ${odd('DATETIME')}, 'opens', ${odd('TIME')})
      else jsonb_build_object(
        'km', ${property('NUMBER')} || jsonb_build_object('value', n),
        'l', ${property('DECIMAL')} || jsonb_build_object('value', n || '.50'),
        'price', ${property('CURRENCY')} || jsonb_build_object('value', jsonb_build_object(
          'currency', case when n % 7 = 0 then 'EUR' else 'HUF' end, 'value', n::text)),
        'day', ${property('DATE')} || jsonb_build_object('value', to_char(date '1990-01-01' + n, 'YYYY-MM-DD')),
        'at', ${property('DATETIME')} || jsonb_build_object('value',
          to_char(timestamp '2020-01-01' + n * interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
        'opens', ${property('TIME')} || jsonb_build_object('value', to_char(time '00:00' + n * interval '10 s',
          case when n % 2 = 0 then 'HH24:MI:SS' else 'HH24:MI:SS.MS' end)))
      end
    from (select id, ref::int as n from users) u`.execute(handle)
  await sql`analyze users, entities`.execute(handle)
})

const property = (type: string) => sql`jsonb_build_object('type', ${type}::text, 'sensitive', false)`
/** A damaged property, whose value does not fit its type. */
const odd = (type: string) => sql`${property(type)} || jsonb_build_object('value', repeat('9', 3000))`

const car = (key: string, type: PropertyTest['type'], op: PropertyTest['op'], value: unknown): Filter => ({
  entity: 'car',
  where: [{ key, type, op, value }],
})
const filters: readonly Filter[] = [
  car('km', 'NUMBER', 'lt', 12),
  car('km', 'NUMBER', 'between', [100, 109]),
  car('l', 'DECIMAL', 'gte', '5991.500'),
  car('l', 'DECIMAL', 'eq', '77.5'),
  car('price', 'CURRENCY', 'gt', { currency: 'EUR', value: '5900' }),
  car('day', 'DATE', 'before', '1990-01-10'),
  car('day', 'DATE', 'on', '1990-03-01'),
  car('at', 'DATETIME', 'after', '2020-09-07'),
  car('opens', 'TIME', 'before', '00:01'),
]

// A distributed store has no range indexes.
const isOnOneMachine = !process.env.TEST_DATABASE_NODES

describe.runIf(isOnOneMachine)('indexes of what segments ask ranges of', () => {
  test('find the users whom their segments found before', async () => {
    const before = []
    for (const filter of filters) {
      before.push(await found(await create(filter)))
      expect(await planOf(filter)).not.toContain('range_')
    }
    expect(before.map((users) => users.length)).toEqual(filters.map((filter) => expectedOf(filter)))
    await keep()
    expect(await indexes()).toHaveLength(6)
    for (const [at, filter] of filters.entries()) {
      expect
        .soft(await planOf(filter), JSON.stringify(filter))
        .toMatch(/(Index|Bitmap Index) Scan (using|on) range_/)
      expect.soft(await found(await create(filter)), JSON.stringify(filter)).toEqual(before[at])
    }
    // Checking users one by one must not use the index, since each lookup would read the whole range.
    for (const filter of filters) expect(await planOf(filter, 'oneByOne')).not.toContain('range_')
    // A value longer than an index entry can be must not make a write fail.
    await sql`update entities set properties = jsonb_set(properties, '{day,value}', to_jsonb(repeat('8', 100000)))
      where user_id = (select id from users where ref = '41')`.execute(service.database.sql)
  })

  test('help filters that nobody saved', async () => {
    await create(car('km', 'NUMBER', 'gt', 5))
    await keep()
    expect(await planOf(car('km', 'NUMBER', 'lte', 3))).toContain('range_')
    expect(
      await planOf({ entity: 'boat', where: [{ key: 'km', type: 'NUMBER', op: 'lt', value: 3 }] }),
    ).not.toContain('range_')
  })

  test('are there for what definitions mark, without a segment, and not for what they exclude', async () => {
    const define = async (key: string, definition: object) =>
      service.call('admin', 'PUT', `/definitions/car/${key}`, definition)
    await define('km', { type: 'NUMBER', range: true })
    await define('price', { type: 'CURRENCY', range: true })
    await define('day', { type: 'DATE', range: false })
    await create(car('day', 'DATE', 'before', '1990-01-10'))
    await keep()
    expect(await indexes()).toHaveLength(1)
    expect(await planOf(car('km', 'NUMBER', 'lte', 3))).toContain('range_')

    await define('km', { type: 'NUMBER', range: true, sensitive: true })
    await define('day', { type: 'DATE' })
    await keep({ keptUnusedMs: 0 })
    await keep({ keptUnusedMs: 0 })
    expect(await indexes()).toHaveLength(1)
    expect(await planOf(car('day', 'DATE', 'before', '1990-01-10'))).toContain('range_')
  })

  test('are expected to find about as many as they find, and are looked up together', async () => {
    const some = car('price', 'CURRENCY', 'lt', { currency: 'EUR', value: '3000' })
    const filter: Filter = {
      entity: 'car',
      where: [
        { key: 'km', type: 'NUMBER', op: 'between', value: [1000, 1300] },
        { key: 'day', type: 'DATE', op: 'between', value: ['1993-04-15', '1994-02-09'] },
      ],
    }
    for (const each of [some, filter]) await create(each)
    await keep()
    const { where } = conditionOf(readFilter({ filter: some, tz: null }), service.database)
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
      explain (format json) select u.id from users u where ${where}`.execute(service.database.sql)
    const users = Array.from({ length: 2999 }, (_, at) => at + 1).filter(
      (n) => n % 7 === 0 && n % 50 !== 0 && n % 40 !== 0 && n % 41 !== 0,
    ).length
    const planned = rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
    expect(planned / users).toBeGreaterThan(0.7)
    expect(planned / users).toBeLessThan(1.4)
    const plan = await planOf(filter)
    expect(plan).toContain('BitmapAnd')
    expect(plan.match(/Bitmap Index Scan on range_/g)).toHaveLength(2)
  })

  test('go some time after the last segment that asked for them', async () => {
    const filter = car('km', 'NUMBER', 'lt', 12)
    const segment = await create(filter)
    const other = await create({ not: { any: [car('day', 'DATE', 'before', '1990-01-10'), filter] } })
    await keep()
    expect(await indexes()).toHaveLength(2)
    await service.call('admin', 'DELETE', `/segments/${segment}`)
    await keep({ keptUnusedMs: 0 })
    expect(await indexes()).toHaveLength(2)
    await service.call('admin', 'DELETE', `/segments/${other}`)
    await keep()
    await keep()
    expect(await indexes()).toHaveLength(2)
    expect(await planOf(filter)).toContain('range_')
    // The index is about to be dropped, so no query may rely on it.
    await keep({ keptUnusedMs: 300_000 })
    expect(await indexes()).toHaveLength(2)
    expect(await planOf(filter)).not.toContain('range_')
    // The index is needed again, so its unused time starts over.
    const again = await create(filter)
    await keep()
    await keep({ keptUnusedMs: 0 })
    expect(await indexes()).toHaveLength(1)
    await service.call('admin', 'DELETE', `/segments/${again}`)
    await keep({ keptUnusedMs: 0 })
    expect(await indexes()).toHaveLength(1)
    await keep({ keptUnusedMs: 0 })
    expect(await indexes()).toEqual([])
    const { rows } = await sql`select 1 from pg_statistic_ext where stxrelid = 'entities'::regclass`.execute(
      service.database.sql,
    )
    expect(rows).toEqual([])
  })

  test('are made of nothing that is sensitive, nor for few entities', async () => {
    await create(car('km', 'NUMBER', 'lt', 12))
    await keep({ leastEntities: people + 1 })
    expect(await indexes()).toEqual([])
    await sql`insert into property_keys (entity_type, key, type, sensitive) values ('car', 'km', 'NUMBER', true)`.execute(
      service.database.sql,
    )
    onTestFinished(async () => {
      await sql`delete from property_keys`.execute(service.database.sql)
    })
    await keep()
    expect(await indexes()).toEqual([])
  })
})

describe.runIf(isOnOneMachine)('indexes that are made while others work', () => {
  test('are made by one of several processes', async () => {
    await create(car('km', 'NUMBER', 'lt', 12))
    const made = vi.fn<() => void>()
    await Promise.all([keep({ made }), keep({ made }), keep({ made })])
    expect(made).toHaveBeenCalledTimes(1)
    expect(await indexes()).toEqual([{ name: expect.stringMatching(/^range_/), valid: true }])
  })

  test('are made again if they were left unfinished', async () => {
    await create(car('km', 'NUMBER', 'lt', 12))
    const end = await writing()
    const broken = keep().catch((error: unknown) => error)
    await vi.waitFor(
      async () => expect(await indexes()).toEqual([expect.objectContaining({ valid: false })]),
      waiting,
    )
    await sql`select pg_terminate_backend(pid) from pg_stat_progress_create_index`.execute(
      service.database.sql,
    )
    expect(await broken).toMatchObject({ code: '57P01' })
    await end()
    // The connection reports its end before its process is gone; until then the index counts as being built.
    await vi.waitFor(
      async () =>
        expect(
          (await sql`select 1 from pg_stat_progress_create_index`.execute(service.database.sql)).rows,
        ).toEqual([]),
      waiting,
    )
    expect(await indexes()).toEqual([expect.objectContaining({ valid: false })])
    await keep()
    expect(await indexes()).toEqual([expect.objectContaining({ valid: true })])
  })

  test('a process that ends leaves PostgreSQL to finish, and no other interferes', async () => {
    await create(car('km', 'NUMBER', 'lt', 12))
    const end = await writing()
    const ended = new AbortController()
    const made = vi.fn<() => void>()
    const first = keep({ signal: ended.signal, made })
    await vi.waitFor(async () => expect(await indexes()).toHaveLength(1), waiting)
    ended.abort()
    await first
    await keep({ made })
    await end()
    await vi.waitFor(
      async () => expect(await indexes()).toEqual([expect.objectContaining({ valid: true })]),
      waiting,
    )
    await keep({ made })
    expect(made).not.toHaveBeenCalled()
    expect(await planOf(car('km', 'NUMBER', 'lt', 12))).toContain('range_')
  })
})

const waiting = { timeout: 30_000 }

/** Holds an open write to entities, which building an index has to wait for; returns the function that ends it. */
async function writing(): Promise<() => Promise<void>> {
  const client = await service.database.pool.connect()
  await client.query('begin')
  await client.query('update entities set created = created where user_id = (select id from users limit 1)')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

const keep = (options: Parameters<typeof keepRangeIndexes>[1] = {}) =>
  keepRangeIndexes(service.database, { leastEntities: 0, ...options })

const create = (filter: Filter) => service.create('admin', '/segments', { name: crypto.randomUUID(), filter })

async function found(segment: string): Promise<string[]> {
  const { body } = await service.call('support', 'GET', `/users?segment=${segment}`)
  return (body as { users: { id: string }[] }).users.map(({ id }) => id)
}

/** Computes the expected number of users without SQL. */
function expectedOf(filter: Filter): number {
  const [{ key, op, value } = { key: '', op: '', value: undefined }] =
    'entity' in filter ? (filter.where ?? []) : []
  const numbers = Array.from({ length: people }, (_, at) => at + 1).filter(
    (n) => n % 50 !== 0 && n % 40 !== 0 && n % 41 !== 0,
  )
  const day = (n: number) => new Date(Date.parse('1990-01-01') + n * dayMs).toISOString().slice(0, 10)
  const holds: Record<string, (n: number) => boolean> = {
    'km lt': (n) => n < 12,
    'km between': (n) => n >= 100 && n <= 109,
    'l gte': (n) => n + 0.5 >= 5991.5,
    'l eq': (n) => n + 0.5 === 77.5,
    'price gt': (n) => n % 7 === 0 && n > 5900,
    'day before': (n) => day(n) < String(value),
    'day on': (n) => day(n) === value,
    'at after': (n) => n >= 251 * 24,
    'opens before': (n) => n < 6,
  }
  return numbers.filter((n) => holds[`${key} ${op}`]?.(n)).length
}

async function planOf(filter: Filter, way: 'where' | 'oneByOne' = 'where'): Promise<string> {
  const { database } = service
  const condition = conditionOf(readFilter({ filter, tz: null }), database)[way]
  const { rows } = await sql<{
    'QUERY PLAN': string
  }>`explain select u.id from users u where ${condition} order by u.id limit 51`.execute(database.sql)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

async function indexes() {
  const { rows } = await sql<{ name: string; valid: boolean }>`
    select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'entities'::regclass and c.relname like 'range%'`.execute(service.database.sql)
  return rows
}

async function dropAll() {
  for (const { name } of await indexes()) await sql`drop index ${sql.ref(name)}`.execute(service.database.sql)
}
