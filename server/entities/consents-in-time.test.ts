import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Entity, Event, Job, JobReport, Property } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const on = (status: string, day: string, more: object = {}) => ({
  status,
  statusDate: `${day}T00:00:00.000Z`,
  ...more,
})
const revoked = on('REVOKED', '2026-06-01')
const older = on('GRANTED', '2024-06-01')
const later = on('GRANTED', '2026-07-01')
const isNow = expect.stringMatching(`^${new Date().toISOString().slice(0, 10)}`) as string

/** The token has no role. */
const nobody = undefined

type Headers = Record<string, string>
type Call = (
  method: string,
  path: string,
  body?: object,
  headers?: Headers,
) => ReturnType<typeof service.call>

const steward: Call = (...request) => service.call('steward', ...request)
/** Calls as a caller who may write sensitive values, but not read them. */
const blind: Call = async (method, path, sent, headers) => {
  const scope = 'users:read users:write entities:read entities:write sensitive:write'
  const authorization = `Bearer ${await service.sign({ sub: 'blind', scope })}`
  return await service.call(nobody, method, path, sent, { authorization, ...headers })
}

const email = 'ana@example.org'
const news = (value: unknown, more: object = {}) => [{ key: 'news', type: 'PREFERENCE', value, ...more }]

interface Person {
  readonly user: string
  readonly path: string
}

async function person(value: unknown, more: object = {}): Promise<Person> {
  const user = await service.create('steward', '/users', { email, properties: news(value, more) })
  const { body }: { body: Entity[] } = await steward('GET', `/users/${user}/entities?sensitive=masked`)
  return { user, path: `/users/${user}/entities/${body[0]?.id}` }
}

async function readStored({ path }: Person): Promise<Property | undefined> {
  const { body }: { body: Entity } = await steward('GET', path)
  return body.properties.find(({ key }) => key === 'news')
}
const value = async (whose: Person) => (await readStored(whose))?.value

const tag = async ({ path }: Person) => (await steward('GET', path)).headers.get('etag') ?? ''
const events = async ({ user }: Person): Promise<Event[]> =>
  (await service.call('admin', 'GET', `/events?order=desc&type=DIRECT_DATA_CHANGE&user=${user}`)).body

/** Stores a value as it is, by another way than the API. */
async function plant({ path }: Person, planted: object) {
  await sql`
    update entities set properties = jsonb_set(properties, '{news,value}', ${JSON.stringify(planted)}::jsonb)
    where id = ${path.split('/').at(-1)}::uuid`.execute(service.database.sql)
}

interface Way {
  /** Writes the consent and returns the status. */
  readonly write: (whose: Person, given: object, as?: Call, headers?: Headers) => ReturnType<Call>
  readonly done: number
}

const patch: Way = {
  write: ({ path }, given, as = steward, headers) =>
    as('PATCH', path, { properties: [{ key: 'news', value: given }] }, headers),
  done: 204,
}
const put: Way = {
  write: ({ path }, given, as = steward, headers) =>
    as('PUT', path, { type: 'person', properties: news(given) }, headers),
  done: 204,
}
const post: Way = {
  write: (_, given, as = steward, headers) =>
    as('POST', '/users', { email, properties: news(given) }, headers),
  done: 303,
}
/** PUT of a sensitive property: without `sensitive` it would take the mark off. */
const putSensitive: Way = {
  ...put,
  write: ({ path }, given, as = steward, headers) =>
    as('PUT', path, { type: 'person', properties: news(given, { sensitive: true }) }, headers),
}

async function batch({ user }: Person, given: object, { as = steward, dryRun = false } = {}) {
  const set = { entity: 'person', key: 'news', type: 'PREFERENCE', value: given }
  const begun = await as('POST', '/users/batch', { ids: [user], set, dryRun })
  const job = begun.headers.get('location')?.replace(service.baseUrl, '') ?? ''
  return { job, ended: () => outcomeOf(job, as) }
}

async function outcomeOf(job: string, as: Call) {
  await vi.waitFor(
    async () => {
      const { body }: { body: Job } = await as('GET', job)
      expect(body.state).toBe('finished')
    },
    { timeout: 30_000, interval: 20 },
  )
  const { body }: { body: JobReport } = await as('GET', `${job}/users`)
  return body.users.map(({ outcome, code }) => (code === undefined ? outcome : `${outcome}: ${code}`))
}

describe('a consent that is older than the stored one, with another status', () => {
  test.each([
    ['PATCH', patch, older, revoked],
    ['PUT', put, older, revoked],
    ['PATCH', patch, older, on('DENIED', '2026-06-01')],
    ['PUT', put, on('DENIED', '2024-06-01'), on('GRANTED', '2026-06-01')],
    ['PATCH', patch, on('REVOKED', '2026-05-31'), on('DENIED', '2026-06-01')],
    ['PATCH', patch, on('GRANTED', '2024-06-01', { expires: '2099-01-01T00:00:00.000Z' }), revoked],
    ['PATCH', patch, older, on('REVOKED', '2099-06-01')],
    ['PATCH', patch, on('GRANTED', '2098-06-01'), on('REVOKED', '2099-06-01')],
    ['PATCH', patch, { status: 'GRANTED', statusDate: '2026-06-01T01:59:59.999+02:00' }, revoked],
    ['PUT', put, { status: 'GRANTED', statusDate: '2026-05-31T23:00:00-00:59' }, revoked],
  ])('is refused by %s, with a pointer', async (_, { write }, given, kept) => {
    const ana = await person(kept)
    const before = await events(ana)
    const answer = await write(ana, given)
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'older_consent',
        errors: [{ pointer: '/properties/0/value', code: 'older_consent' }],
      },
    })
    expect(JSON.stringify(answer.body)).not.toMatch(/2026-06-01|2099|REVOKED|DENIED/)
    expect(await value(ana)).toEqual(kept)
    expect(await events(ana)).toEqual(before)
  })

  test.each([
    ['PATCH', patch],
    ['PUT', put],
  ])('is stored by %s on the state that was read', async (_, { write }) => {
    const ana = await person(revoked)
    expect((await write(ana, older, steward, { 'if-match': '*' })).status).toBe(409)
    expect((await write(ana, older, steward, { 'if-match': '"elsewhere"' })).status).toBe(412)
    expect((await write(ana, older, steward, { 'if-match': await tag(ana) })).status).toBe(204)
    expect(await value(ana)).toEqual(older)
  })

  test('is left out by POST of a user who exists, which does the rest and says so', async () => {
    const ana = await person(revoked)
    const properties = [...news(older), { key: 'city', type: 'TEXT', value: 'Lyon' }]
    const answer = await steward('POST', '/users', { email, properties })
    expect([answer.status, answer.headers.get('property-warnings')]).toEqual([
      303,
      '"older_consent";entity="person";key="news"',
    ])
    expect(await value(ana)).toEqual(revoked)
    const { body }: { body: Entity } = await steward('GET', ana.path)
    expect(body.properties.map(({ key }) => key)).toEqual(['news', 'city'])
  })

  test('is no change where a POST of a user has nothing else', async () => {
    const ana = await person(revoked)
    const before = await events(ana)
    expect((await post.write(ana, older)).status).toBe(303)
    expect(await events(ana)).toEqual(before)
  })

  test('is refused with all else that is wrong, which is said first', async () => {
    const ana = await person(revoked)
    const properties = [...news(older), { key: 'n', type: 'NUMBER', value: 'x' }]
    expect(await steward('PATCH', ana.path, { properties })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/properties/1/value', code: 'invalid_value' }] },
    })
    expect(await steward('POST', '/users', { email, properties })).toMatchObject({ status: 422 })
  })

  test('is refused for one user of a job, in the dry run too', async () => {
    const ana = await person(revoked)
    const dryRun = await batch(ana, older, { dryRun: true })
    expect(await dryRun.ended()).toEqual(['refused: older_consent'])
    expect(await (await batch(ana, older)).ended()).toEqual(['refused: older_consent'])
    expect(await value(ana)).toEqual(revoked)
    expect(await (await batch(ana, later)).ended()).toEqual(['changed'])
    expect(await value(ana)).toEqual(later)
  })

  test('is refused for a user who has withdrawn since a dry run found something to change', async () => {
    const ana = await person(on('GRANTED', '2020-01-01'))
    const dryRun = await batch(ana, { status: 'DENIED' }, { dryRun: true })
    expect(await dryRun.ended()).toEqual(['changed'])
    // A changed property is a conflict before its date is looked at.
    await patch.write(ana, { status: 'REVOKED' })
    await steward('POST', `${dryRun.job}/apply`)
    expect(await outcomeOf(dryRun.job, steward)).toEqual(['conflict'])
    expect(await value(ana)).toEqual({ status: 'REVOKED', statusDate: isNow })
  })

  test.each([
    ['PATCH', patch],
    ['PUT', put],
    ['POST', post],
  ])(
    'leaves the later one alone by %s: a later, an equal or the same word is stored without a warning',
    async (_, way) => {
      const ana = await person(revoked)
      for (const next of [
        later,
        on('DENIED', '2026-07-01'),
        on('DENIED', '2020-01-01'),
        on('DENIED', '2021-01-01', { expires: '2022-01-01T00:00:00.000Z' }),
        on('GRANTED', '2098-01-01'),
        { status: 'GRANTED', statusDate: '2001-01-01T00:00:00.000Z' },
      ]) {
        const answer = await way.write(ana, next)
        expect([answer.status, answer.headers.get('property-warnings')]).toEqual([way.done, null])
        expect(await value(ana)).toEqual(next)
      }
    },
  )

  test('does not matter to what is no consent before or after', async () => {
    const ana = await person(null)
    expect((await patch.write(ana, older)).status).toBe(204)
    expect((await steward('PATCH', ana.path, { properties: news(null) })).status).toBe(204)
    await steward('PATCH', ana.path, { properties: [{ key: 'news', type: 'TEXT', value: 'yes' }] })
    expect((await steward('PATCH', ana.path, { properties: news(older) })).status).toBe(204)
    expect(await value(ana)).toEqual(older)
  })

  test.each([
    [{ status: 'REVOKED' }],
    [{ status: 'REVOKED', statusDate: null }],
    [{ status: 'REVOKED', statusDate: 'soon' }],
  ])('is stored over %j, which has no date to be later by', async (planted) => {
    const ana = await person(revoked)
    await plant(ana, planted)
    expect((await patch.write(ana, older)).status).toBe(204)
    expect(await value(ana)).toEqual(older)
  })

  test('is replayed as it was answered', async () => {
    const ana = await person(revoked)
    const headers = { 'idempotency-key': 'k1' }
    const first = await post.write(ana, older, steward, headers)
    const again = await post.write(ana, older, steward, headers)
    expect([first.status, again.status]).toEqual([303, 303])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const patched = { 'idempotency-key': 'k2' }
    expect((await patch.write(ana, older, steward, patched)).status).toBe(409)
    // A refused write keeps no key, so the same request can be sent again with the tag.
    const seen = { ...patched, 'if-match': await tag(ana) }
    expect((await patch.write(ana, older, steward, seen)).status).toBe(204)
    const replayed = await patch.write(ana, older, steward, patched)
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([204, 'true'])
  })

  test('is restored by a revert of the later one, or with the entity', async () => {
    const ana = await person(older)
    await patch.write(ana, revoked)
    const changeset = String((await events(ana))[0]?.properties.changeset)
    expect((await steward('POST', `/changesets/${changeset}/revert`, {})).status).toBe(204)
    expect(await value(ana)).toEqual(older)
    await steward('DELETE', ana.path)
    expect((await steward('POST', `${ana.path}/restore`)).status).toBe(204)
    expect(await value(ana)).toEqual(older)
  })

  test('is weighed against what a write at the same moment stores', async () => {
    for (let round = 0; round < 40; round += 1) {
      await service.reset()
      const ana = await person(on('GRANTED', '2023-01-01'))
      const [no] = await Promise.all([
        patch.write(ana, revoked),
        round % 2 === 0
          ? patch.write(ana, on('DENIED', '2024-06-01'))
          : post.write(ana, on('DENIED', '2024-06-01')),
      ])
      expect(no.status).toBe(204)
      expect(await value(ana)).toEqual(revoked)
    }
  })
})

describe('a status without a date', () => {
  test.each([
    ['PATCH', patch],
    ['PUT', put],
    ['POST', post],
  ])('that is the stored one keeps date and end by %s, and is no change', async (_, way) => {
    const kept = on('GRANTED', '2024-06-01', { expires: '2099-01-01T00:00:00.000Z' })
    const ana = await person(kept)
    const before = [await events(ana), await tag(ana)]
    expect((await way.write(ana, { status: 'GRANTED' })).status).toBe(way.done)
    expect(await value(ana)).toEqual(kept)
    expect([await events(ana), await tag(ana)]).toEqual(before)
  })

  test.each([
    [{ status: 'GRANTED' }],
    [on('GRANTED', '2098-01-01')],
    [on('GRANTED', '2020-01-01', { expires: '2021-01-01T00:00:00.000Z' })],
  ])('keeps %j too', async (planted) => {
    const ana = await person(revoked)
    await plant(ana, planted)
    const before = await events(ana)
    expect((await patch.write(ana, { status: 'GRANTED' })).status).toBe(204)
    expect(await value(ana)).toEqual(planted)
    expect(await events(ana)).toEqual(before)
  })

  test('keeps the date and takes a new end', async () => {
    const ana = await person(on('GRANTED', '2024-06-01', { expires: '2026-12-31T00:00:00.000Z' }))
    expect((await patch.write(ana, { status: 'GRANTED', expires: '2030-01-01T00:00:00Z' })).status).toBe(204)
    expect(await value(ana)).toEqual(on('GRANTED', '2024-06-01', { expires: '2030-01-01T00:00:00.000Z' }))
  })

  test.each([
    ['PATCH', patch],
    ['PUT', put],
    ['POST', post],
  ])('that is another one is said now by %s, and replaces one that lies ahead', async (_, way) => {
    const ana = await person(on('GRANTED', '2099-01-01'))
    const answer = await way.write(ana, { status: 'REVOKED' })
    expect([answer.status, answer.headers.get('property-warnings')]).toEqual([way.done, null])
    expect(await value(ana)).toEqual({ status: 'REVOKED', statusDate: isNow })
  })

  test('is said when the job was begun, for all of its users', async () => {
    const ana = await person(on('GRANTED', '2099-01-01'))
    const { job, ended } = await batch(ana, { status: 'DENIED' })
    expect(await ended()).toEqual(['changed'])
    const { body }: { body: Job } = await steward('GET', job)
    expect(await value(ana)).toEqual({ status: 'DENIED', statusDate: body.created })
    expect(await (await batch(ana, { status: 'DENIED' })).ended()).toEqual(['unchanged'])
    expect(await value(ana)).toEqual({ status: 'DENIED', statusDate: body.created })
  })

  test('stays without one where a value is kept or put back', async () => {
    const ana = await person(revoked)
    await plant(ana, { status: 'REVOKED' })
    await steward('PATCH', ana.path, { properties: [{ key: 'news', sensitive: true }] })
    expect(await value(ana)).toEqual({ status: 'REVOKED' })
    await steward('PATCH', ana.path, { properties: news(null) })
    const changeset = String((await events(ana))[0]?.properties.changeset)
    await steward('POST', `/changesets/${changeset}/revert`, {})
    expect(await value(ana)).toEqual({ status: 'REVOKED' })
  })
})

describe('a sensitive consent', () => {
  const sensitive = { sensitive: true }

  test.each([
    ['PATCH', patch],
    ['PUT', putSensitive],
    ['POST', post],
  ])('keeps the later word by %s, and the answer does not tell', async (_, way) => {
    for (const as of [steward, blind])
      for (const [kept, expected] of [
        [revoked, revoked],
        [on('REVOKED', '2020-01-01'), older],
        [on('GRANTED', '2026-06-01'), older],
        [null, older],
      ]) {
        await service.reset()
        const ana = await person(kept, sensitive)
        const before = [(await events(ana)).length, await tag(ana)]
        const answer = await way.write(ana, older, as)
        expect([answer.status, answer.body, answer.headers.get('property-warnings')]).toEqual([
          way.done,
          undefined,
          null,
        ])
        expect(await value(ana)).toEqual(expected)
        expect((await readStored(ana))?.sensitive).toBe(true)
        if (as === steward) continue
        // A caller who may not read it sees a change, whatever is stored.
        expect(await events(ana)).toHaveLength(Number(before[0]) + 1)
        expect(await tag(ana)).not.toBe(before[1])
      }
  })

  test.each([
    ['PATCH', patch],
    ['PUT', putSensitive],
  ])('takes an older word by %s on the state that was read', async (_, { write }) => {
    const ana = await person(revoked, sensitive)
    expect((await write(ana, older, steward, { 'if-match': await tag(ana) })).status).toBe(204)
    expect(await value(ana)).toEqual(older)
  })

  test('withholds the date of the same status from callers who may not read it', async () => {
    const ana = await person(older, sensitive)
    expect((await patch.write(ana, { status: 'GRANTED' }, blind)).status).toBe(204)
    expect(await value(ana)).toEqual(older)
    expect((await patch.write(ana, { status: 'REVOKED' }, blind)).status).toBe(204)
    expect(await value(ana)).toEqual({ status: 'REVOKED', statusDate: isNow })
  })

  test.each([
    ['who may read it', steward],
    ['who may not', blind],
  ])('keeps the later word in a job of a caller %s, and the report does not tell', async (_, as) => {
    const ana = await person(revoked, sensitive)
    expect(await (await batch(ana, older, { as, dryRun: true })).ended()).toEqual(['changed'])
    expect(await (await batch(ana, older, { as })).ended()).toEqual(['changed'])
    expect(await value(ana)).toEqual(revoked)
    expect(await (await batch(ana, later, { as })).ended()).toEqual(['changed'])
    expect(await value(ana)).toEqual(later)
  })

  test('is opened, on the record, by a write that takes its mark off, since the later word may stay', async () => {
    for (const [given, expected] of [
      [older, revoked],
      [later, later],
      [{ status: 'REVOKED' }, revoked],
    ]) {
      await service.reset()
      const ana = await person(revoked, sensitive)
      expect((await put.write(ana, given ?? {})).status).toBe(204)
      expect(await readStored(ana)).toMatchObject({ sensitive: false, value: expected })
      const { body }: { body: Event[] } = await service.call(
        'admin',
        'GET',
        '/events?type=SENSITIVE_DATA_ACCESSED',
      )
      expect(body).toMatchObject([{ properties: { user: ana.user, keys: '["news"]' } }])
    }
  })

  test('is left where the write marks it', async () => {
    const ana = await person(revoked)
    const answer = await steward('POST', '/users', { email, properties: news(older, sensitive) })
    expect(answer.headers.get('property-warnings')).toBe('"older_consent";entity="person";key="news"')
    expect(await readStored(ana)).toMatchObject({ sensitive: true, value: revoked })
  })
})

describe('a service without additions', () => {
  const bare = testService({ additions: 'none' })

  test('writes as the document says, and leaves a later word where nobody can have read it', async () => {
    const user = await bare.create('steward', '/users', { email, properties: news(revoked) })
    const path = `/users/${user}/entities`
    const { body }: { body: Entity[] } = await bare.call('steward', 'GET', path)
    const read = async () =>
      ((await bare.call('steward', 'GET', path)).body as Entity[])[0]?.properties[0]?.value
    const posted = await bare.call('steward', 'POST', '/users', { email, properties: news(older) })
    expect([posted.status, posted.headers.get('property-warnings')]).toEqual([303, null])
    expect(await read()).toEqual(revoked)
    const patched = await bare.call('steward', 'PATCH', `${path}/${body[0]?.id}`, { properties: news(older) })
    expect([patched.status, patched.headers.get('property-warnings')]).toEqual([204, null])
    expect(await read()).toEqual(older)
  })
})
