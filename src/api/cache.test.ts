import { QueryObserver } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'

import { type Endpoint, endpoints, type WriteName } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../testing/network.ts'
import { forgetUsers, outdate, put, reread } from './cache.ts'
import { connect } from './connection.ts'
import { api, fileUnder, q } from './operations.ts'
import { createQueryClient } from './query-client.ts'

const user = (id: string) => ({ params: { user_id: id } })
interface Filed {
  readonly queryKey: readonly unknown[]
}

/** Returns a cache with these answers, and what became of each. */
function cacheOf(...answers: readonly Filed[]) {
  const client = createQueryClient()
  for (const answer of answers) put(client, answer, 'read')
  return {
    client,
    after: (write: WriteName, ids: Readonly<Record<string, string>>) => {
      outdate(client, write, ids)
      return answers.map(({ queryKey }) => {
        const state = client.getQueryState(queryKey)
        return state === undefined ? 'dropped' : state.isInvalidated ? 'stale' : 'fresh'
      })
    },
  }
}

describe('every write about a user', () => {
  const all: readonly [string, Endpoint][] = Object.entries(endpoints)
  const isOfUser = ([, { path }]: (typeof all)[number]) => path.startsWith('/users/{user_id}')
  const writes = all.filter(isOfUser).filter(([, { reasoned, referenced }]) => reasoned ?? referenced)
  /** Reads that a page of a user shows, of that user and of a second one. */
  const reads = all.filter(isOfUser).filter(([, { method }]) => method === 'GET')
  /** Fields of a user and their entities are written apart, and neither is read again for the other. */
  const isApart = (write: string, read: string) =>
    write === 'patchUser'
      ? read.endsWith('ties') || read.endsWith('tity')
      : write !== 'deleteUser' && read === 'getUser'

  /** Returns the ids in a path about a user, each of which is that of the user. */
  const idsIn = (path: string, id: string) =>
    Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, id]))

  test('is found in the contract, and so is every read', () => {
    expect(writes.map(([name]) => name)).toContain('patchEntity')
    expect(reads.map(([name]) => name)).toContain('listUserSegments')
  })

  describe.for(writes)('%s', ([write, { path: writePath }]) => {
    const ids = idsIn(writePath, '1')

    test.for(reads)('makes %s of that user stale, and of no other', ([read, { path }]) => {
      const of = (id: string) => fileUnder(read as 'getUser', { params: idsIn(path, id) })
      const [own, others] = cacheOf(of('1'), of('2')).after(write as WriteName, ids)
      expect([own === 'fresh', others]).toEqual([isApart(write, read), 'fresh'])
    })

    test('makes the events of that user stale, and not the log', () => {
      const of = (id?: string) => q('listEvents', { query: { user: id, order: 'desc' } })
      const [own, others, log] = cacheOf(of('1'), of('2'), of()).after(write as WriteName, ids)
      expect(own).not.toBe('fresh')
      expect([others, log]).toEqual(['fresh', 'fresh'])
    })
  })
})

describe('an answer on the screen', () => {
  /** Watches a query as a page does; returns how often it was read. */
  function watch(client: ReturnType<typeof createQueryClient>, { queryKey }: Filed) {
    let reads = 0
    const queryFn = () => {
      reads += 1
      return 'read again'
    }
    const observer = new QueryObserver<unknown>(client, { queryKey, queryFn })
    const stop = observer.subscribe(() => undefined)
    return { stop, reads: () => reads }
  }

  test('is read again after a write, but not if the writing page puts it there', () => {
    const segments = fileUnder('listUserSegments', user('1'))
    const entities = fileUnder('listEntities', user('1'))
    const { client, after } = cacheOf(segments, entities)
    const [ofSegments, ofEntities] = [watch(client, segments), watch(client, entities)]
    expect(after('patchEntity', { user_id: '1', entity_id: 'a' })).toEqual(['stale', 'stale'])
    expect([ofSegments.reads(), ofEntities.reads()]).toEqual([1, 0])
  })

  test('about a deleted user stays until it is left, and is dropped then', () => {
    const [one, hidden] = [fileUnder('getUser', user('1')), fileUnder('getChangeset', user('1'))]
    const { client, after } = cacheOf(one, hidden)
    const shown = [watch(client, one), watch(client, one)]
    expect(after('deleteUser', user('1').params)).toEqual(['fresh', 'dropped'])
    shown[0]?.stop()
    expect(client.getQueryState(one.queryKey)).toBeDefined()
    shown[1]?.stop()
    expect(client.getQueryState(one.queryKey)).toBeUndefined()
    expect(shown.map(({ reads }) => reads())).toEqual([0, 0])
  })
})

test('the log, its events and the audit are dropped with a user, whose reasons they may quote', () => {
  const log = { queryKey: ['events', 'log', {}, undefined] }
  const quoting = [
    log,
    fileUnder('getEvent', { params: { event_id: 'e' } }),
    fileUnder('listAudit', { query: {} }),
  ]
  expect(cacheOf(...quoting).after('deleteUser', user('1').params)).toEqual(['dropped', 'dropped', 'dropped'])
  expect(cacheOf(...quoting).after('patchUser', user('1').params)).toEqual(['fresh', 'fresh', 'fresh'])
})

test('lists of users are dropped when a user changes, since they would show them as they were', () => {
  const lists = [fileUnder('listUsers', { query: {} }), fileUnder('lookUpUsers', { ids: ['1'] })]
  expect(cacheOf(...lists).after('patchUser', user('1').params)).toEqual(['dropped', 'dropped'])
  expect(cacheOf(...lists).after('createUser', {})).toEqual(['dropped', 'dropped'])
})

test('lists of users and the known keys are stale after a write of an entity, and lists can be shown meanwhile', () => {
  const ids = { user_id: '1', entity_id: 'a' }
  const answers = [fileUnder('searchUsers', { query: {} }), q('listKeys', { query: {} }), q('getDictionary')]
  for (const write of ['createEntity', 'patchEntity', 'deleteEntity', 'revertChangeset'] as const)
    expect(cacheOf(...answers).after(write, ids)).toEqual(['stale', 'stale', 'stale'])
})

test('definitions are stale after a write of one, and after a write of an entity, from which others are inferred', () => {
  const ids = { user_id: '1', entity_id: 'a', entity_type: 'car', key: 'plate' }
  for (const write of ['putDefinition', 'replaceDefinitions', 'patchEntity', 'createEntity'] as const)
    expect(cacheOf(q('listDefinitions')).after(write, ids)).toEqual(['stale'])
})

test('a deleted segment takes its lists of users along, and no others', () => {
  const list = (segment?: string) => fileUnder('searchUsers', { query: { segment } })
  const lists = [
    list('1'),
    fileUnder('listUsers', { query: { segment: '1' }, as: 'count' }),
    list('2'),
    list(),
  ]
  const after = cacheOf(...lists).after('deleteSegment', { segment_id: '1' })
  expect(after).toEqual(['dropped', 'dropped', 'fresh', 'fresh'])
})

test('answers that another answer shows to be old are made stale together, by the parts that they share', async () => {
  const answers = ['1', '2'].map((id) => fileUnder('lookUpUsers', { as: 'named', id }))
  const { client } = cacheOf(...answers)
  const stale = () => answers.map(({ queryKey }) => client.getQueryState(queryKey)?.isInvalidated)
  await reread(client, fileUnder('lookUpUsers', { as: 'named', id: '2' }))
  expect(stale()).toEqual([false, true])
  await reread(client, fileUnder('lookUpUsers', { as: 'named' }))
  expect(stale()).toEqual([true, true])
})

test('a change of many users drops all that was read about any user, and nothing else', () => {
  const kept = [fileUnder('listJobs', {}), fileUnder('listSegments', {})]
  const { client } = cacheOf(
    fileUnder('getUser', user('1')),
    fileUnder('listEntities', user('1')),
    fileUnder('searchUsers', { query: {} }),
    q('listEvents', { query: { user: '1' } }),
    ...kept,
  )
  forgetUsers(client)
  const left = client.getQueryCache().getAll()
  expect(left.map(({ queryKey }) => queryKey)).toEqual(kept.map(({ queryKey }) => queryKey))
})

describe('a write through the client', () => {
  const service = testService()
  beforeEach(() => service.reset())
  const edge = network(service)
  const told: string[] = []
  beforeEach(() => {
    edge.meet(() => undefined)
    told.length = 0
    const token = () => service.token('admin')
    connect({
      apiUrl: service.baseUrl,
      tokens: { token, tokenAfter: token },
      features: service.features,
      fetch: edge.fetch,
      onWrite: (name, ids) => void told.push([name, ...Object.values(ids)].join(' ')),
    })
  })
  const settle = async (write: Promise<unknown>) => await write.catch(() => undefined)

  test('tells what it has written, and a read tells nothing', async () => {
    const { id = '' } = await api.createUser({ body: { name: 'Ana' } })
    await api.patchUser({ ...user(id), body: { name: 'Bea' } })
    await api.searchUsers({ body: { q: 'Bea' } })
    await api.getUser(user(id))
    expect(told).toEqual(['createUser', `patchUser ${id}`])
  })

  test('is announced when its answer was lost or it found nothing there, and not when it was refused', async () => {
    await settle(api.createUser({ body: { email: 'nobody' } }))
    expect(told).toEqual([])
    const id = '01890000-0000-7000-8000-000000000000'
    await settle(api.deleteUser(user(id)))
    expect(told).toEqual([`deleteUser ${id}`])
    edge.loseNext('POST')
    await settle(api.createUser({ body: { name: 'Ana' } }))
    expect(told).toEqual([`deleteUser ${id}`, 'createUser'])
  })
})
