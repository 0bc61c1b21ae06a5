import { beforeEach, describe, expect, test } from 'vitest'

import {
  type Endpoint,
  type EndpointName,
  type Endpoints,
  endpoints,
  type Event,
  type Role,
} from '#contract/index.ts'
import { testService } from '../../testing/hooks.ts'
import { storeFile, targetOf } from '../../testing/imports.ts'
import { idOf, type TestAnswer } from '../../testing/service.ts'

const service = testService()
beforeEach(() => service.reset())

const keyed = (key: string) => ({ 'idempotency-key': key })
const post = (key: string, body: object, role: Role = 'steward') =>
  service.call(role, 'POST', '/users', body, keyed(key))
const isReplayed = ({ headers }: TestAnswer) => headers.get('idempotency-replayed') === 'true'
const events = async (): Promise<Event[]> => (await service.call('admin', 'GET', '/events')).body
const users = async (): Promise<number> =>
  ((await service.call('admin', 'GET', '/users')).body as { total: number }).total
const query = async (text: string) => (await service.database.pool.query(text)).rows as unknown[]
const keys = () => query('select * from idempotency_keys')

/** Operations that write and answer without a body; each runs through `Call.write`. */
type WriteName = {
  [Name in EndpointName]: Endpoints[Name] extends { method: 'GET' } | { safe: true } | { reply: object }
    ? never
    : Name
}[EndpointName]

interface Made {
  readonly user: string
  readonly entity: string
  /** Id of a deleted entity. */
  readonly gone: string
  /** Id of a change of the entity. */
  readonly changeset: string
  readonly segment: string
  readonly subscription: string
  /** Id of a finished dry run. */
  readonly job: string
  /** Id of a file that is mapped. */
  readonly file: string
  readonly token: string
}

/** Creates a target for each of the writes. */
async function prepare(): Promise<Made> {
  const user = idOf(await service.call('admin', 'POST', '/users', {}))
  const entity = idOf(await service.call('admin', 'POST', `/users/${user}/entities`, { type: 'person' }))
  const gone = idOf(await service.call('admin', 'POST', `/users/${user}/entities`, { type: 'person' }))
  await service.call('admin', 'DELETE', `/users/${user}/entities/${gone}`)
  await service.call('admin', 'PATCH', `/users/${user}/entities/${entity}`, { type: 'human' })
  const changeset = (await events()).at(-1)?.properties.changeset as string
  const segment = idOf(
    await service.call('admin', 'POST', '/segments', { name: 'None', filter: { any: [] } }),
  )
  const { id: subscription } = (
    await service.call('admin', 'POST', '/subscriptions', { url: 'https://example.org/' })
  ).body as { id: string }
  const job = idOf(await service.call('admin', 'POST', '/users/batch', batch(user)))
  await query(`update jobs set state = 'finished'`)
  await query(
    `insert into definitions (entity_type, key, definition, updated) values ('person', '', '{}', now()), ('person', 'city', '{}', now())`,
  )
  const file = await storeFile(service.database, {
    columns: [targetOf('.name')],
    rows: [['Ana']],
    role: 'admin',
  })
  // Leaves an event that waits for its delivery.
  await service.call('admin', 'PATCH', `/users/${user}`, { ref: 'C-1' })
  const { invite_url: link = '' } = (await service.call('admin', 'GET', `/users/${user}`)).body as {
    invite_url?: string
  }
  return {
    user,
    entity,
    gone,
    changeset,
    segment,
    subscription,
    job,
    file,
    token: new URL(link).searchParams.get('token') ?? '',
  }
}

/** Returns all rows of all tables; not of views, since one of Citus tells the sizes of tables on disk. */
async function everything(): Promise<unknown> {
  const tables = (await query(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )) as { name: string }[]
  const contents: Record<string, unknown> = {}
  for (const { name } of tables)
    contents[name] = await query(`select t::text as row from "${name}" t order by 1`)
  return contents
}

const car = { type: 'car', properties: [{ key: 'brand', type: 'TEXT', value: 'Volvo' }] }
const batch = (user: string) => ({
  ids: [user],
  set: { entity: 'car', key: 'brand', type: 'TEXT', value: 'Saab' },
  dryRun: true,
})
/** Writes that may be repeated with a key; a file is sent again. */
type KeyedName = Exclude<WriteName, 'createImport'>
const writes: Readonly<Record<KeyedName, (made: Made) => readonly [path: string, body?: object]>> = {
  createUser: () => ['/users', { name: 'Ana' }],
  patchUser: ({ user }) => [`/users/${user}`, { name: 'Eva' }],
  deleteUser: ({ user }) => [`/users/${user}`],
  createEntity: ({ user }) => [`/users/${user}/entities`, car],
  replaceEntity: ({ user, entity }) => [`/users/${user}/entities/${entity}`, car],
  patchEntity: ({ user, entity }) => [`/users/${user}/entities/${entity}`, car],
  deleteEntity: ({ user, entity }) => [`/users/${user}/entities/${entity}`],
  restoreEntity: ({ user, gone }) => [`/users/${user}/entities/${gone}/restore`],
  revertChangeset: ({ changeset }) => [`/changesets/${changeset}/revert`, {}],
  createSegment: () => ['/segments', { name: 'All', filter: { all: [] } }],
  replaceSegment: ({ segment }) => [`/segments/${segment}`, { name: 'Some', filter: { all: [] } }],
  deleteSegment: ({ segment }) => [`/segments/${segment}`],
  patchSubscription: ({ subscription }) => [`/subscriptions/${subscription}`, { enabled: false }],
  deleteSubscription: ({ subscription }) => [`/subscriptions/${subscription}`],
  putDefinition: () => ['/definitions/car/brand', { label: { en: 'Brand' } }],
  deleteDefinition: () => ['/definitions/person/city'],
  putTypeDefinition: () => ['/definitions/car', { label: { en: 'Car' } }],
  deleteTypeDefinition: () => ['/definitions/person'],
  replaceDefinitions: () => ['/definitions', { entityTypes: [{ type: 'person' }] }],
  acceptInvitation: ({ user, token }) => [`/users/${user}/account`, { token }],
  createBatch: ({ user }) => ['/users/batch', batch(user)],
  deleteUsers: ({ user }) => ['/users/delete', { ids: [user], count: 1, dryRun: true }],
  createExport: ({ user }) => ['/exports', { ids: [user], format: 'ndjson' }],
  stopJob: ({ job }) => [`/jobs/${job}/stop`],
  resumeJob: ({ job }) => [`/jobs/${job}/resume`],
  applyJob: ({ job }) => [`/jobs/${job}/apply`],
  undoJob: ({ job }) => [`/jobs/${job}/undo`],
  checkImport: ({ file }) => [`/imports/${file}/check`, {}],
}
/** Writes that record no event themselves; the later writes of the job do. */
const withoutEvent = new Set<KeyedName>([
  'createBatch',
  'createExport',
  'deleteUsers',
  'stopJob',
  'resumeJob',
  'applyJob',
  'undoJob',
  'checkImport',
])

describe('a write with an Idempotency-Key', () => {
  const names = Object.keys(endpoints).filter((name) => {
    const { method, safe, reply, upload }: Endpoint = endpoints[name as EndpointName]
    return method !== 'GET' && !safe && !reply && !upload
  })

  test.each(names as KeyedName[])('%s is done once and answered twice', async (name) => {
    const made = await prepare()
    // Only a job that has changed something can be undone.
    if (name === 'undoJob') await query('update jobs set dry_run = false')
    const { method } = endpoints[name]
    const [path, body] = writes[name](made)

    const first = await service.call('admin', method, path, body, keyed('k-1'))
    const before = await events()
    const second = await service.call('admin', method, path, body, keyed('k-1'))
    expect(endpoints[name].status).toContain(first.status)
    expect(isReplayed(first)).toBe(false)
    expect(isReplayed(second)).toBe(true)
    expect(second.status).toBe(first.status)
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(second.headers.get('content-length')).toBe('0')
    // Eight events from `prepare`, plus one from the write.
    expect(before).toHaveLength(withoutEvent.has(name) ? 8 : 9)
    expect(await events()).toEqual(before)
  })

  test.each(names as KeyedName[])(
    '%s under a key that was used for something else changes nothing at all',
    async (name) => {
      const made = await prepare()
      await service.call('admin', 'POST', '/users', { name: 'Ida' }, keyed('k-1'))
      await events()
      const before = await everything()
      const [path, body] = writes[name](made)
      const answer = await service.call('admin', endpoints[name].method, path, body, keyed('k-1'))
      expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
      expect(await everything()).toEqual(before)
    },
  )

  test('does not undo what others wrote in between, nor minds that If-Match is stale by then', async () => {
    const user = idOf(await post('k-1', { name: 'Ana' }))
    const etag = (await service.call('steward', 'GET', `/users/${user}`)).headers.get('etag') ?? ''
    const patch = () =>
      service.call(
        'steward',
        'PATCH',
        `/users/${user}`,
        { name: 'Eva' },
        { ...keyed('k-2'), 'if-match': etag },
      )
    expect((await patch()).status).toBe(303)
    await service.call('steward', 'PATCH', `/users/${user}`, { name: 'Ida' })
    const again = await patch()
    expect(again.status).toBe(303)
    expect(isReplayed(again)).toBe(true)
    expect((await service.call('steward', 'GET', `/users/${user}`)).body).toMatchObject({ name: 'Ida' })
  })

  test('sent 20 times at once makes one user and 20 equal answers', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('k-1', {})))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(new Set(answers.map(idOf)).size).toBe(1)
    expect(answers.filter(isReplayed)).toHaveLength(19)
    expect(await users()).toBe(1)
    expect(await events()).toHaveLength(1)
  })

  test('is refused for another body, address or method', async () => {
    const user = idOf(await post('k-1', { name: 'Ana' }))
    for (const [method, path, body] of [
      ['POST', '/users', { name: 'Eva' }],
      ['POST', '/users', { name: 'Ana', email: '' }],
      ['POST', `/users/${user}/entities`, { type: 'car' }],
      ['PATCH', `/users/${user}`, { name: 'Ana' }],
      ['DELETE', `/users/${user}`, undefined],
    ] as const) {
      const answer = await service.call('steward', method, path, body, keyed('k-1'))
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({ code: 'idempotency_key_reused' })
    }
    expect(await events()).toHaveLength(1)
  })

  test("is kept apart from another subject's with an equal key", async () => {
    const first = await post('k-1', {}, 'steward')
    const second = await post('k-1', {}, 'admin')
    expect(second.status).toBe(201)
    expect(idOf(second)).not.toBe(idOf(first))
  })

  test('that is refused leaves the key for a corrected try', async () => {
    await post('k-0', { email: 'ana@example.org' })
    const other = idOf(await post('k-1', { name: 'Eva' }))
    const patch = (email: string) =>
      service.call('steward', 'PATCH', `/users/${other}`, { email }, keyed('k-2'))
    expect((await patch('ana@example.org')).status).toBe(409)
    expect((await patch('no address')).status).toBe(422)
    expect(await keys()).toHaveLength(2)
    const corrected = await patch('eva@example.org')
    expect(corrected.status).toBe(303)
    expect(isReplayed(corrected)).toBe(false)
  })

  test('that fails half-way leaves neither the write nor the key', async () => {
    // The event is a write's last insert. 40001 is a rollback that PostgreSQL asks to retry.
    await query(`create function fail() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '40001'; end $$`)
    await query('create trigger fail before insert on event_inbox execute function fail()')
    const failed = await post('k-1', {})
    await query('drop function fail cascade')
    expect(failed.status).toBe(503)
    expect(await users()).toBe(0)
    expect(await keys()).toEqual([])
    const again = await post('k-1', {})
    expect(again.status).toBe(201)
    expect(isReplayed(again)).toBe(false)
  })

  test('is forgotten after 24 hours', async () => {
    const first = await post('k-1', {})
    await query(`update idempotency_keys set created = created - interval '23 hours 59 minutes'`)
    expect(isReplayed(await post('k-1', {}))).toBe(true)
    await query(`update idempotency_keys set created = created - interval '1 minute'`)
    const later = await post('k-1', {})
    expect(isReplayed(later)).toBe(false)
    expect(idOf(later)).not.toBe(idOf(first))
    expect(isReplayed(await post('k-1', {}))).toBe(true)
  })

  test('is deleted some time after that, by later writes', async () => {
    await query(`insert into idempotency_keys (subject, key, fingerprint, created)
      select 'gone', n, '', now() at time zone 'UTC' - interval '25 hours' from generate_series(1, 100) n`)
    // Chance decides which write cleans up: one in 64.
    let posts = 0
    while ((await query(`select 1 from idempotency_keys where subject = 'gone'`)).length > 0 && posts < 500)
      await post(`k-${posts}`, { name: `n-${posts++}` })
    expect(posts).toBeLessThan(500)
    expect(await keys()).toHaveLength(posts)
  })

  test.each([
    ['an empty', ''],
    ['a long', 'x'.repeat(201)],
    ['a spaced', 'a b'],
    ['a foreign', 'clé'],
  ])('refuses %s key', async (_what, key) => {
    const answer = await post(key, {})
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'invalid_idempotency_key' })
    expect(await users()).toBe(0)
  })

  test('takes the longest key there is, in quotes too', async () => {
    for (const key of ['x'.repeat(200), '"8e03978e-40d5-43dd-bc93-6894a57f9324"']) {
      const first = await post(key, {})
      expect(idOf(await post(key, {}))).toBe(idOf(first))
    }
  })

  test('keeps no word of the body', async () => {
    await post('k-1', { name: 'Ana Canary', email: 'ana@example.org' })
    expect(JSON.stringify(await query('select idempotency_keys::text from idempotency_keys'))).not.toMatch(
      /canary|ana@/i,
    )
  })
})

describe('the bare service', () => {
  const bare = testService({ additions: 'none' })

  test('ignores the key, however it is written', async () => {
    const answers = await Promise.all(
      ['k-1', 'k-1', 'not a key'].map((key) => bare.call('steward', 'POST', '/users', {}, keyed(key))),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(answers.filter(isReplayed)).toEqual([])
    expect(new Set(answers.map(idOf)).size).toBe(3)
  })

  test('answers no ETag and ignores If-Match', async () => {
    const id = idOf(await bare.call('steward', 'POST', '/users', {}))
    const entity = idOf(await bare.call('steward', 'POST', `/users/${id}/entities`, { type: 'car' }))
    for (const path of [`/users/${id}/entities/${entity}`, `/users/${id}`]) {
      expect((await bare.call('steward', 'GET', path)).headers.get('etag')).toBeNull()
      for (const header of ['"stale"', 'malformed'])
        expect([204, 303]).toContain(
          (await bare.call('steward', 'PATCH', path, {}, { 'if-match': header })).status,
        )
      expect((await bare.call('steward', 'DELETE', path, undefined, { 'if-match': '"x"' })).status).toBe(204)
    }
  })
})

describe('the first answer about a user who was deleted since', () => {
  const gone = { status: 404, body: { code: 'user_not_found' } }

  test('is not returned again, and no second user is created', async () => {
    const made = await post('k-1', { email: 'ana@example.org', name: 'Ana' })
    const matched = await post('k-2', { email: 'ana@example.org' })
    expect([made.status, matched.status]).toEqual([201, 303])
    const address = `/users/${idOf(made)}`
    const write = (method: string, path: string, key: string, body: object) =>
      service.call('admin', method, path, body, keyed(key))
    const patch = () => write('PATCH', address, 'k-3', { name: 'Eva' })
    const entity = () => write('POST', `${address}/entities`, 'k-4', { type: 'car' })
    expect([(await patch()).status, (await entity()).status]).toEqual([303, 201])
    expect([(await patch()).status, (await entity()).status]).toEqual([303, 201])
    await service.call('admin', 'DELETE', address)
    expect(await post('k-1', { email: 'ana@example.org', name: 'Ana' })).toMatchObject(gone)
    expect(await post('k-2', { email: 'ana@example.org' })).toMatchObject(gone)
    for (const again of [await patch(), await entity()]) expect(again).toMatchObject(gone)
    expect(await users()).toBe(0)
    const later = await post('k-5', { email: 'ana@example.org' })
    expect(later.status).toBe(201)
    expect(idOf(later)).not.toBe(idOf(made))
  })
})
