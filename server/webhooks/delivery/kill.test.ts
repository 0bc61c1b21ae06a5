// Runs the service in its own process and kills it at random moments while it takes writes and delivers their events to
// a receiver that drops some responses. `KILLS=100 EVENTS=10000` is the long run.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { Event } from '#contract/index.ts'
import { type KillableService, killableService } from '../../testing/process.ts'
import { startReceiver, type TestReceiver } from '../../testing/receiver.ts'

const kills = Number(process.env.KILLS ?? 3)
const wanted = Number(process.env.EVENTS ?? 300)
const writers = 8
/** Maximum number of concurrent deliveries of one process to one subscription. */
const inFlight = 32

let receiver: TestReceiver
let service: KillableService
/** Number of starts of the service so far. */
let life = 0
const start = async () => {
  life++
  await service.start()
}

beforeAll(async () => {
  receiver = await startReceiver()
  service = await killableService()
  await start()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

test(
  `through ${kills} kills no event goes missing, and only what was being sent comes twice`,
  async () => {
    /** Lives of the service (from start to kill) in which each event was answered; several if it was sent again. */
    const answered = new Map<string, number[]>()
    /** Events whose connection was dropped once instead of answered. */
    const dropped = new Set<string>()
    receiver.answer = async ({ id }) => {
      const now = life
      if (!dropped.has(id) && Math.random() < 0.1) {
        dropped.add(id)
        return 'drop'
      }
      await sleep(Math.random() * 20)
      answered.set(id, [...(answered.get(id) ?? []), now])
      return 200
    }
    await api('POST', '/subscriptions', { url: receiver.url })

    const created: string[] = []
    const shareOf = (lives: number) => (wanted * lives) / (kills + 1)
    let ended = false
    const write = async () => {
      for (let n = 0; !ended; n++) {
        const key = crypto.randomUUID()
        // Repeats one write until it is answered, across as many lives as that takes.
        const location = await untilAnswered(() => api('POST', '/users', {}, { 'idempotency-key': key }))
        created.push(location.split('/').at(-1) ?? '')
        // Writes are spread over all lives, and continue past the end of each.
        while (!ended && created.length > shareOf(life + 0.5)) await sleep(5)
      }
    }
    const writing = Array.from({ length: writers }, write)
    for (let kill = 0; kill < kills; kill++) {
      // Kills at a varying moment, once this life has taken its share of the writes and delivered something.
      const before = receiver.received.length
      await vi.waitFor(
        () => {
          expect(created.length).toBeGreaterThanOrEqual(shareOf(life))
          expect(receiver.received.length).toBeGreaterThan(before)
        },
        { timeout: 60_000, interval: 5 },
      )
      await sleep(Math.random() * 300)
      await service.kill()
      await start()
    }
    await vi.waitFor(() => expect(created.length).toBeGreaterThanOrEqual(wanted), { timeout: 300_000 })
    ended = true
    await Promise.all(writing)
    await vi.waitFor(
      async () =>
        expect(JSON.parse((await api('GET', '/events?type=USER_CREATED&delivered=false')).text)).toEqual([]),
      { timeout: 180_000, interval: 200 },
    )

    const log: Event[] = []
    for (let page: Event[]; (page = await eventsFrom(log.length)).length > 0;) log.push(...page)
    // The first event is the creation of the subscription, which is not sent.
    expect(log.shift()?.type).toBe('SUBSCRIPTION_CREATED')
    // Every answered write has its event, and every event has arrived unchanged.
    expect(new Set(log.map(({ properties }) => properties.user)).size).toBe(log.length)
    expect(new Set(created).size).toBe(log.length)
    const texts = Map.groupBy(receiver.received, ({ id }) => id)
    expect([...texts.keys()].toSorted()).toEqual(log.map(({ id }) => id).toSorted())
    for (const { id, type, eventtime, properties } of log) {
      const { actor: _, ...ids } = properties
      const same = JSON.stringify({ type, timestamp: eventtime, data: ids })
      expect(new Set(texts.get(id)?.map(({ text }) => text))).toEqual(new Set([same]))
    }
    // A delivery that was answered is repeated only if the service died before it recorded the answer.
    const again = new Map<number, number>()
    for (const lives of answered.values()) {
      expect(new Set(lives).size).toBe(lives.length)
      for (const each of lives.slice(0, -1)) again.set(each, (again.get(each) ?? 0) + 1)
    }
    expect(Math.max(0, ...again.values())).toBeLessThanOrEqual(inFlight)
    const duplicates = [...again.values()].reduce((sum, count) => sum + count, 0)
    if (process.env.KILLS !== undefined)
      process.stdout.write(
        `${kills} kills, ${log.length} events, ${receiver.received.length} requests, ${dropped.size} replies dropped: ` +
          `0 missing, ${duplicates} answered twice\n`,
      )
  },
  kills * 20_000 + 600_000,
)

async function api(
  method: string,
  address: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<{ location: string; text: string }> {
  const response = await fetch(`http://127.0.0.1:${service.port}/api${address}`, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`)
  return { location: response.headers.get('location') ?? '', text }
}

const eventsFrom = async (offset: number): Promise<Event[]> =>
  JSON.parse((await api('GET', `/events?offset=${offset}`)).text) as Event[]

async function untilAnswered(act: () => Promise<{ location: string }>): Promise<string> {
  for (;;)
    try {
      return (await act()).location
    } catch {
      await sleep(20)
    }
}
