import { expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { connect } from './connection.ts'
import { readEventStream } from './event-stream.ts'

const event = (n: number) => ({
  id: `e-${n}`,
  eventtime: '2024-03-01T09:30:00.000Z',
  type: 'USER_CREATED',
  properties: { user: `ü-${n}` },
})

/** Returns a service that sends these bytes, split at the given position. */
function service(text: string, cut: number, status = 200) {
  const bytes = new TextEncoder().encode(text)
  const requests: Request[] = []
  connect({
    apiUrl: 'http://service.test',
    features: {},
    tokens: { token: () => Promise.resolve('old'), tokenAfter: () => Promise.resolve('fresh') },
    fetch: (input, init) => {
      const request = new Request(input, init)
      requests.push(request)
      if (request.headers.get('Authorization') === 'Bearer old' && status === 401)
        return Promise.resolve(new Response(null, { status }))
      const parts = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, n) =>
        bytes.slice(n * cut, (n + 1) * cut),
      )
      const body = new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      })
      return Promise.resolve(new Response(body))
    },
  })
  return requests
}

const read = async (after = 'e-0') => {
  const events: Event[] = []
  await readEventStream(
    { type: 'USER_CREATED', user: undefined, after },
    (one) => events.push(one),
    AbortSignal.timeout(60_000),
  )
  return events
}

test('events arrive whole and in order, wherever the bytes are split; heartbeats are no events', async () => {
  const text = `:\n\nid: e-1\ndata: ${JSON.stringify(event(1))}\n\n:\n\nid: e-2\r\ndata: ${JSON.stringify(event(2))}\r\n\r\nid: e-3\ndata: {"half":`
  for (const cut of [1, 2, 3, 7, 64, 4096]) {
    const requests = service(text, cut)
    expect(await read()).toEqual([event(1), event(2)])
    expect(requests[0]?.url).toBe('http://service.test/events/stream?type=USER_CREATED&after=e-0')
  }
})

test('a token that was refused is replaced once', async () => {
  const requests = service(`data: ${JSON.stringify(event(1))}\n\n`, 100, 401)
  expect(await read()).toHaveLength(1)
  expect(requests.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer old', 'Bearer fresh'])
})

test('a refusal and a broken line are failures of the service, which tell what to do', async () => {
  connect({
    apiUrl: 'http://service.test',
    features: {},
    tokens: { token: () => Promise.resolve('t'), tokenAfter: () => Promise.resolve('t') },
    fetch: () => Promise.resolve(Response.json({ title: 'Busy', status: 503 }, { status: 503 })),
  })
  await expect(read()).rejects.toMatchObject({ name: 'ApiError', status: 503 })
  service('', 1)
  expect(await read()).toEqual([])
})
