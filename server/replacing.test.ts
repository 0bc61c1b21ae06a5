// Replaces two service processes on one PostgreSQL, one after the other, under load.
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'

import { type ServiceProcess, serviceProcesses } from './testing/process.ts'

const clients = 4
/** Pause of each client between requests, so that a starting process gets enough of the machine. */
const pauseMs = 10
/**
 * Interval of the readiness check, much longer than a request: without a shutdown delay, many requests would go to a
 * closed port.
 */
const checkEveryMs = 500

interface Upstream {
  readonly process: ServiceProcess
  readonly agent: Agent
  isReady: boolean
  served: number
}

/**
 * Starts a minimal proxy, which polls the readiness of each process and distributes requests among the ready ones in
 * turn.
 */
async function startProxy() {
  const upstreams = new Set<Upstream>()
  const watch = async (upstream: Upstream) => {
    while (upstreams.has(upstream)) {
      const url = `http://127.0.0.1:${upstream.process.port}/readyz`
      upstream.isReady = await fetch(url, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      )
      await sleep(checkEveryMs)
    }
  }
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const ready = [...upstreams].filter(({ isReady }) => isReady)
    const upstream = ready[turn++ % ready.length]
    if (!upstream) {
      outgoing.writeHead(502).end()
      return
    }
    upstream.served++
    const { method, url, headers } = incoming
    const { port } = upstream.process
    const onward = httpRequest({ host: '127.0.0.1', port, method, path: url, headers, agent: upstream.agent })
    onward.on('response', (answer: IncomingMessage) => {
      const { connection: _own, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, rest)
      answer.on('error', () => outgoing.destroy()).pipe(outgoing)
    })
    onward.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    async add(process: ServiceProcess): Promise<Upstream> {
      const upstream = { process, agent: new Agent({ keepAlive: true }), isReady: false, served: 0 }
      upstreams.add(upstream)
      void watch(upstream)
      await vi.waitFor(() => expect(upstream.isReady).toBe(true))
      return upstream
    },
    remove(upstream: Upstream) {
      upstreams.delete(upstream)
      upstream.agent.destroy()
    },
    close() {
      upstreams.clear()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Creates and reads users until it is stopped, and counts the answers. */
function startLoad(url: string, headers: Readonly<Record<string, string>>) {
  const counts = new Map<string, number>()
  const made: string[] = []
  let isOver = false
  const ask = async (method: string, address: string): Promise<string | undefined> => {
    const body = method === 'GET' ? {} : { body: '{}' }
    const answer = await fetch(address, { method, headers, ...body }).then(
      async (response) => {
        await response.arrayBuffer()
        return { outcome: String(response.status), location: response.headers.get('location') }
      },
      (error: Error) => ({ outcome: String((error.cause as Error | undefined) ?? error), location: null }),
    )
    const key = `${method} ${answer.outcome}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return answer.location?.split('/').at(-1)
  }
  const client = async () => {
    while (!isOver) {
      const id = await ask('POST', `${url}/users`)
      if (id === undefined) continue
      made.push(id)
      await ask('GET', `${url}/users/${id}`)
      await sleep(pauseMs)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    counts,
    made,
    async stop() {
      isOver = true
      await running
    },
  }
}

/** Reads the event stream as a client does, and resumes after the last event whenever the stream ends. */
function follow(url: string, headers: Readonly<Record<string, string>>) {
  const seen: string[] = []
  const ends: string[] = []
  const over = new AbortController()
  const opened = Promise.withResolvers<void>()
  const read = async () => {
    let last: string | undefined
    while (!over.signal.aborted)
      try {
        const resume = last === undefined ? {} : { 'last-event-id': last }
        const response = await fetch(`${url}/events/stream?type=USER_CREATED`, {
          headers: { ...headers, ...resume },
          signal: over.signal,
        })
        opened.resolve()
        let rest = ''
        for await (const text of (response.body ?? new ReadableStream()).pipeThrough(
          new TextDecoderStream(),
        )) {
          const frames = (rest + text).split('\n\n')
          rest = frames.pop() ?? ''
          for (const [, id, user] of frames.join('\n').matchAll(/^id: (.+)\ndata: .*"user":"([^"]+)"/gm)) {
            last = id
            seen.push(user ?? '')
          }
        }
        ends.push(String(response.status))
      } catch (error) {
        if (!over.signal.aborted) ends.push(String(error))
      }
  }
  const reading = read()
  return {
    opened: opened.promise,
    seen,
    ends,
    async stop() {
      over.abort()
      await reading
    },
  }
}

test('no request fails while one process after the other is replaced, and no event is missed', async () => {
  const processes = await serviceProcesses({ settings: { SHUTDOWN_DELAY: '2' } })
  onTestFinished(() => processes.close())
  const proxy = await startProxy()
  onTestFinished(() => proxy.close())
  // The processes to replace run the last release if `npm run test:last-release` provides it.
  const { LAST_RELEASE: release } = process.env
  const before = release === undefined ? {} : { code: path.join(release, 'server') }
  const old = await Promise.all([1, 2].map(async () => await proxy.add(await processes.start(before))))
  const headers = { authorization: `Bearer ${processes.token}`, 'content-type': 'application/json' }
  const stream = follow(proxy.url, headers)
  onTestFinished(() => stream.stop())
  await stream.opened
  const load = startLoad(proxy.url, headers)
  const goesOn = async () => {
    const before = load.made.length
    await vi.waitFor(() => expect(load.made.length).toBeGreaterThan(before + 100))
  }
  await goesOn()
  for (const each of old) {
    const next = await proxy.add(await processes.start())
    expect(await each.process.stop()).toBe(0)
    proxy.remove(each)
    await goesOn()
    expect(next.served).toBeGreaterThan(50)
  }
  await load.stop()
  await vi.waitFor(() => expect(stream.seen.length).toBeGreaterThanOrEqual(load.made.length))
  const answers = Object.fromEntries(load.counts)
  process.stdout.write(`${JSON.stringify({ ...answers, 'ends of the stream': stream.ends })}\n`)
  expect(Object.keys(answers).toSorted()).toEqual(['GET 200', 'POST 201'])
  expect(new Set(stream.ends)).toEqual(new Set(['200']))
  expect(stream.seen.toSorted()).toEqual(load.made.toSorted())
})
