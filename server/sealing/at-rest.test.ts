import { type RawBuilder, sql } from 'kysely'
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { type Entity, type Event, fold, type Problem } from '#contract/index.ts'
import { insertGenerated, newEntity, zonelessText } from '../demo/bulk.ts'
import { seededIds, seededRandom } from '../demo/random.ts'
import { propertyChanges } from '../entities/changes.ts'
import { numberEvents } from '../events/storage.ts'
import { testService } from '../testing/hooks.ts'
import { startReceiver } from '../testing/receiver.ts'
import { idOf, type TestAnswer, type TestService } from '../testing/service.ts'
import { Delivering } from '../webhooks/delivery/delivering.ts'
import { Receivers } from '../webhooks/delivery/receiver.ts'

const logged: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
const service = testService({ log, allowLoopback: true })
/** Bodies and headers of all error responses. */
const refusals: string[] = []

beforeEach(async () => {
  await service.reset()
  logged.length = 0
  refusals.length = 0
})

async function call(...[role, ...request]: Parameters<TestService['call']>): Promise<TestAnswer> {
  const answer = await service.call(role, ...request)
  if (answer.status >= 400) refusals.push(JSON.stringify([...answer.headers, answer.body]))
  return answer
}

async function create(address: string, body: object, headers?: Record<string, string>): Promise<string> {
  const answer = await call('steward', 'POST', address, body, headers)
  expect(answer.status).toBe(201)
  return idOf(answer)
}

/** Data types whose values can carry a text or number that is recognizable in a dump of the whole store. */
const types = ['TEXT', 'EMAIL', 'URL', 'NUMBER', 'DECIMAL', 'CURRENCY', 'DATETIME'] as const

/** Makes values with recognizable texts, and records these texts. */
class Canaries {
  readonly texts: string[] = []

  text(): string {
    const text = `Canary-${this.texts.length}-${Math.random().toString(36).slice(2)}-sings`
    this.texts.push(text)
    return text
  }

  #digits(): string {
    const digits = String(7e14 + Math.floor(Math.random() * 1e14))
    this.texts.push(digits)
    return digits
  }

  value(type: (typeof types)[number]): unknown {
    switch (type) {
      case 'EMAIL':
        return `${this.text()}@example.org`
      case 'URL':
        return `https://example.org/${this.text()}`
      case 'NUMBER':
        return Number(this.#digits())
      case 'DECIMAL':
        return `${this.#digits()}.50`
      case 'CURRENCY':
        return { currency: 'EUR', value: this.#digits() }
      case 'DATETIME': {
        const moment = new Date(Date.UTC(2300, 0, 1) + Number(this.#digits().slice(0, 12))).toISOString()
        this.texts.splice(-1, 1, moment)
        return moment
      }
      case 'TEXT':
        return this.text()
    }
  }
}

/** Encodings in which unencrypted text might be stored. */
function spellings(text: string): string[] {
  const bytes = Buffer.from(text)
  const in64 = [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, -4)
    return [encoded, encoded.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [text, fold(text), bytes.toString('hex'), ...in64]
}

/** All rows of all tables as text. */
async function dump(): Promise<string> {
  const { pool } = service.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  expect(tables.length).toBeGreaterThan(12)
  const texts = []
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from "${name}" t`)
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

/** Returns the texts that the haystack contains, in any spelling. */
const foundIn = (haystack: string, texts: readonly string[]) =>
  texts.filter((text) => spellings(text).some((spelling) => haystack.includes(spelling)))

test('50 sensitive values, written in every way, are in no dump, log, error, event or webhook', async () => {
  const canaries = new Canaries()
  const open = new Canaries()
  const secret = (key: string, type: (typeof types)[number] = 'TEXT') => ({
    key,
    type,
    sensitive: true,
    value: canaries.value(type),
  })
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const subscribed = await call('admin', 'POST', '/subscriptions', { url: receiver.url })
  const { secret: signing } = subscribed.body as { secret: string }
  canaries.texts.push(signing, Buffer.from(signing.replace('whsec_', ''), 'base64').toString('hex'))
  const plain = (key: string) => ({ key, type: 'TEXT', value: canaries.text() })
  const ofAllTypes = () => types.map((type) => secret(type.toLowerCase(), type))

  // A new user, a creation that finds this user by `ref`, and entities.
  const user = await create('/users', {
    ref: 'A1',
    properties: [...ofAllTypes(), { key: 'open', type: 'TEXT', value: open.text() }],
  })
  const matched = await call('steward', 'POST', '/users', { ref: 'A1', properties: [secret('text')] })
  expect(matched.status).toBe(303)
  const entities = `/users/${user}/entities`
  const car = `${entities}/${await create(entities, { type: 'car', properties: ofAllTypes() })}`

  // Values that are changed one by one or all at once, get another type, are renamed, or are removed.
  expect(await call('steward', 'PATCH', car, { properties: ofAllTypes() })).toMatchObject({ status: 204 })
  expect(await call('steward', 'PATCH', car, { properties: [secret('text')] })).toMatchObject({ status: 204 })
  const whole = { type: 'car', properties: [secret('text', 'URL'), secret('renamed')] }
  expect(await call('steward', 'PUT', car, whole)).toMatchObject({ status: 204 })
  expect(await call('steward', 'PUT', car, { type: 'car', properties: [] })).toMatchObject({ status: 204 })

  // Values that are first stored in clear through several changes, then marked as sensitive: alone, with another value,
  // and as a new property under the old key.
  const later = `${entities}/${await create(entities, { type: 'car', properties: [plain('a'), plain('b'), plain('c')] })}`
  for (const properties of [
    [plain('a'), plain('b')],
    [{ key: 'a', sensitive: true }, secret('b')],
  ])
    expect(await call('steward', 'PATCH', later, { properties })).toMatchObject({ status: 204 })
  const kept = [{ key: 'a', type: 'TEXT', sensitive: true, masked: true }, secret('b')]
  expect(await call('steward', 'PUT', later, { type: 'car', properties: kept })).toMatchObject({
    status: 204,
  })
  expect(await call('steward', 'PATCH', later, { properties: [secret('c')] })).toMatchObject({ status: 204 })

  // A write with an idempotency key, its repetition, and another body under the same key.
  const keyed = { 'idempotency-key': 'one' }
  const body = { type: 'pet', properties: [secret('chip')] }
  const pet = await create(entities, body, keyed)
  expect(idOf(await call('steward', 'POST', entities, body, keyed))).toBe(pet)
  const other = { type: 'pet', properties: [secret('chip')] }
  expect(await call('steward', 'POST', entities, other, keyed)).toMatchObject({ status: 422 })

  // A deleted entity and a deleted user.
  const gone = await create(entities, { type: 'car', properties: [secret('plate')] })
  expect(await call('steward', 'DELETE', `${entities}/${gone}`)).toMatchObject({ status: 204 })
  const leaving = await create('/users', { ref: 'A2', properties: [secret('iban')] })
  expect(await call('admin', 'DELETE', `/users/${leaving}`)).toMatchObject({ status: 204 })

  // Writes that are refused for all kinds of reasons.
  const bad = [
    { key: 'n', type: 'NUMBER', sensitive: true, value: canaries.text() },
    { key: 'd', type: 'DATE', sensitive: true, value: canaries.text() },
    { key: 'r', type: 'RELATIONSHIP', sensitive: true, value: { user: canaries.text() } },
    { key: 'x', type: 'TEXT', sensitive: true, value: canaries.text(), no_such_field: canaries.text() },
  ]
  for (const property of bad)
    expect(await call('steward', 'PATCH', later, { properties: [property] })).toMatchObject({ status: 422 })
  expect(await call('support', 'PATCH', later, { properties: [secret('a')] })).toMatchObject({ status: 403 })
  const stale = await call('steward', 'PATCH', later, { properties: [secret('a')] }, { 'if-match': '"x"' })
  expect(stale.status).toBe(412)
  const nowhere = await call('steward', 'PATCH', `${entities}/${gone}`, { properties: [secret('a')] })
  expect(nowhere.status).toBe(404)
  for (const broken of [
    `{"properties":[{"value":"${canaries.text()}"}`,
    `{"a":1,"a":"${canaries.text()}"}`,
  ]) {
    const response = await service.fetch(`${service.baseUrl}${later}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${await service.token('steward')}`,
        'content-type': 'application/json',
      },
      body: broken,
    })
    expect(response.status).toBe(400)
    refusals.push(JSON.stringify([...response.headers, await response.text()]))
  }

  // Bulk writes, as sample data makes them.
  const makeId = seededIds(seededRandom(7))
  const bulkUser = makeId(Date.now())
  const time = zonelessText(Date.now())
  const entity = newEntity(makeId, Date.now(), bulkUser, 'car', ofAllTypes())
  const changes = propertyChanges({}, entity.properties)
  await service.database.sql.transaction().execute(async (transaction) => {
    const user = {
      id: bulkUser,
      email: null,
      name: null,
      ref: 'A3',
      created: time,
      since: time,
      account: false,
    }
    const added = {
      id: makeId(Date.now()),
      user: bulkUser,
      entity,
      op: 'add',
      actor: 'bulk',
      time,
      changes,
    } as const
    const generated = { user, entities: [entity], events: [], changesets: [added], reasons: [] }
    expect(await insertGenerated(transaction, service.database.keys, [generated])).toBe(1)
  })

  // Revealed values.
  const reveal = await call('steward', 'POST', `${later}/reveal`, { keys: ['a', 'b'], reason: 'A call' })
  expect((reveal.body as { properties: unknown[] }).properties).toHaveLength(2)

  // Values that filters look for.
  const wanted = secret('wanted')
  expect(await call('steward', 'PATCH', later, { properties: [wanted] })).toMatchObject({ status: 204 })
  const { key, type, value } = wanted
  const filter = { any: [{ entity: 'car', where: [{ key, type, op: 'eq', value }] }] }
  const segment = idOf(await call('admin', 'POST', '/segments', { name: 'Wanted', filter }))
  expect((await call('admin', 'GET', `/segments/${segment}`)).body).toMatchObject({ filter })
  expect((await call('steward', 'GET', `/users?segment=${segment}`)).body).toMatchObject({ total: 1 })
  const memberships = await call('steward', 'GET', `/users/${user}/segments`)
  expect(memberships.body).toMatchObject([{ id: segment, member: true }])

  expect(canaries.texts.length).toBeGreaterThanOrEqual(50)
  const { body: list }: { body: Entity[] } = await call('steward', 'GET', entities)
  expect(foundIn(JSON.stringify(list), canaries.texts).length).toBeGreaterThan(8)
  await numberEvents(service.database.sql)
  const { body: events }: { body: Event[] } = await call('steward', 'GET', '/events?order=desc')
  expect(events.length).toBeGreaterThan(12)

  const receivers = new Receivers({ allowLoopback: true })
  const delivering = new Delivering({ database: service.database, receivers })
  await vi.waitFor(async () => {
    const { rows } =
      await sql`select 1 from events where not delivered and type <> 'SUBSCRIPTION_CREATED'`.execute(
        service.database.sql,
      )
    expect(rows).toEqual([])
  })
  await delivering.stop()
  const sent = receiver.received.map(({ headers, text }) => JSON.stringify(headers) + text).join('\n')
  expect(receiver.received).toHaveLength(events.filter(({ type }) => type !== 'SUBSCRIPTION_CREATED').length)

  const dumped = await dump()
  expect(foundIn(dumped, open.texts)).toEqual(open.texts)
  expect(foundIn(dumped, canaries.texts)).toEqual([])
  expect(foundIn(JSON.stringify(events), canaries.texts)).toEqual([])
  expect(foundIn(sent, [...canaries.texts, ...open.texts])).toEqual([])
  // The reason of a reveal is free text, so it may contain personal data.
  expect(JSON.stringify(events)).toContain('A call')
  expect(dumped).not.toContain('A call')
  expect(sent).not.toContain('A call')
  expect(refusals.length).toBeGreaterThan(9)
  expect(foundIn(refusals.join('\n'), canaries.texts)).toEqual([])
  expect(logged.length).toBeGreaterThan(25)
  expect(foundIn(logged.join('\n'), [...canaries.texts, ...open.texts])).toEqual([])
})

describe('a sealed value that was moved', () => {
  type ValueLocation = { user: string; entity: string; key: string }
  let places: Record<'here' | 'key' | 'entity' | 'user', ValueLocation>
  const secretOf = (key: string, value: string) => ({ key, type: 'TEXT', sensitive: true, value })
  beforeEach(async () => {
    const [ana, bo] = [await create('/users', { ref: 'A' }), await create('/users', { ref: 'B' })]
    const car = async (user: string, name: string) =>
      await create(`/users/${user}/entities`, {
        type: 'car',
        properties: [secretOf('plate', `${name}-plate`), secretOf('frame', `${name}-frame`)],
      })
    const [first, second, other] = [await car(ana, 'first'), await car(ana, 'second'), await car(bo, 'other')]
    places = {
      here: { user: ana, entity: first, key: 'plate' },
      key: { user: ana, entity: first, key: 'frame' },
      entity: { user: ana, entity: second, key: 'plate' },
      user: { user: bo, entity: other, key: 'plate' },
    }
  })
  const one = async (what: RawBuilder<unknown>) => {
    const { rows } = await sql<{ value: unknown }>`select ${what}`.execute(service.database.sql)
    return Object.values(rows[0] ?? {})[0]
  }
  const read = async ({ user, entity }: ValueLocation) =>
    await call('steward', 'GET', `/users/${user}/entities/${entity}`)

  test.each(['key', 'entity', 'user'] as const)('to another %s does not open', async (place) => {
    const { here, [place]: there } = places
    expect(await read(there)).toMatchObject({ status: 200 })
    const value = await one(sql`sealed ->> ${here.key}::text from entities where id = ${here.entity}`)
    await sql`
      update entities set sealed = sealed || jsonb_build_object(${there.key}::text, ${value}::text)
      where id = ${there.entity}`.execute(service.database.sql)
    const answer = await read(there)
    expect(answer.status).toBe(500)
    expect((answer.body as Problem).detail).toMatch(/^Something went wrong on our side/)
    const revealed = await call('steward', 'POST', `/users/${there.user}/entities/${there.entity}/reveal`, {
      keys: [there.key],
      reason: 'A call',
    })
    expect(revealed.status).toBe(500)
    // A read without values still succeeds.
    expect(await call('support', 'GET', `/users/${there.user}/entities/${there.entity}`)).toMatchObject({
      status: 200,
    })
    expect(logged.join('\n')).not.toContain('first-plate')
  })

  test('with the key of its user does not open either', async () => {
    const { here, user } = places
    const wrapped = await one(sql`wrapped from user_keys where user_id = ${here.user}`)
    await sql`update user_keys set wrapped = ${wrapped}::bytea where user_id = ${user.user}`.execute(
      service.database.sql,
    )
    const sealed = await one(sql`sealed::text from entities where id = ${here.entity}`)
    await sql`update entities set sealed = ${sealed}::jsonb where id = ${user.entity}`.execute(
      service.database.sql,
    )
    expect(await read(user)).toMatchObject({ status: 500 })
  })
})

describe('a user who is deleted', () => {
  test('takes the only key to the sealed values along', async () => {
    const user = await create('/users', {
      properties: [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02' }],
    })
    const keys = async () => (await service.database.pool.query('select user_id from user_keys')).rows
    expect(await keys()).toEqual([{ user_id: user }])
    expect(await call('admin', 'DELETE', `/users/${user}`)).toMatchObject({ status: 204 })
    expect(await keys()).toEqual([])
  })
})

describe('when a master key is missing', () => {
  const ready = async () => {
    const response = await service.fetch('/readyz')
    return [response.status, ((await response.json()) as { code?: string }).code]
  }
  let user: string
  let entity: string
  beforeEach(async () => {
    user = await create('/users', { ref: 'A' })
    const properties = [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02' }]
    entity = `/users/${user}/entities/${await create(`/users/${user}/entities`, { type: 'person', properties })}`
  })

  test('the service is not ready, answers what it can, and refuses what needs the key', async () => {
    expect(await ready()).toEqual([200, undefined])
    await sql`update user_keys set master = 'lost'`.execute(service.database.sql)
    expect(await ready()).toEqual([503, 'unavailable'])

    const { status, headers, body } = await call('steward', 'GET', entity)
    expect(status).toBe(503)
    expect(headers.get('retry-after')).not.toBeNull()
    expect((body as Problem).detail).toMatch(/^A key that this needs is missing from the settings/)
    expect(JSON.stringify(body)).not.toContain('lost')
    expect(logged.join('\n')).toContain(
      'The master key \\"lost\\" is needed and is not among ENCRYPTION_KEYS.',
    )

    const reveal = await call('steward', 'POST', `${entity}/reveal`, { keys: ['iban'], reason: 'A call' })
    expect(reveal.status).toBe(503)
    await numberEvents(service.database.sql)
    const { body: events }: { body: Event[] } = await call('steward', 'GET', '/events')
    expect(events.map(({ type }) => type)).not.toContain('SENSITIVE_DATA_ACCESSED')

    expect(await call('steward', 'GET', `${entity}?sensitive=masked`)).toMatchObject({ status: 200 })
    expect(await call('support', 'GET', entity)).toMatchObject({ status: 200 })
    const write = { properties: [{ key: 'iban', value: 'DE03' }] }
    expect(await call('steward', 'PATCH', entity, write)).toMatchObject({ status: 503 })
    await create('/users', {
      ref: 'B',
      properties: [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'X' }],
    })

    await sql`update user_keys set master = 'test' where user_id = ${user}`.execute(service.database.sql)
    expect(await ready()).toEqual([200, undefined])
    expect(await call('steward', 'GET', entity)).toMatchObject({ status: 200 })
  })

  test('that of the index counts too', async () => {
    await sql`update service_keys set master = 'lost'`.execute(service.database.sql)
    expect(await ready()).toEqual([503, 'unavailable'])
    await sql`update service_keys set master = 'test'`.execute(service.database.sql)
    expect(await ready()).toEqual([200, undefined])
  })
})
