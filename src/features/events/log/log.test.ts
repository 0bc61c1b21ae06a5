import { expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { EventLog } from './log.ts'
import type { LogSource } from './sources.ts'

const eventOf = (id: number) => ({ id: String(id), type: 'USER_CREATED' }) as unknown as Event

/** Returns a log that grows: its newer pages have 100 events, and `append` adds to its end. */
function growingLog() {
  let count = 100
  let to = 100
  const source = {
    readNewest: () =>
      Promise.resolve({
        events: Array.from({ length: to }, (_, index) => eventOf(to - index)),
        hasOlder: false,
        hasNewer: false,
      }),
    readNewer: () => {
      const from = to
      to = Math.min(count, from + 100)
      const events = Array.from({ length: to - from }, (_, index) => eventOf(to - index))
      return Promise.resolve({ events, hasNewer: events.length === 100 })
    },
    setNewest: () => undefined,
    newestId: () => String(to),
  } as Partial<LogSource> as LogSource
  const log = new EventLog({ source })
  return { log, append: (events: number) => (count += events) }
}

const idsOf = (log: EventLog) => log.state().rows.map(({ id }) => Number(id))

test('a paused list that has fallen behind reads on only once it is resumed, in the order of the log', async () => {
  const { log, append } = growingLog()
  await log.open()
  log.pause()
  append(2500)
  const stop = log.watch()
  await expect.poll(() => log.state().hasNewer).toBe(true)
  stop()
  await log.readNewer()
  expect(idsOf(log)).toHaveLength(100)
  log.resume()
  await log.readNewer()
  const ids = idsOf(log)
  expect(ids.length).toBeGreaterThan(200)
  expect(ids).toEqual(Array.from(ids, (_, index) => ids.length - index))
})
