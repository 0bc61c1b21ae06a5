import { beforeEach, describe, expect, test } from 'vitest'

import type { Erasure, ErasureList, Filter, Job, Segment } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { emptyHolders } from './erased.ts'
import { JobTidying } from './tidying.ts'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const sealed = { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02' }
/** A user with something sealed: the deletion waits for the operator, so that it is listed before it is emptied. */
const segmentedUser = {
  email: 'Seg.U@bücher.example',
  name: 'Segmented López',
  ref: 'ACC-0042',
  properties: [sealed],
}
const addSegment = async (filter: unknown, more: object = {}) =>
  await service.create('admin', '/segments', { name: 'A segment', filter, ...more })
const readSegment = async (id: string): Promise<Segment> =>
  (await service.call('admin', 'GET', `/segments/${id}`)).body
const remove = async (user: string) =>
  expect((await service.call('steward', 'DELETE', `/users/${user}`)).status).toBe(204)
async function readErasure(user: string): Promise<Erasure | undefined> {
  const { body }: { body: ErasureList } = await service.call(
    'steward',
    'GET',
    `/erasures?user=${user}&state=all`,
  )
  return body.erasures[0]
}
/** Makes all deletions final, as replacing the master key does. */
async function makeFinal() {
  await service.database.pool.query('update erasures set masters = null, final = now()')
  await emptyHolders(service.database)
}

const text = (key: string, op: string, value: unknown, type = 'TEXT') => ({
  entity: 'person',
  where: [{ key, type, op, value }],
})

describe('segments that identify an erased user', () => {
  const filters = (id: string): [string, Filter | object][] => [
    ['an e-mail', { user: 'email', op: 'eq', value: 'seg.u@BÜCHER.example' }],
    ['the ASCII form of a domain', { user: 'email', op: 'ne', value: 'SEG.U@xn--bcher-kva.example' }],
    ['a list', { user: 'email', op: 'in', value: ['other@example.org', 'seg.u@bücher.example'] }],
    ['a name', { user: 'name', op: 'eq', value: 'SEGMENTED LO\u0301PEZ' }],
    ['a fragment', { user: 'name', op: 'contains', value: 'segmented lopez' }],
    ['a ref', { not: { user: 'ref', op: 'in', value: ['acc-0042'] } }],
    ['nested', { all: [{ any: [{ not: { user: 'name', op: 'eq', value: 'Segmented López' } }] }] }],
    ['a property', text('mail', 'eq', 'seg.u@bücher.example', 'EMAIL')],
    ['a relationship', text('boss', 'eq', { user: id }, 'RELATIONSHIP')],
    ['an id', text('note', 'contains', id.toUpperCase())],
  ]

  test('are listed with the erasure, and emptied when it is final, still valid', async () => {
    const user = await service.create('steward', '/users', segmentedUser)
    const other = await addSegment({ user: 'name', op: 'eq', value: 'Somebody Else' })
    const ids: string[] = []
    for (const [name, filter] of filters(user)) ids.push(await addSegment(filter, { name }))
    const unchanged = await readSegment(other)
    await remove(user)
    expect((await readErasure(user))?.traces).toEqual({
      segments: filters(user).map(([name], at) => ({ id: ids[at], name })),
      jobs: [],
    })
    await emptyHolders(service.database)
    expect((await readErasure(user))?.traces?.segments).toHaveLength(ids.length)
    await makeFinal()
    expect(await readErasure(user)).not.toHaveProperty('traces')
    for (const id of ids) {
      const { filter, name } = await readSegment(id)
      expect(JSON.stringify(filter).normalize('NFD')).not.toMatch(/seg\.u|bcher|lo\u0301?pez|acc-0042/i)
      expect(JSON.stringify(filter).toLowerCase()).not.toContain(user)
      expect(JSON.stringify(filter)).toMatch(/erased|0{8}-/)
      expect((await service.call('admin', 'PUT', `/segments/${id}`, { name, filter })).status).toBe(204)
    }
    expect((await readSegment(ids[2] ?? '')).filter).toEqual({
      user: 'email',
      op: 'in',
      value: ['other@example.org', 'erased@erased.invalid'],
    })
    expect(await readSegment(other)).toEqual(unchanged)
    const { rows } = await service.database.pool.query('select * from erasure_marks')
    expect(rows).toEqual([])
  })

  test('have it cut out of their names and descriptions', async () => {
    const user = await service.create('steward', '/users', segmentedUser)
    const description = `Asked for by Seg.U@bücher.example (ACC-0042, ${user}). López and others stay.`
    const id = await addSegment({ all: [] }, { name: "Lopez, Segmented's friends", description })
    await remove(user)
    expect((await readErasure(user))?.traces?.segments).toEqual([{ id, name: "Lopez, Segmented's friends" }])
    await makeFinal()
    expect(await readSegment(id)).toMatchObject({
      name: "(erased)'s friends",
      description: 'Asked for by (erased) ((erased), (erased)). López and others stay.',
    })
  })

  test('keep what a living user has as well', async () => {
    const user = await service.create('steward', '/users', { name: 'Ana Klein', properties: [sealed] })
    await service.create('steward', '/users', { name: 'ana klein' })
    const filter = { user: 'name', op: 'eq', value: 'Ana Klein' }
    const id = await addSegment(filter, { name: 'Ana Klein' })
    await remove(user)
    expect(await readErasure(user)).not.toHaveProperty('traces')
    await makeFinal()
    expect(await readSegment(id)).toMatchObject({ name: 'Ana Klein', filter })
  })

  test('keep towns and short numbers, which are no trace of a person', async () => {
    const user = await service.create('steward', '/users', { name: 'Paris', ref: '47', properties: [sealed] })
    const filter = { all: [text('town', 'eq', 'Paris'), text('floor', 'eq', '47')] }
    const id = await addSegment(filter, { name: 'Floor 47' })
    await remove(user)
    await makeFinal()
    expect(await readSegment(id)).toMatchObject({ name: 'Floor 47', filter })
  })

  test('are emptied by the tidying of each hour', async () => {
    const user = await service.create('steward', '/users', { name: 'Segmented López' })
    const id = await addSegment({ user: 'name', op: 'eq', value: 'Segmented López' })
    await remove(user)
    expect(await readErasure(user)).toMatchObject({ state: 'final', traces: { segments: [{ id }] } })
    const tidying = new JobTidying(service.database)
    try {
      const emptied = async () => JSON.stringify((await readSegment(id)).filter)
      await expect.poll(emptied).not.toContain('Segmented')
    } finally {
      await tidying.stop()
    }
  })

  test('are emptied in steps, of more users than are looked for at once', async () => {
    const user = await service.create('steward', '/users', segmentedUser)
    const id = await addSegment({ user: 'ref', op: 'eq', value: 'ACC-0042' })
    await remove(user)
    await service.database.pool.query(
      `insert into erasures (user_id, deleted) select gen_random_uuid(), now() from generate_series(1, 20100)`,
    )
    await makeFinal()
    expect(JSON.stringify((await readSegment(id)).filter)).not.toContain('ACC')
    const { rows } = await service.database.pool.query(
      'select 1 from erasures where not (segments_emptied and jobs_emptied)',
    )
    expect(rows).toEqual([])
  })
})

describe('jobs that hold what identifies an erased user', () => {
  const readJob = async (job: string): Promise<Job> =>
    (await service.call('steward', 'GET', `/jobs/${job}`)).body
  const ended = (job: string) => expect.poll(async () => (await readJob(job)).state).toBe('finished')

  test('in a filter among others are listed with the erasure, and lose the filter', async () => {
    const user = await service.create('steward', '/users', segmentedUser)
    const [email, name] = [segmentedUser.email, 'Somebody Else']
    const filter = {
      any: [
        { user: 'name', op: 'eq', value: name },
        { user: 'email', op: 'eq', value: email },
      ],
    }
    const job = await service.create('steward', '/exports', { format: 'csv', columns: ['name'], filter })
    await ended(job)
    await remove(user)
    expect((await readErasure(user))?.traces).toEqual({ segments: [], jobs: [{ id: job }] })
    await makeFinal()
    expect(await readErasure(user)).not.toHaveProperty('traces')
  })

  test('set as a value are listed with the erasure, and lose the value when it is final', async () => {
    const user = await service.create('steward', '/users', segmentedUser)
    const other = await service.create('steward', '/users', { name: 'Bob' })
    const set = { entity: 'person', key: 'adviser', type: 'TEXT', value: 'segmented LÓPEZ' }
    const job = await service.create('steward', '/users/batch', { ids: [other], set })
    await ended(job)
    await remove(user)
    expect((await readErasure(user))?.traces).toEqual({ segments: [], jobs: [{ id: job }] })
    await makeFinal()
    expect((await readJob(job)).set).toEqual({
      entity: 'person',
      key: 'adviser',
      type: 'TEXT',
      create: false,
      which: 'only',
      erased: true,
    })
    expect(await readErasure(user)).not.toHaveProperty('traces')
  })
})
