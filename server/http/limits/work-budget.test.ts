import { beforeEach, expect, test } from 'vitest'

import { maxBodyValues, type Problem } from '#contract/index.ts'
import { testService } from '../../testing/hooks.ts'
import type { TestAnswer } from '../../testing/service.ts'
import { WorkBudget } from './work-budget.ts'

const service = testService({ rateLimit: 200 })
beforeEach(() => service.reset())

const at = (role: 'support' | 'steward', path: string, body: object) => service.call(role, 'POST', path, body)
const several = (count: number, send: () => Promise<TestAnswer>) =>
  Promise.all(Array.from({ length: count }, send))
const countOf = (answers: readonly TestAnswer[], code: string) =>
  answers.filter(({ body }) => (body as Problem).code === code).length

/** Body that takes long to refuse. */
const dear = {
  filter: Object.fromEntries(Array.from({ length: maxBodyValues - 10 }, (_, n) => [`k${n}`, n])),
}

test('bodies that are refused use up what their sender may take, and nobody else waits for them', async () => {
  let isOver = false
  const flood = several(60, () => at('support', '/segments/preview', dear)).finally(() => (isOver = true))
  const other = at('steward', '/segments/preview', dear)
  expect(await other).toMatchObject({ status: 422, body: { errorCount: maxBodyValues - 9 } })
  expect(isOver).toBe(false)
  const answers = await flood
  // Some are ahead of the rate, some wait, and the rest is refused.
  expect(countOf(answers, 'validation')).toBeGreaterThanOrEqual(16)
  expect(countOf(answers, 'too_much_work')).toBeGreaterThan(0)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toMatch(/^[1-6]$/)
  expect(refused?.body).toHaveProperty(
    'detail',
    expect.stringMatching(/Nothing was changed; try again in \d s\./),
  )
})

test('requests without a body are answered while bodies of the same caller wait', async () => {
  const flood = several(30, () => at('support', '/segments/preview', dear))
  const read = await service.call('support', 'GET', '/users')
  expect(read.status).toBe(200)
  await flood
})

test('somebody who saves large entities one after the other is never refused', async () => {
  const user = await service.create('steward', '/users', {})
  const properties = Array.from({ length: 500 }, (_, n) => ({
    key: `note ${n}`,
    type: 'TEXT',
    value: 'x'.repeat(1900),
  }))
  for (let n = 0; n < 8; n++) {
    const answer = await at('steward', `/users/${user}/entities`, { type: 'car', properties })
    expect(answer.status).toBe(201)
  }
})

const spend = (ms: number) => () => {
  const until = performance.now() + ms
  while (performance.now() < until);
  return 'done'
}

const answer = (budget: WorkBudget, make: () => unknown, subject = 'a', bytes = 0) =>
  budget.answer({ subject, bytes }, async () => make())

/** Budget of 250 ms a second, of which 150 ms may be ahead. */
const usual = () => new WorkBudget(100)

test('work that is ahead of the rate is waited for, in the order of the requests', async () => {
  const budget = usual()
  const began = performance.now()
  budget.count('a', spend(200))
  const order: number[] = []
  const read = (n: number) => budget.read('a', () => order.push(n))
  await Promise.all([read(1), read(2), answer(budget, () => order.push(3)), read(4)])
  expect(order).toEqual([1, 2, 3, 4])
  // 50 ms beyond what may be ahead.
  expect(performance.now() - began).toBeGreaterThan(350)
  await answer(budget, () => '', 'b')
})

test('bodies that arrive together are read one at a time, and others are served in between', async () => {
  const budget = usual()
  const order: string[] = []
  const bodies = ['a1', 'a2', 'a3'].map((name) => budget.read('a', () => order.push(name)))
  setImmediate(() => order.push('other'))
  await Promise.all(bodies)
  expect(order.indexOf('other')).toBeLessThan(2)
})

test('work that fails counts', async () => {
  const budget = usual()
  const failing = budget.read('a', () => {
    spend(250)()
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  const began = performance.now()
  await answer(budget, () => '')
  expect(performance.now() - began).toBeGreaterThan(250)
})

test('parts of lists are made one at a time, wait, and are never refused', async () => {
  const budget = usual()
  const large = 'x'.repeat(1024 * 1024)
  let atOnce = 0
  const make = async () => {
    expect(++atOnce).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    atOnce--
    return large
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: 25 }, () => budget.makePart('a', make)))
  // 500 ms of work take 2 s, less what may be ahead.
  expect(performance.now() - began).toBeGreaterThan(1200)
})

test('a large answer counts with what it took, and a small one with little, whatever else was done at the same time', async () => {
  const budget = usual()
  for (let n = 0; n < 3; n++) await answer(budget, spend(100), 'small', 1000)
  const began = performance.now()
  await answer(budget, () => '', 'small')
  expect(performance.now() - began).toBeLessThan(100)
  await answer(budget, spend(250), 'large', 8 * 1024 * 1024)
  const since = performance.now()
  await answer(budget, () => '', 'large')
  expect(performance.now() - since).toBeGreaterThan(250)
})

test('answers are made one at a time while a caller is ahead', async () => {
  const budget = usual()
  budget.count('a', spend(200))
  let atOnce = 0
  const make = async () => {
    expect(++atOnce).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 5))
    atOnce--
  }
  await Promise.all(Array.from({ length: 10 }, () => answer(budget, make)))
})

test('a caller who is far ahead is refused at once, and told until when', async () => {
  const budget = new WorkBudget(10)
  budget.count('a', spend(350))
  // The first one waits, for as long as it has to.
  expect(() => budget.refuseExcess('a')).not.toThrow()
  void budget.read('a', () => '')
  expect(() => budget.refuseExcess('a')).toThrow(
    expect.objectContaining({
      code: 'too_much_work',
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    }),
  )
  await expect(budget.receive('a', 1)).rejects.toMatchObject({ status: 429 })
  expect(() => budget.refuseExcess('b')).not.toThrow()
})

test('there is no budget where there is no limit of requests', async () => {
  const budget = new WorkBudget(0)
  budget.count('a', spend(300))
  const began = performance.now()
  await answer(budget, () => '')
  expect(performance.now() - began).toBeLessThan(100)
})
