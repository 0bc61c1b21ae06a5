import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { unavailable } from '../errors/problem.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'

/** Creates work that ends on demand, and records what has begun, in order. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  const end = async (name: string) => {
    await settle()
    ends.get(name)?.()
    await settle()
  }
  return { begun, work, end }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limitWith = (options = {}) =>
  new ConcurrencyLimit({ atOnce: 3, ofSubject: 2, waitingOfSubject: 2, ...options })

describe('work of several subjects', () => {
  test('runs only so much of one at once, and others go before its rest', async () => {
    const { begun, work, end } = works()
    const limit = limitWith()
    const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => limit.run(name[0] ?? '', work(name)))
    await settle()
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('b1')
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2'])
    await end('b2')
    expect(begun).toHaveLength(4)
    await end('a2')
    expect(begun.at(-1)).toBe('a3')
    await end('a1')
    await end('a3')
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
  })

  test('is refused where too much of one waits, and nobody else’s is', async () => {
    const { begun, work, end } = works()
    const limit = limitWith()
    const held = ['a1', 'a2', 'a3', 'a4'].map((name) => limit.run('a', work(name)))
    await expect(limit.run('a', work('a5'))).rejects.toMatchObject({
      code: 'too_much_work',
      status: 429,
      headers: { 'retry-after': '1' },
    })
    const other = limit.run('b', work('b1'))
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) await end(name)
    await Promise.all([...held, other])
    const again = limit.run('a', work('a6'))
    await end('a6')
    await again
    expect(begun).not.toContain('a5')
  })

  test('pauses for as long as its last part took, and others run in that time', async () => {
    const { begun, work, end } = works()
    const limit = limitWith({ atOnce: 2 })
    const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => limit.run(name[0] ?? '', work(name)))
    await vi.advanceTimersByTimeAsync(100)
    await end('a1')
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('a2')
    await vi.advanceTimersByTimeAsync(99)
    expect(begun).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
    for (const name of ['a3', 'b1', 'a4']) await end(name)
    await Promise.all(all)
  })

  test('rests of nothing where the database is away: who waits hears of it soon', async () => {
    const { begun, work, end } = works()
    const limit = limitWith({ atOnce: 1, ofSubject: 1 })
    let fail = () => {}
    const failing = limit.run('a', () => new Promise((_, reject) => (fail = () => reject(unavailable()))))
    const next = limit.run('a', work('a2'))
    await vi.advanceTimersByTimeAsync(2000)
    fail()
    await expect(failing).rejects.toMatchObject({ status: 503 })
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(['a2'])
    await end('a2')
    await next
  })

  test('rests for nobody who sends one after the other', async () => {
    const { begun, work, end } = works()
    const limit = limitWith()
    for (const name of ['a1', 'a2', 'a3', 'a4']) {
      const one = limit.run('a', work(name))
      await settle()
      expect(begun.at(-1)).toBe(name)
      await vi.advanceTimersByTimeAsync(50)
      await end(name)
      await one
    }
  })

  test('gives its slot back when it fails', async () => {
    const limit = limitWith({ atOnce: 1, ofSubject: 1 })
    const failing = limit.run('a', () => Promise.reject(new Error('no')))
    const next = limit.run('a', () => Promise.resolve('done'))
    await expect(failing).rejects.toThrow('no')
    await vi.advanceTimersByTimeAsync(1)
    expect(await next).toBe('done')
  })

  test('is not begun once nobody waits for it, and leaves room for more', async () => {
    const { begun, work, end } = works()
    const limit = limitWith({ atOnce: 1, ofSubject: 1, waitingOfSubject: 1 })
    const first = limit.run('a', work('a1'))
    const gone = new AbortController()
    const left = limit.run('a', work('a2'), gone.signal)
    gone.abort()
    await expect(left).rejects.toThrow('no longer waits')
    const next = limit.run('a', work('a3'))
    await end('a1')
    await end('a3')
    await Promise.all([first, next])
    expect(begun).toEqual(['a1', 'a3'])
    // Work whose caller has already left never begins.
    await expect(limit.run('a', work('a4'), AbortSignal.abort())).rejects.toThrow('no longer waits')
    expect(begun).toHaveLength(2)
  })
})
