import { beforeEach, expect, test, vi } from 'vitest'

import type { Changeset, Entity, Event, Job, JobReport, Problem, PropertyInput } from '#contract/index.ts'
import { Working } from '../jobs/working.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

// A caller may write sensitive values but not read them. Whatever they write, and wherever they look afterwards, a
// guess that equals the stored value must look like any other.

const service = testService()
beforeEach(() => service.reset())

const scope = 'users:read users:write users:delete entities:read entities:write sensitive:write events:read'

/** The token has no role. */
const nobody = undefined

async function writer() {
  const token = await service.sign({ sub: 'writer', scope })
  return (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    service.call(nobody, method, path, body, { authorization: `Bearer ${token}`, ...headers })
}
type Call = Awaited<ReturnType<typeof writer>>

interface Subject {
  readonly call: Call
  readonly user: string
  readonly email: string
  readonly path: string
  /** Value sent in place of the stored one, which it may equal. */
  readonly guess: unknown
  readonly type: string
  /** Id of the changeset that stored the value. */
  readonly made: string
}

interface Refused {
  readonly status: number
  readonly body: Problem
}

const key = 'k'
const plain = { key: 'plain', type: 'TEXT', value: 'open' } satisfies PropertyInput

const newest = async (user: string): Promise<string> => {
  const { body }: { body: Event[] } = await service.call(
    'admin',
    'GET',
    `/events?order=desc&type=DIRECT_DATA_CHANGE&user=${user}`,
  )
  return String(body[0]?.properties.changeset)
}

async function subject(type: string, stored: unknown, guess: unknown): Promise<Subject> {
  const email = 'subject@example.org'
  const properties = [{ key, type, value: stored, sensitive: true }, plain]
  const user = idOf(await service.call('admin', 'POST', '/users', { email, properties }))
  const { body }: { body: Entity[] } = await service.call('admin', 'GET', `/users/${user}/entities`)
  const path = `/users/${user}/entities/${body[0]?.id}`
  return { call: await writer(), user, email, path, guess, type, made: await newest(user) }
}

/** The entity and all events of its user, as the writer sees them. */
async function look({ call, user, path }: Subject) {
  const { body, headers }: { body: Entity; headers: Headers } = await call('GET', path)
  const events: Event[] = (await call('GET', `/events?user=${user}`)).body
  return { entity: body, etag: headers.get('etag'), events }
}

const patch = ({ call, path, guess }: Subject, headers: Record<string, string> = {}, ...more: object[]) =>
  call('PATCH', path, { properties: [{ key, value: guess }, ...more] }, headers)

async function batch({ call, user, guess, type }: Subject, dryRun: boolean) {
  const set = { entity: 'person', key, type, value: guess, sensitive: true }
  const job = idOf(await call('POST', '/users/batch', { ids: [user], set, dryRun }))
  const working = new Working({ database: service.database, pollMs: 20 })
  try {
    const ended = await vi.waitFor(async () => {
      const { body }: { body: Job } = await call('GET', `/jobs/${job}`)
      expect(body.state).toBe('finished')
      return body
    })
    const { body }: { body: JobReport } = await call('GET', `/jobs/${job}/users`)
    return { status: 200, body: { outcomes: ended.outcomes, report: body.users } }
  } finally {
    await working.stop()
  }
}

/** Ways of testing a guess of a hidden value. Each resolves to a status and a body, as a single request does. */
const ways: Readonly<
  Record<string, (subject: Subject) => Promise<{ readonly status: number; readonly body?: unknown }>>
> = {
  'a patch': (it) => patch(it),
  'a patch of the state that was read': async (it) => patch(it, { 'if-match': (await look(it)).etag ?? '' }),
  'a patch that changes something else too': (it) => patch(it, {}, { key: 'plain', value: 'other' }),
  'a patch with the type': ({ call, path, guess, type }) =>
    call('PATCH', path, { properties: [{ key, type, sensitive: true, value: guess }] }),
  'a whole entity': ({ call, path, guess, type }) =>
    call('PUT', path, {
      type: 'person',
      properties: [{ key, type, sensitive: true, value: guess }, plain],
    }),
  'a user who is there': ({ call, email, guess }) =>
    call('POST', '/users', { email, properties: [{ key, value: guess }] }),
  'a dry run over many users': (it) => batch(it, true),
  'a change of many users': (it) => batch(it, false),
  'putting back what was there before, which tells whether it was changed since': async (it) => {
    await patch(it)
    // Depending on the guess, the changeset's value is still current or not.
    return await it.call('POST', `/changesets/${it.made}/revert`, { keys: [key] })
  },
  'putting a guess back over what is seen': async (it) => {
    await patch(it)
    const guessed = await newest(it.user)
    await patch({ ...it, guess: it.type === 'TEXT' ? 'something else' : null })
    const away = await newest(it.user)
    const seen = async () => ({ 'if-match': (await look(it)).etag ?? '' })
    const first = await it.call('POST', `/changesets/${guessed}/revert`, {}, await seen())
    expect(first.status).toBe(204)
    return await it.call('POST', `/changesets/${away}/revert`, {}, await seen())
  },
  'a patch, and taking it back': async (it) => {
    await patch(it)
    return await it.call('POST', `/changesets/${await newest(it.user)}/revert`, {})
  },
  'a patch by which the entity gets another type': ({ call, path, guess }) =>
    call('PATCH', path, { type: 'car', properties: [{ key, value: guess }] }),
}

const values = {
  TEXT: ['4711', '4712'],
  NUMBER: [4711, 4712],
  BOOLEAN: [true, false],
  DATE: ['1990-02-03', '1990-02-04'],
  EMAIL: ['a@example.org', 'b@example.org'],
  CURRENCY: [
    { currency: 'EUR', value: '1.00' },
    { currency: 'EUR', value: '2.00' },
  ],
  PREFERENCE: [
    { status: 'GRANTED', statusDate: '2024-01-01T00:00:00.000Z' },
    { status: 'DENIED', statusDate: '2024-01-01T00:00:00.000Z' },
  ],
} as const

/** Returns everything the writer can observe, without ids, times and sealed texts. */
async function readTold(it: Subject, way: (typeof ways)[string]) {
  const before = await look(it)
  const { status, body } = await way(it)
  const after = await look(it)
  const known = new Set(before.events.map(({ id }) => id))
  const fresh = after.events.filter(({ id }) => !known.has(id))
  const versions = (entity: Entity) => entity.properties.map((each) => [each.key, each.version, each.masked])
  const changesets = await Promise.all(
    fresh.map(async ({ properties: { changeset } }): Promise<Partial<Changeset>> => {
      const { op, changes } = (await it.call('GET', `/changesets/${String(changeset)}`)).body
      return { op, changes }
    }),
  )
  const said = JSON.stringify(body ?? '', (name, value: unknown) =>
    ['user', 'entity', 'instance', 'id'].includes(name) ? undefined : value,
  )
  return {
    status,
    said,
    isOtherState: before.etag !== after.etag,
    isOtherValue: JSON.stringify(versions(before.entity)) !== JSON.stringify(versions(after.entity)),
    events: fresh.map(({ type }) => type),
    changesets,
  }
}

test.each(Object.keys(ways))('%s with the stored value looks like one with another', async (name) => {
  const way = ways[name]
  if (!way) throw new Error('There is no such way.')
  for (const [type, [stored, other]] of Object.entries(values)) {
    const right = await readTold(await subject(type, stored, stored), way)
    await service.reset()
    const wrong = await readTold(await subject(type, stored, other), way)
    await service.reset()
    expect([type, right]).toEqual([type, wrong])
  }
})

test('a relationship to somebody who is gone is refused, the stored one too', async () => {
  const [gone, other] = [
    idOf(await service.call('admin', 'POST', '/users', { ref: 'gone' })),
    idOf(await service.call('admin', 'POST', '/users', { ref: 'other' })),
  ]
  const it = await subject('RELATIONSHIP', { user: gone }, { user: gone })
  await service.call('admin', 'DELETE', `/users/${gone}`)
  await service.call('admin', 'DELETE', `/users/${other}`)
  const right: Refused = await patch(it)
  const wrong: Refused = await patch({ ...it, guess: { user: other } })
  expect(right.status).toBe(422)
  expect([right.status, right.body.errors]).toEqual([wrong.status, wrong.body.errors])
})

test('whether the stored value fits another type is told to those who may read it', async () => {
  for (const stored of ['2024-02-03', 'no day']) {
    const { call, path } = await subject('TEXT', stored, undefined)
    const typed = { key, type: 'DATE', sensitive: true, masked: true }
    const answers: Refused[] = [
      await call('PATCH', path, { properties: [{ key, type: 'DATE' }] }),
      await call('PUT', path, { type: 'person', properties: [typed] }),
    ]
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([403, 'insufficient_scope'])
      expect(JSON.stringify(body)).toContain('sensitive:read')
    }
    await service.reset()
  }
})

test('a caller who may read the value changes nothing by sending it again', async () => {
  const it = await subject('TEXT', '4711', '4711')
  const asSteward: Call = (method, path, body, headers) =>
    service.call('steward', method, path, body, headers)
  const before = await look(it)
  expect((await patch({ ...it, call: asSteward })).status).toBe(204)
  const after = await look(it)
  expect([after.etag, after.events.length]).toEqual([before.etag, before.events.length])
})

test('a property that is sent masked keeps its value, and makes no change', async () => {
  const it = await subject('TEXT', '4711', undefined)
  const before = await look(it)
  const { properties, type } = before.entity
  expect((await it.call('PUT', it.path, { type, properties })).status).toBe(204)
  const after = await look(it)
  expect([after.etag, after.events.length]).toEqual([before.etag, before.events.length])
})
