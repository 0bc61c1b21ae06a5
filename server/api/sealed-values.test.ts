import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'

import {
  type AuditActors,
  type AuditPage,
  type Endpoint,
  type EndpointName,
  endpoints,
  type Event,
  scopes,
  type UserList,
} from '#contract/index.ts'
import { SealedGate } from '../events/sealed-gate.ts'
import { testService } from '../testing/hooks.ts'
import type { TestAnswer, TestService } from '../testing/service.ts'
import { totalToShow } from './users.ts'

const codes = ['042', '107', '311', '488', '561', '702', '895', '960']

const isOneOf = (...value: string[]) => ({
  entity: 'card',
  where: [{ key: 'code', type: 'TEXT', op: 'in', value }],
})

async function addCard(service: TestService, code: string) {
  const user = await service.create('steward', '/users', { name: 'Ana' })
  const properties = [{ key: 'code', type: 'TEXT', sensitive: true, value: code }]
  const card = await service.create('steward', `/users/${user}/entities`, { type: 'card', properties })
  return { user, card, path: `/users/${user}/entities/${card}` }
}

const nobody = undefined

/**
 * Creates a caller with the given subject, so that its acts can be told apart. Without `granted`, the caller is a
 * steward.
 */
async function caller(service: TestService, sub: string, granted?: readonly string[]) {
  const token = await service.sign({ sub, ...(granted ? { scope: granted.join(' ') } : { role: 'steward' }) })
  const headers = { authorization: `Bearer ${token}` }
  return (method: string, path: string, body?: unknown) => service.call(nobody, method, path, body, headers)
}

async function auditOf(service: TestService, actor: string) {
  const { body } = await service.call('admin', 'GET', `/audit?actor=${encodeURIComponent(actor)}`)
  return (body as AuditPage).rows
}

const searches = async (service: TestService) =>
  (
    (await service.call('admin', 'GET', '/events?type=SENSITIVE_DATA_SEARCHED&order=desc'))
      .body as unknown as Event[]
  ).map(({ properties }) => properties)

describe('codes of three digits, by lists of them', () => {
  const reveal = testService({ sensitiveReads: 'reveal' })
  const values = testService({ rateLimit: 0 })
  const limited = testService({ rateLimit: 25 })

  /** Finds all stored codes by bisecting the thousand possible ones. */
  async function guess(service: TestService, actor: string) {
    const call = await caller(service, actor)
    const found: string[] = []
    const refused: TestAnswer[] = []
    let answered = 0
    const search = async (from: number, past: number): Promise<void> => {
      const tried = Array.from({ length: past - from }, (_, at) => String(from + at).padStart(3, '0'))
      const lists = Array.from({ length: Math.ceil(tried.length / 100) }, (_, at) =>
        isOneOf(...tried.slice(at * 100, at * 100 + 100)),
      )
      const answer = await call('POST', '/users/search', { filter: { any: lists } })
      if (answer.status !== 200) {
        refused.push(answer)
        return
      }
      answered++
      if ((answer.body as UserList).total === 0) return
      if (tried.length === 1) found.push(...tried)
      else {
        const middle = Math.floor((from + past) / 2)
        await search(from, middle)
        await search(middle, past)
      }
    }
    await search(0, 1000)
    return { found, answered, refused }
  }

  test('are not to be had where values are revealed for a reason alone', async () => {
    for (const code of codes) await addCard(reveal, code)
    const { found, answered, refused } = await guess(reveal, 'guesser')
    expect([found, answered]).toEqual([[], 0])
    expect(refused[0]).toMatchObject({ status: 403, body: { code: 'sensitive_filter' } })
    expect(JSON.stringify(refused[0]?.body)).toContain('Save the filter as a segment, or reveal')
  })

  test('are on the record search by search where the caller may read them, and those who were found count', async () => {
    for (const code of codes) await addCard(values, code)
    const { found, answered } = await guess(values, 'guesser')
    expect(found).toEqual(codes)
    const { actors } = (await values.call('admin', 'GET', '/audit/actors')).body as AuditActors
    const guesser = actors.find(({ actor }) => actor === 'guesser')
    // Each of the eight users was found by at least ten lists of different sizes.
    expect(guesser).toMatchObject({ reads: answered, unusual: true })
    expect(guesser?.people).toBeGreaterThanOrEqual(80)
  })

  test('count toward the limit of requests for sensitive values, and other filters do not', async () => {
    await addCard(limited, '042')
    const call = await caller(limited, 'hasty')
    const many = (filter: unknown) =>
      Promise.all(Array.from({ length: 12 }, () => call('POST', '/users/search', { filter })))
    const answers = await many(isOneOf('042'))
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({ code: 'too_many_requests' })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = await caller(limited, 'other')
    const open = Array.from({ length: 12 }, () =>
      other('POST', '/users/search', { filter: { user: 'name', op: 'exists' } }),
    )
    expect((await Promise.all(open)).map(({ status }) => status)).toEqual(Array(12).fill(200))
  })
})

/** Request members that may refer to sealed values. */
const asking = new Set(['filter', 'segment', 'columns', 'sort', 'q', 'key', 'keys'])

/**
 * Returns the names of all members of an object schema, including nested ones. `above` stops the recursion, since
 * filters contain filters.
 */
function membersOf(schema: z.ZodType | undefined, above: readonly z.ZodType[] = []): string[] {
  if (schema instanceof z.ZodOptional) return membersOf(schema.unwrap() as z.ZodType, above)
  if (!(schema instanceof z.ZodObject) || above.includes(schema)) return []
  const within = Object.values(schema.shape).flatMap((member) =>
    membersOf(member as z.ZodType, [...above, schema]),
  )
  return [...Object.keys(schema.shape), ...within]
}

/** Whether the endpoint takes a member named in `asking`, or concerns segments, which contain filters. */
const asks = ({ path, tag, query, additionalQuery, body }: Endpoint) =>
  tag === 'Segments' ||
  path.includes('{segment_id}') ||
  [query, additionalQuery, body].flatMap((schema) => membersOf(schema)).some((name) => asking.has(name))

interface Target {
  readonly user: string
  readonly path: string
  readonly segment: string
  /** Id of the changeset that added the value. */
  readonly changeset: string
}

/**
 * `recorded`: the audit log has one more row, with the key. `refused`: the answer is 403, and the log has no new row.
 * `blind`: the answer does not depend on the value, and the log has no new row.
 */
type Verdict = 'recorded' | 'refused' | 'blind'

interface Case {
  readonly title: string
  readonly ask: (at: Target) => readonly [method: string, path: string, body?: unknown]
  readonly verdicts: readonly [values: Verdict, reveal: Verdict, withoutScope: Verdict]
}

const filter = isOneOf('042', '107')
const named = { user: 'name', op: 'exists' } as const
const set = { entity: 'note', key: 'code', type: 'TEXT', value: 'x', create: true } as const
const unsaved: Case['verdicts'] = ['recorded', 'refused', 'refused']
const saved: Case['verdicts'] = ['recorded', 'recorded', 'refused']
const never: Case['verdicts'] = ['blind', 'blind', 'blind']
const masked: Case['verdicts'] = ['recorded', 'blind', 'blind']
const search = (title: string, body: (at: Target) => object, verdicts: Case['verdicts']): Case => ({
  title,
  ask: (at) => ['POST', '/users/search', body(at)],
  verdicts,
})

/**
 * Test cases by endpoint. `unanswered`: a write without a response body, which therefore shows no match of a filter.
 */
const places: Partial<Record<EndpointName, readonly Case[] | 'unanswered'>> = {
  listUsers: [
    { title: 'a list', ask: ({ segment }) => ['GET', `/users?segment=${segment}`], verdicts: saved },
  ],
  searchUsers: [
    search('a filter', () => ({ filter }), unsaved),
    search('a filter in groups', () => ({ filter: { all: [named, { not: { any: [filter] } }] } }), unsaved),
    search('a filter beside a word', () => ({ q: 'Ana', filter }), unsaved),
    search('a filter and an order', () => ({ filter, sort: '-name' }), unsaved),
    search(
      'whether there is a value',
      () => ({ filter: { entity: 'card', where: [{ key: 'code', type: 'TEXT', op: 'exists' }] } }),
      unsaved,
    ),
    search(
      'a value that may be missing',
      () => ({
        filter: {
          entity: 'card',
          where: [{ key: 'code', type: 'TEXT', op: 'ne', value: '042', orMissing: true }],
        },
      }),
      unsaved,
    ),
    search('a segment', ({ segment }) => ({ segment }), saved),
    search('a segment in a filter', ({ segment }) => ({ filter: { all: [{ segment }, named] } }), saved),
    search('a segment beside an open filter', ({ segment }) => ({ segment, filter: named }), saved),
    search('a segment beside a sealed one', ({ segment }) => ({ segment, filter }), unsaved),
    search('an open filter', () => ({ filter: named }), never),
    search('columns', () => ({ filter: named, columns: ['card.code'] }), never),
    search('an order', () => ({ sort: 'name', columns: ['card.code'] }), never),
    search('a value', () => ({ q: '042' }), never),
    search('a value with columns', () => ({ q: '042', columns: ['card.code'] }), never),
  ],
  lookUpUsers: [
    {
      title: 'columns',
      ask: ({ user }) => ['POST', '/users/lookup', { ids: [user], columns: ['card.code'] }],
      verdicts: never,
    },
  ],
  createBatch: [
    {
      title: 'a filter',
      ask: () => ['POST', '/users/batch', { filter, set, dryRun: true }],
      verdicts: unsaved,
    },
    {
      title: 'a segment',
      ask: ({ segment }) => ['POST', '/users/batch', { segment, set, dryRun: true }],
      verdicts: saved,
    },
    {
      title: 'the key that is set',
      ask: ({ user }) => [
        'POST',
        '/users/batch',
        { ids: [user], set: { ...set, entity: 'card' }, dryRun: true },
      ],
      verdicts: never,
    },
  ],
  previewSegment: [
    { title: 'a filter', ask: () => ['POST', '/segments/preview', { filter }], verdicts: unsaved },
    {
      title: 'a segment',
      ask: ({ segment }) => ['POST', '/segments/preview', { filter: { segment } }],
      verdicts: saved,
    },
    { title: 'an open filter', ask: () => ['POST', '/segments/preview', { filter: named }], verdicts: never },
  ],
  explainUser: [
    {
      title: 'a filter',
      ask: ({ user }) => ['POST', `/users/${user}/explain`, { filter }],
      verdicts: unsaved,
    },
    {
      title: 'a segment',
      ask: ({ user, segment }) => ['POST', `/users/${user}/explain`, { filter: { segment } }],
      verdicts: saved,
    },
  ],
  listUserSegments: [
    { title: 'memberships', ask: ({ user }) => ['GET', `/users/${user}/segments`], verdicts: masked },
    { title: 'why', ask: ({ user }) => ['GET', `/users/${user}/segments?explain=true`], verdicts: masked },
  ],
  getSegment: [
    { title: 'an operand', ask: ({ segment }) => ['GET', `/segments/${segment}`], verdicts: masked },
  ],
  listSegments: [{ title: 'operands and counts', ask: () => ['GET', '/segments'], verdicts: masked }],
  listSegmentHistory: [{ title: 'counts', ask: () => ['GET', '/segments/history'], verdicts: masked }],
  listDependents: [
    { title: 'names', ask: ({ segment }) => ['GET', `/segments/${segment}/dependents`], verdicts: never },
  ],
  revealProperties: [
    {
      title: 'keys',
      ask: ({ path }) => ['POST', `${path}/reveal`, { keys: ['code'], reason: 'Asked' }],
      verdicts: saved,
    },
  ],
  revealChanges: [
    {
      title: 'keys',
      ask: ({ changeset }) => [
        'POST',
        `/changesets/${changeset}/reveal`,
        { keys: ['code'], reason: 'Asked' },
      ],
      verdicts: saved,
    },
  ],
  checkValue: [
    {
      title: 'keys',
      ask: ({ user }) => ['POST', `/users/${user}/check`, { keys: ['code'], value: '107' }],
      verdicts: ['recorded', 'recorded', 'recorded'],
    },
  ],
  listAudit: [
    { title: 'a key', ask: () => ['GET', '/audit?key=nothing'], verdicts: ['blind', 'blind', 'refused'] },
  ],
  listAuditActors: [
    {
      title: 'a key',
      ask: () => ['GET', '/audit/actors?key=nothing&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z'],
      verdicts: ['blind', 'blind', 'refused'],
    },
  ],
  searchErasures: [
    { title: 'a reference', ask: () => ['POST', '/erasures/search', { q: '042' }], verdicts: never },
  ],
  listKeyValues: [
    { title: 'values', ask: () => ['GET', '/keys/card/code/values'], verdicts: never },
    { title: 'a value', ask: () => ['GET', '/keys/card/code/values?q=042'], verdicts: never },
  ],
  createSegment: 'unanswered',
  replaceSegment: 'unanswered',
  deleteSegment: 'unanswered',
  revertChangeset: 'unanswered',
  putDefinition: 'unanswered',
  createExport: 'unanswered',
  deleteUsers: 'unanswered',
  // A mapping names keys and is answered with the file's own cells.
  mapImport: [],
}

test('every endpoint that takes a filter, a segment, a column, an order or a key has its place here', () => {
  const all = Object.entries<Endpoint>(endpoints)
  const found = all.filter(([, endpoint]) => asks(endpoint)).map(([name]) => name)
  expect(Object.keys(places).toSorted()).toEqual(found.toSorted())
  for (const [name, { reply }] of all)
    if (places[name as EndpointName] === 'unanswered') expect([name, reply]).toEqual([name, undefined])
})

const cases = Object.entries(places).flatMap(([name, listed]) =>
  listed === 'unanswered' ? [] : listed.map((each) => ({ ...each, title: `${name}: ${each.title}` })),
)

describe.each([
  ['values', 0, testService({ sensitiveReads: 'values', rateLimit: 0 })],
  ['reveal', 1, testService({ sensitiveReads: 'reveal', rateLimit: 0 })],
] as const)('with SENSITIVE_READS=%s', (_mode, column, service) => {
  let at: Target
  beforeAll(async () => {
    const { user, path } = await addCard(service, '042')
    const segment = await service.create('admin', '/segments', { name: 'Codes', filter: isOneOf('042') })
    const { body } = await service.call('admin', 'GET', `/events?user=${user}&type=DIRECT_DATA_CHANGE`)
    const changeset = String((body as Event[])[0]?.properties.changeset)
    at = { user, path, segment, changeset }
  })
  beforeEach(() => setCode('042'))
  const setCode = (value: string) =>
    service.call('admin', 'PATCH', at.path, { properties: [{ key: 'code', value }] })

  async function verdictOf({ ask }: Case, actor: string, granted: readonly string[]): Promise<unknown> {
    const call = await caller(service, actor, granted)
    const [method, path, body] = ask(at)
    const answer = await call(method, path, body)
    const rows = await auditOf(service, actor)
    if (answer.status === 403) return rows.length === 0 ? 'refused' : rows
    if (answer.status >= 300) return answer
    const [row] = rows
    if (row) return rows.length === 1 && row.keys?.join() === 'code' ? 'recorded' : rows
    await setCode('988')
    const again = await call(method, path, body)
    expect([again.status, again.body]).toEqual([answer.status, answer.body])
    return 'blind'
  }

  test.each(cases)('$title', async (each) => {
    const first = await verdictOf(each, `${each.title} with`, scopes)
    expect(first).toBe(each.verdicts[column])
    await setCode('042')
    const unable = scopes.filter((scope) => scope !== 'sensitive:read')
    expect(await verdictOf(each, `${each.title} without`, unable)).toBe(each.verdicts[2])
  })
})

describe('the record of a search', () => {
  const service = testService({ rateLimit: 0 })
  beforeEach(() => service.reset())

  test('says who tested which keys, by what and of how many users, and never with what', async () => {
    for (const code of codes) await addCard(service, code)
    const segment = await service.create('admin', '/segments', {
      name: 'Codes',
      filter: isOneOf('042', '107'),
    })
    const call = await caller(service, 'record')
    await call('POST', '/users/search', { filter: isOneOf('311', '488', '561') })
    await call('GET', `/users?segment=${segment}`)
    const tested = '["card.code"]'
    const [listed, searched] = await searches(service)
    expect(searched).toEqual({ actor: 'record', by: 'search', tested, users: '3' })
    expect(listed).toEqual({ actor: 'record', by: 'list', segment, tested, users: '2' })
    const row = { kind: 'read', actor: 'record', keys: ['code'] }
    const rows = await auditOf(service, 'record')
    expect(rows).toMatchObject([
      { ...row, by: 'list', users: 2, segment },
      { ...row, by: 'search', users: 3 },
    ])
    expect(rows.some(({ user }) => user !== undefined)).toBe(false)
    // Filters by key, actor, kind and time find the rows of searches as well.
    for (const query of [
      'key=code',
      'key=code&actor=record&kind=read',
      'kind=read&actor=record',
      'key=code&from=2020-01-01T00:00:00Z',
    ]) {
      const { body } = await service.call('admin', 'GET', `/audit?${query}`)
      expect([query, (body as AuditPage).rows.filter(({ by }) => by)]).toEqual([query, rows])
    }
    for (const query of [
      'key=card',
      'key=card.code',
      'kind=check',
      'kind=change&key=code',
      'actor=nobody&key=code',
      'key=code&to=2020-01-01T00:00:00Z',
    ]) {
      const { body } = await service.call('admin', 'GET', `/audit?${query}`)
      expect([query, (body as AuditPage).rows.filter(({ by }) => by)]).toEqual([query, []])
    }
  })

  test('hides the keys from who may not read entities', async () => {
    await addCard(service, '042')
    await (
      await caller(service, 'keys')
    )('POST', '/users/search', { filter: isOneOf('042') })
    const { body } = await service.call('integrator', 'GET', '/events?type=SENSITIVE_DATA_SEARCHED')
    expect((body as unknown as Event[]).map(({ properties }) => properties)).toEqual([
      { actor: 'keys', by: 'search', users: '1' },
    ])
  })

  test('tells of the users of a page where the total was counted when there were fewer', () => {
    expect(totalToShow({ count: 50 }, { total: 1 })).toBe(50)
    expect(totalToShow({ count: 2 }, { total: 52 })).toBe(52)
  })

  // Uses filters that no other test uses, because totals are cached for a while, even after the store is emptied.
  test('is one for all pages of a list, and another one for another filter or other words beside it', async () => {
    for (let at = 0; at < 52; at++) await addCard(service, '488')
    await addCard(service, '561')
    const call = await caller(service, 'pages')
    const found = { filter: isOneOf('488') }
    const { next } = (await call('POST', '/users/search', found)).body as UserList
    const { users } = (await call('POST', '/users/search', { ...found, offset: next })).body as UserList
    expect(users).toHaveLength(2)
    expect(await searches(service)).toMatchObject([{ by: 'search', users: '52' }])
    await call('POST', '/users/search', { filter: isOneOf('561') })
    for (const q of ['Ana', 'Eva', 'Ana', 'Eva'])
      await call('POST', '/users/search', { q, filter: isOneOf('561') })
    expect(await searches(service)).toHaveLength(1 + 3)
  })

  // Calls the gate directly, because the number of users that a preview can count in its time depends on the machine.
  test('is one for a filter that is being typed, until it tells of more', async () => {
    await addCard(service, '042')
    const gate = new SealedGate()
    const typist = { subject: 'typist', scopes: new Set(scopes), expires: 0 }
    const question = { caller: typist, by: 'preview' } as const
    for (const users of [0, 1, 0, 1, 52, 1, 53, 53])
      await gate.record(service.database.sql, question, [{ type: 'card', key: 'code' }], users)
    expect((await searches(service)).map((each) => each['users'])).toEqual(['53', '52', '1', '0'])
    const call = await caller(service, 'typing')
    for (const code of ['9', '99', '999']) await call('POST', '/segments/preview', { filter: isOneOf(code) })
    expect(await searches(service)).toHaveLength(4 + 1)
  })

  test('comes before the answer: what cannot be recorded is not told', async () => {
    const { user } = await addCard(service, '042')
    const segment = await service.create('admin', '/segments', { name: 'Codes', filter: isOneOf('042') })
    const call = await caller(service, 'unrecorded')
    const refuse = `create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'no' using errcode = '53100'; end $$;
      create trigger refuse before insert on event_inbox for each row execute function refuse()`
    const refusal = ['code', 'detail', 'instance', 'status', 'title', 'type']
    await service.database.pool.query(refuse)
    try {
      for (const [method, path, body] of [
        ['POST', '/users/search', { filter: isOneOf('042') }],
        ['GET', `/users?segment=${segment}`],
        ['POST', '/segments/preview', { filter: isOneOf('042') }],
        ['POST', `/users/${user}/explain`, { filter: isOneOf('042') }],
        ['GET', `/users/${user}/segments`],
        ['GET', `/segments/${segment}`],
        ['GET', '/segments'],
        ['POST', '/users/batch', { filter: isOneOf('042'), set }],
      ] as const) {
        const answer = await call(method, path, body)
        expect([path, answer.status]).toEqual([path, 503])
        expect(Object.keys(answer.body).toSorted()).toEqual(refusal)
      }
    } finally {
      await service.database.pool.query('drop trigger refuse on event_inbox; drop function refuse')
    }
    expect((await call('GET', `/users?segment=${segment}`)).status).toBe(200)
  })
})
