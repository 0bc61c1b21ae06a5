import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'

import { reread } from '../../../api/index.ts'
import { batchLookUps } from './lookups.ts'

test('an entry that goes out of date while it is being fetched is fetched again', async () => {
  const asked: (readonly string[])[] = []
  const answers: ((name: string) => void)[] = []
  const lookUp = batchLookUps<{ readonly id: string; readonly name: string }>((ids) => {
    asked.push(ids)
    const { promise, resolve } = Promise.withResolvers<string>()
    answers.push(resolve)
    return promise.then((name) => ids.map((id) => ({ id, name })))
  })
  const client = new QueryClient()
  const [ana, bea] = ['ana', 'bea'].map((id) => {
    const observer = new QueryObserver(client, { queryKey: [id], queryFn: () => lookUp(id) })
    observer.subscribe(() => undefined)
    return () => observer.getCurrentResult().data?.name
  })

  await expect.poll(() => asked).toEqual([['ana', 'bea']])
  void reread(client, { queryKey: ['ana'] })
  answers[0]?.('before')
  await expect.poll(() => asked).toEqual([['ana', 'bea'], ['ana']])
  answers[1]?.('after')
  await expect.poll(() => [ana?.(), bea?.()]).toEqual(['after', 'before'])
})
