import { expect, test } from 'vitest'

import { Told } from './told.ts'

test('an entry that goes out of date while it is being fetched is fetched again', async () => {
  const asked: (readonly string[])[] = []
  const answers: ((name: string) => void)[] = []
  const told = new Told<{ readonly name: string }>((ids) => {
    asked.push(ids)
    const { promise, resolve } = Promise.withResolvers<string>()
    answers.push(resolve)
    return promise.then((name) => ids.map((id) => ({ id, name })))
  })
  const nextAnswer = () => new Promise<void>((resolve) => void told.subscribe(resolve))

  told.want(['ana', 'bea'])
  told.outdate('ana')
  told.want(['ana', 'bea'])
  let answered = nextAnswer()
  answers[0]?.('before')
  await answered
  expect(told.of('ana')?.name).toBe('before')
  await expect.poll(() => asked).toEqual([['ana', 'bea'], ['ana']])
  answered = nextAnswer()
  answers[1]?.('after')
  await answered
  expect([told.of('ana')?.name, told.of('bea')?.name]).toEqual(['after', 'before'])
  expect(told.isKnown('ana')).toBe(true)
})
