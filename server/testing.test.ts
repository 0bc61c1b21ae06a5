import { Writable } from 'node:stream'

import { pino } from 'pino'
import { expect, test } from 'vitest'

import { startTestService } from './testing.ts'

test('a service that is closed answers what is under way first, and nothing that comes after', async () => {
  const logged: string[] = []
  const log = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk))
      done()
    },
  })
  const service = await startTestService({ log: pino({ level: 'error' }, log) })
  const ask = () => service.call('admin', 'POST', '/users/search', { q: 'ana' })
  await ask()
  const answers = Array.from({ length: 20 }, ask)
  const closing = service.close()
  const late = ask()
  await expect(late).rejects.toThrow('closed')
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
  await closing
  expect(logged).toEqual([])
})
