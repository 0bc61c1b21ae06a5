import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import type { Event } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startTestService } from '../testing/service.ts'

// All tests share one log; each one reads only events after its own start.
const service = testService()
let address: string
const left: (() => void)[] = []
beforeAll(async () => {
  address = `http://127.0.0.1:${(await service.listen()).port}/api/events/stream`
})
afterEach(() => {
  for (const leave of left.splice(0)) leave()
})

interface Stream {
  readonly response: Response
  /** Received events; `id` is the id of the message. */
  readonly events: Event[]
  /** Number of received comments; a stream begins with one. */
  readonly comments: () => number
  /** Resolves when the stream ends. */
  readonly ended: Promise<void>
  readonly leave: () => void
}

test('one subject has twenty open at most, and others theirs', async () => {
  const token = await service.sign({ sub: 'greedy', role: 'integrator' })
  const open = async (as: string) => {
    const leaving = new AbortController()
    left.push(() => leaving.abort())
    const headers = { authorization: `Bearer ${as}` }
    return { leaving, response: await fetch(address, { headers, signal: leaving.signal }) }
  }
  const many = await Promise.all(Array.from({ length: 30 }, () => open(token)))
  const opened = many.filter(({ response }) => response.status === 200)
  expect(opened).toHaveLength(20)
  const refused = many.find(({ response }) => response.status !== 200)?.response
  expect(refused?.status).toBe(429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused?.json()).toMatchObject({ code: 'too_many_streams' })
  const other = await open(await service.token('integrator'))
  expect(other.response.status).toBe(200)
  opened[0]?.leaving.abort()
  await vi.waitFor(async () => expect((await open(token)).response.status).toBe(200), 30_000)
})

/** Opens a stream over a socket, like a client. The stream has begun once this resolves. */
async function stream(
  query = '',
  {
    token,
    headers = {},
    at = address,
  }: { token?: string; headers?: Record<string, string>; at?: string } = {},
): Promise<Stream> {
  const leaving = new AbortController()
  left.push(() => leaving.abort())
  const authorization = `Bearer ${token ?? (await service.token('integrator'))}`
  const response = await fetch(`${at}?${query}`, {
    headers: { authorization, ...headers },
    signal: leaving.signal,
  })
  const events: Event[] = []
  let comments = 0
  let rest = ''
  const read = async () => {
    const text = response.body?.pipeThrough(new TextDecoderStream()) ?? []
    for await (const chunk of text) {
      const messages = `${rest}${chunk}`.split('\n\n')
      rest = messages.pop() ?? ''
      for (const message of messages) {
        const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(message) ?? []
        if (data === undefined) comments++
        else events.push({ ...(JSON.parse(data) as Event), id: id as Event['id'] })
      }
    }
  }
  const ended = response.ok ? read() : Promise.resolve()
  ended.catch(() => {})
  return { response, events, comments: () => comments, ended, leave: () => leaving.abort() }
}

/** Returns the number of store queries per second, by all listeners. */
async function questionsPerSecond(): Promise<number> {
  const spy = vi.spyOn(service.database.pool, 'connect')
  const startMs = performance.now()
  await vi.waitFor(() => expect(spy.mock.calls.length).toBeGreaterThanOrEqual(4))
  const perSecond = (spy.mock.calls.length * 1000) / (performance.now() - startMs)
  spy.mockRestore()
  return perSecond
}

async function questionsWithin(ms: number): Promise<number> {
  const spy = vi.spyOn(service.database.pool, 'connect')
  await new Promise((resolve) => setTimeout(resolve, ms))
  const { length } = spy.mock.calls
  spy.mockRestore()
  return length
}

const createUser = async (): Promise<string> => {
  return await service.create('steward', '/users', {})
}
const page = async (query: string): Promise<Event[]> =>
  (await service.call('integrator', 'GET', `/events?${query}`)).body
/** Creates an event and returns it. */
async function mark(): Promise<Event> {
  await createUser()
  const [newest] = await page('order=desc')
  if (!newest) throw new Error('There is no event')
  return newest
}
async function logAfter({ id }: Event): Promise<Event[]> {
  const all: Event[] = []
  for (;;) {
    const next = await page(`order=asc&after=${all.at(-1)?.id ?? id}`)
    if (next.length === 0) return all
    all.push(...next)
  }
}
const ids = (list: readonly Event[]) => list.map(({ id }) => id)
const fill = (count: number) =>
  sql`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), timestamp '2024-03-01' + n * interval '1 second', 'KIND_' || n % 3, '{}'
    from generate_series(0, ${count}::int - 1) n`.execute(service.database.sql)

describe('the stream of events', () => {
  test('has what happens from now on, in the shape and the order of the log', async () => {
    const before = await mark()
    const { response, events, comments } = await stream()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream;charset=UTF-8')
    expect(response.headers.get('cache-control')).toContain('no-store')
    await vi.waitFor(() => expect(comments()).toBe(1))
    for (let n = 0; n < 5; n++) await createUser()
    await vi.waitFor(() => expect(events).toHaveLength(5))
    expect(events).toEqual(await logAfter(before))
  })

  test.each([
    ['after', (id: string) => [`after=${id}`, {}] as const],
    [
      'Last-Event-ID, whatever else does,',
      (id: string, old: string) => [`after=${old}`, { 'last-event-id': id }] as const,
    ],
  ])('continues after an event that %s names, however long ago that was', async (_name, from) => {
    const before = await mark()
    await fill(1700)
    const all = await logAfter(before)
    const [query, headers] = from(all[99]?.id ?? '', before.id)
    const { events } = await stream(query, { headers })
    await createUser()
    await vi.waitFor(() => expect(events).toHaveLength(1601))
    expect(events).toEqual((await logAfter(before)).slice(100))
  })

  test('has what its filters let through, of what was and of what comes', async () => {
    const before = await mark()
    await fill(300)
    const user = await createUser()
    const filters: Record<string, (event: Event) => boolean> = {
      'type=KIND_1,USER_CREATED': ({ type }) => type === 'KIND_1' || type === 'USER_CREATED',
      [`user=${user.toUpperCase()}`]: ({ properties }) => properties.user === user,
      'actor=steward': ({ properties }) => properties.actor === 'steward',
      'delivered=false': () => true,
      'delivered=true': () => false,
      'delivery=none': () => true,
      'delivery=waiting': () => false,
      'to=2024-03-01T00:01:00Z': ({ eventtime }) => eventtime < '2024-03-01T00:01:00',
      'from=2024-03-01T00:04:00Z': ({ eventtime }) => eventtime >= '2024-03-01T00:04:00',
      'user=nobody': () => false,
    }
    const streams = await Promise.all(
      Object.keys(filters).map((query) => stream(`${query}&after=${before.id}`)),
    )
    await service.call('steward', 'POST', `/users/${user}/entities`, { type: 'car' })
    await fill(120)
    await createUser()
    const all = await logAfter(before)
    expect(all).toHaveLength(423)
    for (const [index, [query, passes]] of Object.entries(filters).entries()) {
      const expected = ids(all.filter(passes))
      await vi.waitFor(() =>
        expect({ query, ids: ids(streams[index]?.events ?? []) }).toEqual({ query, ids: expected }),
      )
    }
  })

  test('tells the states of past and coming events if asked to', async () => {
    const before = await mark()
    await fill(1700)
    const { events } = await stream(`with=delivery&after=${before.id}`)
    await createUser()
    await vi.waitFor(() => expect(events).toHaveLength(1701))
    const all = await logAfter(before)
    for (const event of all) event.delivery = { state: 'none' }
    expect(events).toEqual(all)
  })

  test('misses nothing and has nothing twice while 16 write, whenever it begins, and continues after a break', async () => {
    const before = await mark()
    const write = () =>
      Promise.all(
        Array.from({ length: 16 }, async () => {
          for (let n = 0; n < 5; n++) await createUser()
        }),
      )
    const whole = await stream(`after=${before.id}`)
    const broken: Event[] = []
    for (let part = 0; part < 3; part++) {
      const writing = write()
      const { events, leave } = await stream(`after=${(broken.at(-1) ?? before).id}`)
      await vi.waitFor(() => expect(events.length).toBeGreaterThan(0))
      leave()
      broken.push(...events)
      await writing
    }
    const last = await stream(`after=${broken.at(-1)?.id}`)
    await write()
    await vi.waitFor(() => expect(whole.events).toHaveLength(320))
    await vi.waitFor(() => expect(broken.length + last.events.length).toBe(320))
    const expected = ids(await logAfter(before))
    expect(ids(whole.events)).toEqual(expected)
    expect(ids([...broken, ...last.events])).toEqual(expected)
  })

  test('costs the store as much for 50 as for one, and nothing once nobody listens', async () => {
    const one = await stream()
    const ofOne = await questionsPerSecond()
    const others = await Promise.all(
      Array.from({ length: 49 }, async (_, at) =>
        stream('', { token: await service.sign({ sub: `reader ${at}`, role: 'integrator' }) }),
      ),
    )
    const ofFifty = await questionsPerSecond()
    // Separate polling for each listener would take fifty times as many queries.
    expect(ofFifty).toBeLessThan(10 * ofOne)
    await createUser()
    await vi.waitFor(() => expect(others.filter(({ events }) => events.length === 1)).toHaveLength(49))
    for (const { leave } of [one, ...others]) leave()
    await vi.waitFor(async () => expect(await questionsWithin(600)).toBe(0))
  })

  test('begins with the log as it is, however it was when somebody listened last', async () => {
    await fill(300)
    const first = await stream()
    first.leave()
    await vi.waitFor(async () => expect(await questionsWithin(600)).toBe(0))
    // The log may be replaced, for example by a restore from a backup: its positions start over.
    await service.reset()
    const again = await stream()
    await createUser()
    await vi.waitFor(() => expect(again.events).toHaveLength(1))
    again.leave()
  })

  test('waits for slow readers without delaying the others', async () => {
    const before = await mark()
    const slow = await fetch(`${address}?after=${before.id}`, {
      headers: { authorization: `Bearer ${await service.token('integrator')}` },
    })
    const quick = await stream(`after=${before.id}`)
    await fill(20_000)
    await vi.waitFor(() => expect(quick.events).toHaveLength(20_000))
    const lastId = String(quick.events.at(-1)?.id)
    let text = ''
    for await (const chunk of slow.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      if (text.slice(-2000).includes(lastId)) break
    }
    expect(text.match(/(?<=^id: ).*/gm)).toEqual(ids(quick.events))
  })

  test('ends when the token does', async () => {
    const token = await service.sign({ role: 'integrator', exp: Math.floor(Date.now() / 1000) + 1 })
    const { response, ended } = await stream('', { token })
    expect(response.status).toBe(200)
    await ended
    expect((await stream('', { token: await service.sign({ role: 'integrator' }) })).response.status).toBe(
      200,
    )
  })

  test('ends when the service stops, which does not wait for it', async () => {
    const stopping = await startTestService()
    const at = `http://127.0.0.1:${(await stopping.listen()).port}/api/events/stream`
    const { ended } = await stream('', { at, token: await stopping.token('integrator') })
    await stopping.close()
    await ended
  })

  test('is refused to who may not read events, and after what is no event', async () => {
    const refused = async (query: string, token?: string) => {
      const { response } = await stream(query, token === undefined ? {} : { token })
      return { status: response.status, body: await response.json() }
    }
    expect(await refused('', await service.sign({ scope: 'users:read' }))).toMatchObject({
      status: 403,
      body: { scope: 'events:read' },
    })
    expect((await refused('', 'none')).status).toBe(401)
    for (const after of ['nobody', '01900000-0000-7000-8000-000000000000'])
      expect(await refused(`after=${after}`)).toMatchObject({ status: 400, body: { code: 'invalid_after' } })
    expect(await refused('from=yesterday')).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter' },
    })
    const other = await service.call('integrator', 'POST', '/events/stream', {})
    expect(other.status).toBe(405)
  })
})
