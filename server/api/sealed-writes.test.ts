import { beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'

import {
  type AuditActors,
  type AuditPage,
  type Endpoint,
  type EndpointName,
  endpoints,
  type Event,
  type Job,
  type Problem,
  scopes,
} from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import type { TestAnswer, TestService } from '../testing/service.ts'

// A write that makes a sealed value readable opens it: it passes the gate as a reveal does. A test below walks every
// endpoint that writes.

const canary = 'canary-4711'
const email = 'ana@example.org'
const because = { 'change-reason': 'Ticket%204711' }
const reason = 'Ticket 4711'
const iban = { key: 'iban', type: 'TEXT', sensitive: true, value: canary } as const
const city = { key: 'city', type: 'TEXT', value: 'Jena' } as const
/** The token has no role. */
const nobody = undefined

interface Made {
  readonly service: TestService
  readonly user: string
  readonly entity: string
  /** Path of the entity. */
  readonly path: string
  /** Writes the entity as another caller, with a reason. Returns the id of the changeset. */
  readonly before: (method: string, body?: object) => Promise<string>
}

async function make(service: TestService): Promise<Made> {
  const user = await service.create('admin', '/users', { email, name: 'Ana', properties: [iban, city] })
  const entities: { id: string }[] = (await service.call('admin', 'GET', `/users/${user}/entities`)).body
  const entity = String(entities[0]?.id)
  const path = `/users/${user}/entities/${entity}`
  const before: Made['before'] = async (method, body) => {
    const answer = await service.call('admin', method, path, body, because)
    expect([method, answer.status, answer.body]).toEqual([method, 204, undefined])
    return await newest(service, user)
  }
  return { service, user, entity, path, before }
}

async function newest(service: TestService, user: string): Promise<string> {
  const path = `/events?order=desc&type=DIRECT_DATA_CHANGE&user=${user}`
  const { body }: { body: Event[] } = await service.call('admin', 'GET', path)
  return String(body[0]?.properties.changeset)
}

/**
 * `opens`: who may not read sensitive values can read the value after it. `keeps`: the value stays sealed. `refused`:
 * the request is refused, with a reason too.
 */
type Verdict = 'opens' | 'keeps' | 'refused'

interface Case {
  readonly title: string
  readonly verdict: Verdict
  readonly write: (
    made: Made,
  ) => Promise<readonly [path: string, body?: object]> | readonly [path: string, body?: object]
  /** Whether the write names the state that it changes, which it may then overwrite. */
  readonly isSeen?: true
  /** Whether the value can be read before the write already. */
  readonly isOpen?: true
}

const off = { key: 'iban', sensitive: false } as const
const patch = (title: string, verdict: Verdict, properties: readonly object[], more = {}): Case => ({
  title,
  verdict,
  write: ({ path }) => [path, { ...more, properties }],
})
const put = (title: string, verdict: Verdict, properties: readonly object[]): Case => ({
  title,
  verdict,
  write: ({ path }) => [path, { type: 'person', properties }],
})
const post = (title: string, verdict: Verdict, body: object): Case => ({
  title,
  verdict,
  write: () => ['/users', body],
})
const revert = (
  title: string,
  verdict: Verdict,
  arrange: (made: Made) => Promise<string>,
  body: object = {},
): Case => ({
  title,
  verdict,
  write: async (made) => [`/changesets/${await arrange(made)}/revert`, body],
})
const restore = (title: string, verdict: Verdict, arrange: (made: Made) => Promise<unknown>): Case => ({
  title,
  verdict,
  write: async (made) => {
    await arrange(made)
    return [`${made.path}/restore`]
  },
})
const set = { entity: 'person', key: 'iban', type: 'TEXT', value: 'other' } as const
const batch = (title: string, verdict: Verdict, more: object): Case => ({
  title,
  verdict,
  write: ({ user }) => ['/users/batch', { ids: [user], set, reason, ...more }],
})

const places: Partial<Record<EndpointName, readonly Case[] | 'no properties'>> = {
  createUser: [
    post('the mark taken off', 'opens', { email, properties: [off] }),
    post('the mark taken off a masked property', 'opens', { email, properties: [{ ...off, masked: true }] }),
    post('another value in clear', 'keeps', { email, properties: [{ ...off, value: 'other' }] }),
    post('another value', 'keeps', { email, properties: [{ key: 'iban', value: 'other' }] }),
    post('another user', 'refused', { email: 'eva@example.org', properties: [{ ...off, masked: true }] }),
  ],
  createEntity: [
    {
      title: 'a masked property of another entity',
      verdict: 'refused',
      write: ({ user }) => [
        `/users/${user}/entities`,
        { type: 'person', properties: [{ ...off, type: 'TEXT', masked: true }] },
      ],
    },
  ],
  patchEntity: [
    patch('the mark taken off', 'opens', [off]),
    patch('the mark taken off a masked property', 'opens', [{ ...off, masked: true }]),
    patch('the mark taken off, with the type', 'opens', [{ ...off, type: 'TEXT' }]),
    patch('the mark taken off, beside another change', 'opens', [{ key: 'city', value: 'Gera' }, off]),
    patch('the mark taken off, with invisible characters around the key', 'opens', [
      { ...off, key: '\u200biban ' },
    ]),
    patch('the mark taken off, with another type of the entity', 'opens', [off], { type: 'account' }),
    patch('another value in clear', 'keeps', [{ ...off, value: 'other' }]),
    patch('no value in clear', 'keeps', [{ ...off, value: null }]),
    patch('another value', 'keeps', [{ key: 'iban', value: 'other' }]),
    patch('another type of the entity', 'keeps', [], { type: 'account' }),
    patch('another type of the property', 'refused', [{ key: 'iban', type: 'EMAIL' }]),
    patch('another key', 'refused', [{ key: 'name', type: 'TEXT', masked: true }]),
  ],
  replaceEntity: [
    put('the mark taken off', 'opens', [{ ...off, type: 'TEXT', masked: true }, city]),
    put('another value in clear', 'keeps', [{ ...iban, sensitive: false, value: 'other' }]),
    put('another value, without the mark', 'keeps', [{ key: 'iban', type: 'TEXT', value: 'other' }]),
    put('a masked property, without the mark', 'keeps', [{ key: 'iban', type: 'TEXT', masked: true }]),
    put('neither', 'keeps', [city]),
    put('another key', 'refused', [{ ...off, key: 'name', type: 'TEXT', masked: true }]),
  ],
  deleteEntity: [{ title: 'a deletion', verdict: 'keeps', write: ({ path }) => [path] }],
  restoreEntity: [
    restore('as it was with the mark', 'keeps', ({ before }) => before('DELETE')),
    restore('as it was without the mark', 'opens', async ({ before }) => {
      await before('PATCH', { properties: [off] })
      await before('DELETE')
    }),
    restore('after another value', 'keeps', async ({ before }) => {
      await before('PATCH', { properties: [{ key: 'iban', value: 'other' }] })
      await before('DELETE')
    }),
  ],
  revertChangeset: [
    revert('the mark, which was set', 'opens', async ({ before }) => {
      await before('PATCH', { properties: [off] })
      return await before('PATCH', { properties: [{ key: 'iban', sensitive: true }] })
    }),
    revert(
      'the mark, which was set, by the key',
      'opens',
      async ({ before }) => {
        await before('PATCH', { properties: [off] })
        return await before('PATCH', { properties: [{ key: 'iban', sensitive: true }] })
      },
      { keys: ['iban'] },
    ),
    {
      ...revert('a sealed value, after another one in clear', 'opens', async ({ before }) => {
        const changed = await before('PATCH', { properties: [{ key: 'iban', value: 'other' }] })
        await before('PATCH', { properties: [{ ...off, value: 'open' }] })
        return changed
      }),
      isSeen: true,
    },
    {
      ...revert(
        'a sealed value that was removed, after another one in clear',
        'opens',
        async ({ before }) => {
          const removed = await before('PUT', { type: 'person', properties: [city] })
          await before('PATCH', { properties: [{ key: 'iban', type: 'TEXT', value: 'open' }] })
          return removed
        },
      ),
      isSeen: true,
    },
    revert('the deletion of an entity without the mark', 'opens', async ({ before }) => {
      await before('PATCH', { properties: [off] })
      return await before('DELETE')
    }),
    revert('the deletion of an entity with the mark', 'keeps', ({ before }) => before('DELETE')),
    revert('a removal', 'keeps', ({ before }) => before('PUT', { type: 'person', properties: [city] })),
    {
      ...revert('the mark, which was taken off', 'keeps', ({ before }) =>
        before('PATCH', { properties: [off] }),
      ),
      isOpen: true,
    },
    revert('another value', 'keeps', ({ before }) =>
      before('PATCH', { properties: [{ key: 'iban', value: 'other' }] }),
    ),
    revert('another property', 'keeps', ({ before }) =>
      before('PATCH', { properties: [{ key: 'city', value: 'Gera' }] }),
    ),
  ],
  createBatch: [
    batch('another value', 'keeps', {}),
    batch('another value, as a trial', 'keeps', { dryRun: true }),
    batch('the mark taken off', 'refused', { set: { ...set, sensitive: false } }),
    batch('the mark taken off, and no value', 'refused', {
      set: { entity: 'person', key: 'iban', type: 'TEXT', sensitive: false, masked: true },
    }),
  ],
  applyJob: [
    {
      title: 'another value',
      verdict: 'keeps',
      write: async ({ service, user }) => {
        const { sub } = opener
        const headers = { authorization: `Bearer ${await service.sign({ sub, scope: scopes.join(' ') })}` }
        const trial = { ids: [user], set, reason, dryRun: true }
        const made = await service.call(nobody, 'POST', '/users/batch', trial, headers)
        const id = made.headers.get('location')?.split('/').at(-1)
        await vi.waitFor(async () => expect(await stateOf(service, id)).toBe('finished'))
        return [`/jobs/${id}/apply`]
      },
    },
  ],
  undoJob: [
    {
      title: 'another value',
      verdict: 'keeps',
      write: async ({ service, user }) => {
        const { sub } = opener
        const headers = { authorization: `Bearer ${await service.sign({ sub, scope: scopes.join(' ') })}` }
        const made = await service.call(nobody, 'POST', '/users/batch', { ids: [user], set, reason }, headers)
        const id = made.headers.get('location')?.split('/').at(-1)
        await vi.waitFor(async () => expect(await stateOf(service, id)).toBe('finished'))
        return [`/jobs/${id}/undo`]
      },
    },
  ],
  // A file is kept sealed; the job that imports it writes properties.
  createImport: [],
  mapImport: [],
  // A check writes no property; the import that follows is tested beside it.
  checkImport: [],
  // Both only tell a job to continue with what createBatch took.
  stopJob: [],
  resumeJob: [],
  createExport: 'no properties',
  deleteUsers: 'no properties',
  patchUser: 'no properties',
  deleteUser: 'no properties',
  acceptInvitation: 'no properties',
  revealProperties: 'no properties',
  revealChanges: 'no properties',
  beginAccess: 'no properties',
  checkErasure: 'no properties',
  checkValue: 'no properties',
  createSegment: 'no properties',
  replaceSegment: 'no properties',
  deleteSegment: 'no properties',
  createSubscription: 'no properties',
  patchSubscription: 'no properties',
  deleteSubscription: 'no properties',
  testSubscription: 'no properties',
  rotateSecret: 'no properties',
  recoverSubscription: 'no properties',
  redeliverEvent: 'no properties',
  putTypeDefinition: 'no properties',
  putDefinition: 'no properties',
  deleteDefinition: 'no properties',
  deleteTypeDefinition: 'no properties',
  replaceDefinitions: 'no properties',
}

const opener = { sub: 'opener' } as const

async function stateOf(service: TestService, job: string | undefined): Promise<string> {
  return ((await service.call('admin', 'GET', `/jobs/${job}`)).body as Job).state
}

/** Whether the endpoint may write properties: by its scopes, or by what its body takes. A job needs what its kind does, a revert what the change did. */
const mayWrite = ({ needs, path, body }: Endpoint) =>
  path.startsWith('/jobs/') ||
  path.endsWith('/revert') ||
  needs.includes('entities:write') ||
  (body instanceof z.ZodObject && ['properties', 'set'].some((name) => name in body.shape))

test('every endpoint that writes has its place here', () => {
  const writing = Object.entries<Endpoint>(endpoints).filter(
    ([, { method, safe }]) => method !== 'GET' && !safe,
  )
  expect(Object.keys(places).toSorted()).toEqual(writing.map(([name]) => name).toSorted())
  for (const [name, endpoint] of writing)
    expect([name, mayWrite(endpoint)]).toEqual([name, places[name as EndpointName] !== 'no properties'])
})

const cases = Object.entries(places).flatMap(([name, listed]) =>
  listed === 'no properties'
    ? []
    : listed.map((each) => ({ ...each, name: name as EndpointName, title: `${name}: ${each.title}` })),
)

/** Whether a caller without `sensitive:read` finds the value: in answers, in the history, by searching. */
async function isReadable({ service, user }: Made): Promise<boolean> {
  const events: Event[] = (await service.call('support', 'GET', `/events?user=${user}`)).body
  const changesets = events.flatMap(({ properties: { changeset } }) =>
    typeof changeset === 'string' ? [`/changesets/${changeset}`] : [],
  )
  const answers = [
    ...(await Promise.all(
      [`/users/${user}/entities`, ...changesets].map((path) => service.call('support', 'GET', path)),
    )),
    await service.call('support', 'POST', '/users/search', { sort: 'name', columns: ['person.iban'] }),
  ]
  const found = await service.call('support', 'POST', '/users/search', { q: canary })
  const isFound = (found.body as { total: number }).total > 0
  const isShown = JSON.stringify([answers.map(({ body }) => body as unknown), events]).includes(canary)
  expect(isFound).toBe(isShown)
  return isShown
}

/** The reads of the opener that are on the record. */
async function readsOf(service: TestService, actor: string) {
  const { body } = await service.call('admin', 'GET', `/audit?kind=read&actor=${actor}`)
  return (body as AuditPage).rows
}

describe.each([
  ['values', testService({ sensitiveReads: 'values', rateLimit: 0, jobs: true })],
  ['reveal', testService({ sensitiveReads: 'reveal', rateLimit: 0, jobs: true })],
] as const)('with SENSITIVE_READS=%s', (mode, service) => {
  beforeEach(() => service.reset())

  test.each(cases)('$title: $verdict', async ({ name, write, verdict, isSeen, isOpen = false }) => {
    const made = await make(service)
    const [path, body] = await write(made)
    const { method } = endpoints[name]
    const token = await service.sign({ ...opener, scope: scopes.join(' ') })
    const seen = (await service.call('support', 'GET', made.path)).headers.get('etag')
    const headers = { authorization: `Bearer ${token}`, ...(isSeen && { 'if-match': seen ?? '' }) }
    const send = (more = {}) => service.call(nobody, method, path, body, { ...headers, ...more })
    expect(await isReadable(made)).toBe(isOpen)

    if (verdict === 'opens' && mode === 'reveal') {
      const refused: { status: number; body: Problem } = await send()
      expect([refused.status, refused.body.code]).toEqual([422, 'reason_required'])
      expect(await isReadable(made)).toBe(false)
      expect(await readsOf(service, opener.sub)).toEqual([])
    }
    const answer: TestAnswer = await send(because)
    if (verdict === 'refused') expect([400, 404, 422]).toContain(answer.status)
    else expect([201, 204, 303]).toContain(answer.status)
    if (name === 'createBatch' && answer.status === 201) {
      const job = answer.headers.get('location')?.split('/').at(-1)
      await vi.waitFor(async () => expect(await stateOf(service, job)).toBe('finished'))
    }
    if (name === 'applyJob')
      await vi.waitFor(async () => expect(await stateOf(service, path.split('/')[2])).toBe('finished'))
    if (name === 'undoJob')
      await vi.waitFor(async () => expect(await stateOf(service, path.split('/')[2])).toBe('undone'))
    expect(await isReadable(made)).toBe(verdict === 'opens')
    const { user, entity } = made
    expect(await readsOf(service, opener.sub)).toMatchObject(
      verdict === 'opens' ? [{ user, entity, keys: ['iban'], reason }] : [],
    )
  })
})

describe('a write that opens a sealed value', () => {
  const service = testService({ rateLimit: 0 })
  const limited = testService({ rateLimit: 25 })
  const strict = testService({ sensitiveReads: 'reveal', rateLimit: 0 })
  const bare = testService({ sensitiveReads: 'reveal', additions: 'none' })
  beforeEach(() => Promise.all([service.reset(), strict.reset()]))

  test('is one read for all properties of the entity, without a reason too', async () => {
    const { user, entity, path, before } = await make(service)
    await before('PATCH', { properties: [{ ...iban, key: 'bic' }] })
    const unmarked = { properties: [off, { key: 'bic', sensitive: false }, { key: 'city', value: 'Gera' }] }
    expect((await service.call('steward', 'PATCH', path, unmarked)).status).toBe(204)
    const reads = await readsOf(service, 'steward')
    expect(reads).toMatchObject([{ user, entity, keys: ['bic', 'iban'] }])
    expect(reads[0]).not.toHaveProperty('reason')
  })

  test('is recorded once where it is repeated under its key', async () => {
    const { path } = await make(service)
    const headers = { 'idempotency-key': 'key-of-this-write-0001' }
    for (let times = 0; times < 2; times++)
      await service.call('steward', 'PATCH', path, { properties: [off] }, headers)
    expect(await readsOf(service, 'steward')).toHaveLength(1)
  })

  test('says in its refusal how to give the reason', async () => {
    const { path } = await make(strict)
    const { body }: { body: Problem } = await strict.call('steward', 'PATCH', path, { properties: [off] })
    expect(body.detail).toContain('send it as Change-Reason')
  })

  test('is refused for its rights before its reason, and before its value', async () => {
    const { path } = await make(strict)
    const blind = await strict.sign({ sub: 'blind', scope: 'entities:read entities:write sensitive:write' })
    const call = (properties: readonly object[]) =>
      strict.call(nobody, 'PATCH', path, { properties }, { authorization: `Bearer ${blind}` })
    expect(await call([off])).toMatchObject({ status: 403 })
    // Whether the value fits another type is told for a reason alone.
    for (const type of ['EMAIL', 'TEXT']) {
      const answer = await strict.call('steward', 'PATCH', path, { properties: [{ ...off, type }] })
      expect(answer).toMatchObject({ status: 422, body: { code: 'reason_required' } })
    }
  })

  test('does not tell by a revert whether a guess in clear is the sealed value', async () => {
    const answers = []
    for (const guess of [canary, 'canary-4712']) {
      await strict.reset()
      const { path, before, user } = await make(strict)
      await before('PATCH', { properties: [{ key: 'iban', value: 'other' }] })
      await before('PATCH', { properties: [{ key: 'iban', value: canary }] })
      const changed = await newest(strict, user)
      await strict.call('steward', 'PATCH', path, { properties: [{ ...off, value: guess }] })
      const answer = await strict.call('steward', 'POST', `/changesets/${changed}/revert`, {}, because)
      answers.push([answer.status, (answer.body as Problem | undefined)?.code])
    }
    expect(answers).toEqual([
      [409, 'changed_since'],
      [409, 'changed_since'],
    ])
  })

  test('counts toward the limit of requests for sensitive values, and other writes do not', async () => {
    const users = await Promise.all(
      Array.from({ length: 9 }, (_, at) =>
        limited.create('admin', '/users', { email: `${at}@example.org`, properties: [iban, city] }),
      ),
    )
    const send = async (sub: string, property: object) => {
      const headers = { authorization: `Bearer ${await limited.sign({ sub, role: 'steward' })}` }
      return await Promise.all(
        users.map((_, at) =>
          limited.call(
            nobody,
            'POST',
            '/users',
            { email: `${at}@example.org`, properties: [property] },
            headers,
          ),
        ),
      )
    }
    const open = await send('other', { key: 'city', value: 'Gera' })
    expect(open.map(({ status }) => status)).toEqual(Array(9).fill(303))
    const answers = await send('hasty', off)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.body).toMatchObject({ code: 'too_many_requests' })
    const opened = answers.filter(({ status }) => status === 303)
    expect(await readsOf(limited, 'hasty')).toHaveLength(opened.length)
  })

  test('is unusual as reveals are', async () => {
    for (let at = 0; at < 50; at++) {
      await service.create('admin', '/users', { email: `${at}@example.org`, properties: [iban] })
      await service.call('steward', 'POST', '/users', { email: `${at}@example.org`, properties: [off] })
    }
    const { actors } = (await service.call('admin', 'GET', '/audit/actors')).body as AuditActors
    expect(actors.find(({ actor }) => actor === 'steward')).toMatchObject({
      reads: 50,
      people: 50,
      unusual: true,
    })
  })

  test('is not made where its record cannot be', async () => {
    const made = await make(service)
    await service.database.pool.query(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.type = 'SENSITIVE_DATA_ACCESSED' then raise exception 'no' using errcode = '53100'; end if;
      return new; end $$;
      create trigger refuse before insert on event_inbox for each row execute function refuse()`)
    try {
      const answer = await service.call('steward', 'PATCH', made.path, { properties: [off] })
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)])
    } finally {
      await service.database.pool.query('drop trigger refuse on event_inbox; drop function refuse')
    }
    expect(await isReadable(made)).toBe(false)
  })

  test('is refused by a service that takes no reasons, and shows values for a reason alone', async () => {
    const { path } = await make(bare)
    const answer = await bare.call('steward', 'PATCH', path, { properties: [off] }, because)
    expect(answer).toMatchObject({ status: 422, body: { code: 'reason_required' } })
    const { body } = await bare.call('support', 'GET', path)
    expect(JSON.stringify(body)).not.toContain(canary)
    const other = { properties: [{ ...off, value: 'other' }] }
    expect((await bare.call('steward', 'PATCH', path, other)).status).toBe(204)
  })
})
