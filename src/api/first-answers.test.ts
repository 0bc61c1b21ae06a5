import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { connect } from './connection.ts'
import { FirstAnswers } from './first-answers.ts'
import { api } from './index.ts'

const url = 'https://service.test/api/users?segment=1&offset=2'
let sent: [string, RequestInit | undefined][]
let answer: () => Promise<Response>

beforeEach(() => {
  sent = []
  answer = async () => Response.json({ users: [] })
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    sent.push([input, init])
    return answer()
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function askFirst() {
  const answers = new FirstAnswers()
  answers.ask(url, 'secret')
  return answers
}

test('an answer that was asked for is taken once, in whatever order the parameters are named', async () => {
  const answers = askFirst()
  const other = 'https://service.test/api/users?offset=2&segment=1'
  expect(await (await answers.fetch(other, { method: 'GET' })).json()).toEqual({ users: [] })
  expect(sent).toHaveLength(1)
  await answers.fetch(url, { method: 'GET' })
  expect(sent).toHaveLength(2)
  expect(new Headers(sent[0]?.[1]?.headers).get('Authorization')).toBe('Bearer secret')
})

test('the request is the one that the client would make', async () => {
  askFirst()
  const token = async () => 'secret'
  connect({ apiUrl: 'https://service.test/api', tokens: { token, tokenAfter: token }, features: {} })
  await api.listUsers({ query: { segment: '1', offset: '2' } })
  const [prefetched, later] = sent.map(([input, init]) => {
    const { method, headers, cache, credentials, referrerPolicy, mode } = new Request(input, init)
    return { input, method, headers: [...headers], cache, credentials, referrerPolicy, mode }
  })
  expect(prefetched).toEqual(later)
})

test('a write, or another address, goes to the service', async () => {
  const answers = askFirst()
  await answers.fetch(url, { method: 'POST' })
  await answers.fetch('https://service.test/api/users', { method: 'GET' })
  expect(sent).toHaveLength(3)
})

test('a request that is aborted gets no answer, whenever that was', async () => {
  answer = () => new Promise(() => {})
  const leave = new AbortController()
  const pending = askFirst().fetch(url, { method: 'GET', signal: leave.signal })
  leave.abort()
  await expect(pending).rejects.toThrow('aborted')
  await expect(askFirst().fetch(url, { method: 'GET', signal: leave.signal })).rejects.toThrow('aborted')
})

test('an answer that has become stale is asked for again', async () => {
  vi.useFakeTimers()
  const answers = askFirst()
  await vi.advanceTimersByTimeAsync(30_000)
  await answers.fetch(url, { method: 'GET' })
  expect(sent).toHaveLength(2)
})

test('a forgotten answer is not used', async () => {
  const answers = askFirst()
  answers.forget()
  await answers.fetch(url, { method: 'GET' })
  expect(sent).toHaveLength(2)
})

test('a caller of a prefetched request gets its failure, and can abort it', async () => {
  answer = async () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(askFirst().fetch(url, { method: 'GET' })).rejects.toThrow('Failed to fetch')
  answer = () => new Promise(() => {})
  const given = new AbortController()
  const waiting = askFirst().fetch(url, { method: 'GET', signal: given.signal })
  given.abort(new Error('given up'))
  await expect(waiting).rejects.toThrow('given up')
})
