import { expect, test } from 'vitest'

import { wait } from './wait.ts'

test('a wait that begins after its signal aborted rejects at once', async () => {
  const stopped = new Error('stopped')
  await expect(wait(0, AbortSignal.abort(stopped))).rejects.toBe(stopped)
})
