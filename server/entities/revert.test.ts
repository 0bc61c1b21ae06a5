import { beforeEach, describe, expect, test } from 'vitest'

import type { Changeset, Entity, Event, Property, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf, startTestService } from '../testing/service.ts'

const service = testService()
let user: string
beforeEach(async () => {
  await service.reset()
  user = idOf(await service.call('admin', 'POST', '/users', { ref: 'C-1' }))
})

const call = (
  method: string,
  path: string,
  body?: object,
  { role = 'steward', ...headers }: { role?: Role } & Record<string, string> = {},
) => service.call(headers.authorization === undefined ? role : undefined, method, path, body, headers)
const text = (key: string, value: string | null) => ({ key, type: 'TEXT', value })
const secret = (key: string, value: string | null) => ({ ...text(key, value), sensitive: true })

async function make(properties: object[], type = 'car') {
  const id = idOf(await call('POST', `/users/${user}/entities`, { type, properties }))
  return { id, path: `/users/${user}/entities/${id}` }
}
async function read(path: string): Promise<Entity> {
  const { status, body } = await call('GET', path)
  expect(status).toBe(200)
  return body
}
const valuesOf = ({ properties }: Entity) => properties.map(({ key, value }) => [key, value])
const withoutIds = ({ properties, ...entity }: Entity) => ({
  ...entity,
  properties: properties.map((property): Partial<Property> => {
    const { id: _, ...rest } = property
    return rest
  }),
})

/** Returns the events of writes, newest first. */
async function events(): Promise<Event[]> {
  return (await call('GET', `/events?order=desc&type=DIRECT_DATA_CHANGE&user=${user}`)).body
}
const newest = async () => String((await events())[0]?.properties.changeset)
const changesetOf = async (id: string): Promise<Changeset> => (await call('GET', `/changesets/${id}`)).body
const revert = (id: string, body: object = {}, more?: Parameters<typeof call>[3]) =>
  call('POST', `/changesets/${id}/revert`, body, more)
const restore = (path: string, more?: Parameters<typeof call>[3]) =>
  call('POST', `${path}/restore`, undefined, more)

const everything = [
  text('brand', 'Volvo'),
  secret('plate', 'CANARY-1'),
  { key: 'price', type: 'CURRENCY', value: { currency: 'EUR', value: '12.50' } },
  { key: 'news', type: 'PREFERENCE', value: { status: 'GRANTED', statusDate: '2024-03-01T09:30:00.000Z' } },
  { key: 'seen', type: 'DATE', sensitive: true, value: '2024-02-29' },
  text('none', null),
  secret('hidden none', null),
  { key: '__proto__', type: 'BOOLEAN', value: true },
]

describe('a change that is reverted gives the order of properties back', () => {
  const keysOf = ({ properties }: Entity) => properties.map(({ key }) => key)
  const all = ['a', 'b', 'c', 'd'].map((key) => text(key, key))

  test.each([
    ['of those that were removed', ['b']],
    ['of one that was renamed', ['x', 'b', 'c', 'd']],
    ['of those that were turned', ['d', 'b', 'new', 'a']],
    ['of those that were removed at the end', ['a', 'b']],
  ])('%s, also where one came later', async (_what, keys) => {
    const { path } = await make(all)
    await call('PUT', path, { type: 'car', properties: keys.map((key) => text(key, key)) })
    const change = await newest()
    await call('PATCH', path, { properties: [text('later', '1')] })
    expect((await revert(change)).status).toBeLessThan(400)
    expect(keysOf(await read(path))).toEqual(['a', 'b', 'c', 'd', 'later'])
    const undo = await newest()
    expect(JSON.stringify(await changesetOf(change))).not.toMatch(/order/i)
    expect((await revert(undo)).status).toBeLessThan(400)
    expect(keysOf(await read(path))).toEqual([...keys, 'later'])
  })

  test('also with sensitive ones among them, and for one key alone', async () => {
    const { path } = await make([secret('a', '1'), text('b', '2'), secret('c', '3')])
    await call('PUT', path, { type: 'car', properties: [text('b', '2')] })
    expect((await revert(await newest(), { keys: ['a'] })).status).toBeLessThan(400)
    expect(keysOf(await read(path))).toEqual(['a', 'b'])
  })
})

describe('a deleted entity', () => {
  test.each(['restore', 'revert'])('comes back as it was, by %s', async (how) => {
    const { id, path } = await make(everything)
    const before = await read(path)
    await call('DELETE', path)
    expect((await call('GET', path)).status).toBe(404)
    const answer = how === 'restore' ? await restore(path) : await revert(await newest())
    expect([answer.status, answer.body]).toEqual([204, undefined])

    const after = await read(path)
    expect(withoutIds(after)).toEqual({ ...withoutIds(before), created: expect.any(String) })
    // `created` matches the time in the id, not the time of the restore.
    expect(Date.parse(`${after.created}Z`)).toBe(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
    // A restore counts as an ordinary change, with an event and a changeset.
    const [event] = await events()
    expect(event).toMatchObject({ properties: { user, entity: id, actor: 'steward' } })
    expect(await changesetOf(await newest())).toMatchObject({ op: 'add', entityType: 'car' })
    expect((await changesetOf(await newest())).changes).toHaveLength(everything.length)
  })

  test('is sealed again, found by segments, and can be deleted and restored once more', async () => {
    const { id, path } = await make([secret('plate', 'CANARY-1'), text('brand', 'Škoda')])
    const filter = (key: string, value: string) => ({
      filter: { entity: 'car', where: [{ key, type: 'TEXT', op: 'eq', value }] },
    })
    const found = async (key: string, value: string) =>
      ((await call('POST', '/segments/preview', filter(key, value))).body as { total: number }).total
    for (let round = 0; round < 2; round++) {
      await call('DELETE', path)
      expect(await found('plate', 'CANARY-1')).toBe(0)
      expect((await restore(path)).status).toBe(204)
      expect([await found('plate', 'CANARY-1'), await found('brand', 'škoda')]).toEqual([1, 1])
    }
    const { rows } = await service.database.pool.query(
      'select properties::text || sealed::text as stored from entities where id = $1',
      [id],
    )
    expect(rows[0].stored).not.toContain('CANARY')
    const { rows: changesets } = await service.database.pool.query('select changes::text from changesets')
    expect(JSON.stringify(changesets)).not.toContain('CANARY')
  })

  test('is not restored over one that is there, and one that never was is not found', async () => {
    const { path } = await make(everything)
    expect(await restore(path)).toMatchObject({ status: 409, body: { code: 'entity_exists' } })
    await call('DELETE', path)
    const removal = await newest()
    const answers = await Promise.all([restore(path), restore(path), revert(removal)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409, 409])
    expect(await revert(removal)).toMatchObject({ status: 409, body: { code: 'entity_exists' } })
    const nowhere = path.replace(/[^/]+$/, '01900000-0000-7000-8000-000000000000')
    expect(await restore(nowhere)).toMatchObject({ status: 404, body: { code: 'entity_not_found' } })
    const nobody = path.replace(user, '01900000-0000-7000-8000-000000000000')
    expect(await restore(nobody)).toMatchObject({ status: 404, body: { code: 'user_not_found' } })
    // An entity is not restored under the path of another user either.
    await call('DELETE', path)
    const other = idOf(await call('POST', '/users', {}))
    expect((await restore(path.replace(user, other))).status).toBe(404)
  })

  test('matches no If-Match, not even *', async () => {
    const { path } = await make(everything)
    const etag = (await call('GET', path)).headers.get('etag') ?? ''
    await call('DELETE', path)
    for (const tag of [etag, '*'])
      expect(await revert(await newest(), {}, { 'if-match': tag })).toMatchObject({
        status: 412,
        body: { code: 'stale' },
      })
  })

  test('is restored with a relationship to what is not there any more', async () => {
    const friend = idOf(await call('POST', '/users', {}))
    const { path } = await make([{ key: 'friend', type: 'RELATIONSHIP', value: { user: friend } }])
    await call('DELETE', `/users/${friend}`)
    await call('DELETE', path)
    expect((await restore(path)).status).toBe(204)
    expect(valuesOf(await read(path))).toEqual([['friend', { user: friend }]])
  })

  test('stays within the limits of its user', async () => {
    const { path } = await make([])
    await call('DELETE', path)
    await service.database.pool.query(
      `insert into entities (user_id, id, type, created, properties)
      select $1, gen_random_uuid(), 'car', now(), '{}' from generate_series(1, 1000)`,
      [user],
    )
    expect(await restore(path)).toMatchObject({ status: 422, body: { code: 'too_many_entities' } })
  })

  test('is gone for good with its user', async () => {
    const { path } = await make(everything)
    await call('DELETE', path)
    const removal = await newest()
    await call('DELETE', `/users/${user}`)
    expect(await restore(path)).toMatchObject({ status: 404, body: { code: 'user_not_found' } })
    expect(await revert(removal)).toMatchObject({ status: 404, body: { code: 'changeset_not_found' } })
  })
})

describe('a change of an entity', () => {
  test('is made back: what was added goes, what was removed comes, what was changed is as before', async () => {
    const { path } = await make(everything)
    const before = await read(path)
    await call('PUT', path, {
      type: 'van',
      properties: [
        { key: 'brand', type: 'NUMBER', value: 5 },
        secret('plate', 'CANARY-2'),
        text('new', 'x'),
        secret('new secret', 'y'),
      ],
    })
    expect((await revert(await newest())).status).toBe(204)
    const after = await read(path)
    const sorted = (entity: Entity) => ({
      ...withoutIds(entity),
      properties: withoutIds(entity).properties.toSorted((a, b) =>
        String(a.key).localeCompare(String(b.key)),
      ),
    })
    expect(sorted(after)).toEqual(sorted(before))
    // Unchanged properties keep their ids.
    expect(after.properties.find(({ key }) => key === 'plate')?.id).toBe(
      before.properties.find(({ key }) => key === 'plate')?.id,
    )
    expect(await changesetOf(await newest())).toMatchObject({ op: 'change', actor: 'steward' })
  })

  test('leaves the other properties alone if only some keys are named', async () => {
    const { path } = await make([secret('plate', 'CANARY-1'), text('brand', 'Volvo')])
    await call('PATCH', path, {
      type: 'van',
      properties: [secret('plate', 'CANARY-2'), text('brand', 'Saab')],
    })
    const changed = await newest()
    expect((await revert(changed, { keys: ['plate'] })).status).toBe(204)
    expect(await read(path)).toMatchObject({ type: 'van' })
    expect(valuesOf(await read(path))).toEqual([
      ['plate', 'CANARY-1'],
      ['brand', 'Saab'],
    ])
    expect(await revert(changed, { keys: ['brand', 'colour'] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/keys/1', code: 'unknown_key' }] },
    })
    expect((await revert(changed, { keys: [] })).status).toBe(422)
  })

  test('that something was written over is refused, unless the caller has seen that', async () => {
    const { path } = await make([secret('plate', 'CANARY-1'), text('brand', 'Volvo')])
    await call('PATCH', path, { properties: [secret('plate', 'CANARY-2')] })
    const wrong = await newest()
    // Later changes to other properties do not matter.
    await call('PATCH', path, { properties: [text('brand', 'Saab')] })
    const seen = (await call('GET', path)).headers.get('etag') ?? ''
    await call('PATCH', path, { properties: [secret('plate', 'CANARY-3')] })
    const refused = await revert(wrong)
    expect(refused).toMatchObject({ status: 409, body: { code: 'changed_since', keys: ['plate'] } })
    expect(JSON.stringify(refused.body)).not.toContain('CANARY')
    expect((await revert(wrong, {}, { 'if-match': seen })).status).toBe(412)
    expect((await revert(wrong, {}, { 'if-match': '*' })).status).toBe(409)
    const etag = (await call('GET', path)).headers.get('etag') ?? ''
    expect((await revert(wrong, {}, { 'if-match': etag })).status).toBe(204)
    expect(valuesOf(await read(path))[0]).toEqual(['plate', 'CANARY-1'])
  })

  test('is refused if the type has changed again since', async () => {
    const { path } = await make([], 'car')
    await call('PATCH', path, { type: 'van' })
    const change = await newest()
    await call('PATCH', path, { type: 'truck' })
    expect(await revert(change)).toMatchObject({ status: 409, body: { code: 'changed_since', keys: [] } })
  })

  test('that is made back already makes no event', async () => {
    const { path } = await make([secret('plate', 'CANARY-1')])
    await call('PATCH', path, { properties: [secret('plate', 'CANARY-2')] })
    const change = await newest()
    await revert(change)
    const before = await events()
    const etag = (await call('GET', path)).headers.get('etag') ?? ''
    expect((await revert(change, {}, { 'if-match': etag })).status).toBe(204)
    expect((await call('GET', path)).headers.get('etag')).toBe(etag)
    expect(await events()).toEqual(before)
  })

  test('can be made back, and that again', async () => {
    const { path } = await make([secret('plate', 'CANARY-1')])
    await call('PATCH', path, { properties: [secret('plate', 'CANARY-2')] })
    for (const value of ['CANARY-1', 'CANARY-2', 'CANARY-1']) {
      expect((await revert(await newest())).status).toBe(204)
      expect(valuesOf(await read(path))).toEqual([['plate', value]])
    }
  })

  test('is refused where the entity is gone, or was made by it', async () => {
    const { path } = await make([text('brand', 'Volvo')])
    const made = await newest()
    expect(await revert(made)).toMatchObject({ status: 409, body: { code: 'not_revertible' } })
    // The creation's individual properties can be reverted.
    expect((await revert(made, { keys: ['brand'] })).status).toBe(204)
    expect(valuesOf(await read(path))).toEqual([])
    await call('PATCH', path, { properties: [text('brand', 'Saab')] })
    const changed = await newest()
    await call('DELETE', path)
    expect(await revert(changed)).toMatchObject({ status: 404, body: { code: 'entity_not_found' } })
    expect((await revert('01900000-0000-7000-8000-000000000000')).status).toBe(404)
  })

  test('grows no entity beyond its limits, and says so of the request as a whole', async () => {
    const long = Array.from({ length: 17 }, (_, n) => text(`t${n}`, 'x'.repeat(60_000)))
    const { path } = await make(long)
    await call('PUT', path, { type: 'car', properties: [] })
    const emptied = await newest()
    await call('PATCH', path, { properties: [{ ...text('more', 'x'.repeat(60_000)) }] })
    expect(await revert(emptied)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '', code: 'entity_too_large' }] },
    })
    await call('PUT', path, { type: 'car', properties: [] })
    const many = Array.from({ length: 500 }, (_, n) => text(`k${n}`, 'x'))
    await call('PATCH', path, { properties: many })
    expect(await revert(emptied, { keys: ['t0'] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '', code: 'too_many_properties' }] },
    })
  })
})

describe('sensitive values', () => {
  test('are in no answer to a caller who restores them without reading them, and in no event', async () => {
    const blind = {
      authorization: `Bearer ${await service.sign({ sub: 'blind', scope: 'entities:read entities:write sensitive:write events:read' })}`,
    }
    const { path } = await make([secret('plate', 'CANARY-1')])
    await call('PATCH', path, { properties: [secret('plate', 'CANARY-2')] })
    const wrong = await newest()
    const answers = [await revert(wrong, {}, blind)]
    await call('DELETE', path)
    answers.push(await restore(path, blind), await call('GET', path, undefined, blind))
    answers.push(await call('GET', `/events?order=desc`, undefined, blind))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 200, 200])
    for (const { body, headers } of answers)
      expect(JSON.stringify([body ?? '', ...headers])).not.toContain('CANARY')
    expect(valuesOf(await read(path))).toEqual([['plate', 'CANARY-1']])
    // A restore does not count as a read.
    const reads: Event[] = (await call('GET', '/events?type=SENSITIVE_DATA_ACCESSED')).body
    expect(reads.map(({ properties }) => properties.actor)).not.toContain('blind')
  })

  test('stay sensitive: what was written before the mark, or was removed since', async () => {
    const { path } = await make([text('plate', 'CANARY-1')])
    await call('PATCH', path, { properties: [text('plate', 'CANARY-2')] })
    const early = await newest()
    await call('PATCH', path, { properties: [{ key: 'plate', sensitive: true }] })
    expect((await revert(early)).status).toBe(204)
    const hidden = [{ key: 'plate', sensitive: true, value: 'CANARY-1' }]
    expect((await read(path)).properties).toMatchObject(hidden)
    await call('PUT', path, { type: 'car', properties: [] })
    const etag = (await call('GET', path)).headers.get('etag') ?? ''
    expect((await revert(early, {}, { 'if-match': etag })).status).toBe(204)
    expect((await read(path)).properties).toMatchObject(hidden)
  })

  test('are not brought into the open by who may not read them', async () => {
    const writer = {
      authorization: `Bearer ${await service.sign({ sub: 'writer', scope: 'entities:read entities:write' })}`,
    }
    const blind = {
      authorization: `Bearer ${await service.sign({ sub: 'blind', scope: 'entities:read entities:write sensitive:write' })}`,
    }
    const { path } = await make([text('plate', 'CANARY-1')])
    await call('DELETE', path)
    const open = await newest()
    await restore(path)
    await call('PATCH', path, { properties: [{ key: 'plate', sensitive: true }] })
    await call('DELETE', path)
    for (const headers of [writer, blind]) expect((await revert(open, {}, headers)).status).toBe(403)
    expect((await revert(open)).status).toBe(204)
    // The property is clear now, as it was then; the history still hides its earlier value.
    await call('PATCH', path, { properties: [text('plate', 'CANARY-4')] }, writer)
    expect(await read(path)).toMatchObject({ properties: [{ sensitive: false }] })
    const plain = await newest()
    for (const headers of [writer, blind]) expect((await revert(plain, {}, headers)).status).toBe(403)
    expect((await revert(plain)).status).toBe(204)
  })
})

test('the bare service does not have revert and restore', async () => {
  const bare = await startTestService({ additions: 'none' })
  const id = '01900000-0000-7000-8000-000000000000'
  for (const path of [`/changesets/${id}/revert`, `/users/${id}/entities/${id}/restore`])
    expect(await bare.call('admin', 'POST', path, {})).toMatchObject({
      status: 404,
      body: { code: 'unknown_address' },
    })
  await bare.close()
})
