import { expect, test } from 'vitest'

import { BatchedLookup } from './lookups.ts'

test('an entry that goes out of date while it is being fetched is fetched again', async () => {
  const asked: (readonly string[])[] = []
  const answers: ((name: string) => void)[] = []
  const lookup = new BatchedLookup<{ readonly name: string }>((ids) => {
    asked.push(ids)
    const { promise, resolve } = Promise.withResolvers<string>()
    answers.push(resolve)
    return promise.then((name) => ids.map((id) => ({ id, name })))
  })
  const nextAnswer = () => new Promise<void>((resolve) => void lookup.subscribe(resolve))

  lookup.want(['ana', 'bea'])
  lookup.outdate('ana')
  lookup.want(['ana', 'bea'])
  let answered = nextAnswer()
  answers[0]?.('before')
  await answered
  expect(lookup.of('ana')?.name).toBe('before')
  await expect.poll(() => asked).toEqual([['ana', 'bea'], ['ana']])
  answered = nextAnswer()
  answers[1]?.('after')
  await answered
  expect([lookup.of('ana')?.name, lookup.of('bea')?.name]).toEqual(['after', 'before'])
  expect(lookup.isKnown('ana')).toBe(true)
})
