import { beforeEach, expect, test } from 'vitest'

import type { UserList } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { connect } from '../../api/connection.ts'
import { network } from '../../testing/network.ts'
import { userPages, type UserPages, type UserSource } from './user-pages.ts'

const service = testService()
let edge: ReturnType<typeof network>
beforeEach(async () => {
  await service.reset()
  edge = network(service)
  const token = () => service.token('admin')
  connect({
    apiUrl: service.baseUrl,
    tokens: { token, tokenAfter: token },
    features: service.features,
    fetch: edge.fetch,
  })
})

async function createPeople(count: number) {
  for (let index = 1; index <= count; index += 1)
    await service.call('admin', 'POST', '/users', { name: `Person ${index}` })
}

async function walk(source: UserSource & UserPages = {}) {
  const names: unknown[] = []
  const pages = []
  for await (const { users, total, offset, next } of userPages(source)) {
    names.push(...users.map(({ name }) => name))
    pages.push({ total, offset, next })
  }
  return { names, pages }
}

test('every user comes once, in order, one page after the other', async () => {
  await createPeople(120)
  const { names, pages } = await walk()
  expect(names).toEqual(Array.from({ length: 120 }, (_, index) => `Person ${index + 1}`))
  expect(pages.map(({ total }) => total)).toEqual([120, 120, 120])
  expect(pages[1]?.offset).toBe(pages[0]?.next)
  expect(pages[2]?.next).toBeUndefined()
  expect(edge.requests).toHaveLength(3)
})

test('an empty list is one page without users', async () => {
  expect(await walk()).toEqual({ names: [], pages: [{ total: 0, offset: '', next: undefined }] })
})

test('a walk resumes at the page that failed', async () => {
  await createPeople(110)
  const [first] = (await walk()).pages
  edge.meet((request) => (request.url.includes('offset=') ? new Response(null, { status: 500 }) : undefined))
  await expect(walk()).rejects.toMatchObject({ status: 500 })
  edge.meet(() => undefined)
  expect((await walk({ from: first?.next })).names.at(0)).toBe('Person 51')
})

test('given up, it asks for no further page', async () => {
  await createPeople(60)
  const leave = new AbortController()
  const pages = userPages({ signal: leave.signal })
  await pages.next()
  leave.abort()
  await expect(pages.next()).rejects.toMatchObject({ name: 'AbortError' })
})

const user = { id: '1', name: 'Ana' }
test.each<[string, Partial<UserList>]>([
  ['absent', {}],
  ['null', { next: null }],
  ['empty', { next: '' }],
  ['the offset of the page itself', { next: 'second' }],
])('a last page whose next is %s ends it', async (_what, last) => {
  edge.meet((request) =>
    Response.json(
      request.url.includes('offset=') ? { users: [user], ...last } : { users: [user], next: 'second' },
    ),
  )
  expect((await walk()).names).toHaveLength(2)
})

test('a page without users ends it, whatever its next is', async () => {
  edge.meet((request) =>
    Response.json(
      request.url.includes('offset=') ? { users: [], next: 'third' } : { users: [user], next: 'second' },
    ),
  )
  expect((await walk()).names).toHaveLength(1)
})

test('users who are named are all read, though a whole page of them is gone', async () => {
  const ana = await service.create('admin', '/users', { name: 'Ana' })
  const gone = Array.from({ length: 60 }, () => crypto.randomUUID())
  expect((await walk({ ids: [...gone, ana] })).names).toEqual(['Ana'])
})

test('a search is walked with its text in the body alone', async () => {
  edge.meet(async (request) => {
    const { offset } = (await request.json()) as { offset?: string }
    return Response.json({ total: 2, users: [user], next: offset === undefined ? 'second' : '' })
  })
  expect((await walk({ search: { q: 'ana', segment: 's' } })).names).toHaveLength(2)
  expect(edge.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/api/users/search', { q: 'ana', segment: 's' }],
    ['POST', '/api/users/search', { q: 'ana', segment: 's', offset: 'second' }],
  ])
})
