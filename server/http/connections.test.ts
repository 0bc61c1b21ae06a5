import { once } from 'node:events'
import { Agent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { startTestService } from '../testing/service.ts'
import { Connections, limits } from './connections.ts'
import { headerTable } from './errors/bare-problems.ts'

type Listener = Parameters<Connections['createServer']>[0]

const wait = { timeout: 30_000, interval: 20 }
const quick = { ...wait, interval: 1 }
/** The service's ends of the connections. */
const accepted: Socket[] = []
const opened: Socket[] = []
const serving: Connections[] = []
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  accepted.length = 0
  await Promise.all(serving.splice(0).map((connections) => connections.drain()))
})

async function serve(listener: Listener, changed: Partial<typeof limits> = {}): Promise<number> {
  const connections = new Connections({ graceMs: 0, ...changed })
  serving.push(connections)
  const server = connections.createServer(listener)
  server.on('connection', (socket) => accepted.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Opens a connection from which nothing is read until requested. */
async function open(port: number): Promise<{ socket: Socket; read: () => { text: string; ended: boolean } }> {
  const socket = connect(port, '127.0.0.1')
  opened.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const state = { text: '', ended: false }
  socket.on('close', () => (state.ended = true))
  const read = () => {
    if (socket.listenerCount('data') === 0) socket.on('data', (chunk) => (state.text += chunk.toString()))
    return state
  }
  return { socket, read }
}

const get = (path: string, extra = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${extra}\r\n`
const head = (path: string, extra = '') => get(path, extra).replace('GET', 'HEAD')
/** Sends packets one after the other, each once the one before has been read, and returns all of the answer. */
async function sendInTurn(port: number, packets: readonly string[]): Promise<string> {
  const { socket, read } = await open(port)
  socket.setNoDelay(true)
  let sent = 0
  for (const packet of packets) {
    socket.write(packet)
    sent += packet.length
    const served = accepted.find(({ remotePort }) => remotePort === socket.localPort)
    await vi.waitFor(() => expect(served?.destroyed || served?.bytesRead === sent).toBe(true), quick)
  }
  await vi.waitFor(() => expect(read().ended).toBe(true), wait)
  return read().text
}
const pathsOf = (text: string) => [...text.matchAll(/path (\d+)\./g)].map(([, path]) => Number(path))

describe('a client that sends without reading', () => {
  test('has one request answered at a time and is read no further; none of its requests is lost', async () => {
    const count = 1500
    const held: ServerResponse[] = []
    let isHolding = true
    const port = await serve((request, response) => {
      const answer = () => response.end(`path ${request.url?.slice(1)}.`)
      if (isHolding) {
        held.push(response)
        response.once('release', answer)
      } else answer()
    })
    const { socket, read } = await open(port)
    const padding = `X-Padding: ${'x'.repeat(12_000)}\r\n`
    for (let path = 0; path < count; path++) socket.write(get(`/${path}`, padding))
    // 18 MB exceed the system's buffers on both sides.
    await vi.waitFor(() => expect(held).toHaveLength(1), wait)
    let before = -1
    await vi.waitFor(() => {
      const left = socket.writableLength
      const isStill = left === before
      before = left
      expect(isStill).toBe(true)
    }, wait)
    expect(socket.writableLength).toBeGreaterThan(1_000_000)
    expect(held).toHaveLength(1)

    isHolding = false
    held[0]?.emit('release')
    await vi.waitFor(() => expect(pathsOf(read().text)).toHaveLength(count), wait)
    expect(pathsOf(read().text)).toEqual(Array.from({ length: count }, (_, path) => path))
  })

  test('loses its connection where a hundred wait', async () => {
    let begun = 0
    const port = await serve(() => (begun += 1))
    const { socket, read } = await open(port)
    socket.write(get('/').repeat(102))
    await vi.waitFor(() => expect(read().ended).toBe(true), wait)
    expect(begun).toBe(1)
  })

  test('loses it where nothing of an answer is taken; one that takes some now and then does not', async () => {
    const closed: string[] = []
    const chunk = Buffer.alloc(64 * 1024)
    const port = await serve(
      (request, response) => {
        const more = () => {
          while (!response.destroyed && response.write(chunk));
        }
        response.on('drain', more)
        response.on('close', () => closed.push(request.url ?? ''))
        more()
      },
      { silenceMs: 100 },
    )
    const alive = await open(port)
    alive.socket.write(get('/alive'))
    const reading = setInterval(() => alive.socket.read(), 5)
    const stalled = await open(port)
    stalled.socket.write(get('/stalled'))
    await vi.waitFor(() => expect(closed).toEqual(['/stalled']), wait)
    await setTimeout(1500)
    expect(closed).toEqual(['/stalled'])
    clearInterval(reading)
    await vi.waitFor(() => expect(closed).toEqual(['/stalled', '/alive']), wait)
  })

  test('keeps it while there is nothing to take', async () => {
    const port = await serve(
      (_request, response) => {
        response.write('begun')
        response.once('more', () => response.end('-done'))
        void setTimeout(1500).then(() => response.emit('more'))
      },
      { silenceMs: 100 },
    )
    const { socket, read } = await open(port)
    socket.write(get('/'))
    await vi.waitFor(() => expect(read().text).toMatch(/begun[^]*-done/), wait)
  })
})

describe('a request that does not arrive', () => {
  const short = { headersMs: 300, requestMs: 600 }
  const nobody: Listener = (request, response) => {
    request.resume()
    request.on('end', () => response.end('whole'))
  }

  test.each([
    ['its headers', 'GET / HTTP/1.1\r\nHost: localhost\r\n', 'X-A: b\r\n'],
    ['its body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n', 'x'],
  ])('is answered 408 and let go, however slowly %s trickle in', async (_what, start, drop) => {
    const port = await serve(nobody, short)
    const { socket, read } = await open(port)
    socket.write(start)
    const dropping = setInterval(() => socket.writable && socket.write(drop), 50)
    await vi.waitFor(() => expect(read().ended).toBe(true), wait)
    clearInterval(dropping)
    expect(read().text).toMatch(/^HTTP\/1\.1 408 /)
    expect(read().text).toContain('"code":"request_timeout"')
  })

  test('has 10 seconds for its headers, 15 for all of it, as an answer has to be taken', () => {
    expect(limits).toMatchObject({ headersMs: 10_000, requestMs: 15_000, silenceMs: 1500 })
  })
})

describe('requests that Node would otherwise answer itself', () => {
  test.each([
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 'host_missing'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n', 400, 'invalid_host'],
    ['the same Host twice', get('/', 'hOST: localhost\r\n'), 400, 'invalid_host'],
    ['two Hosts, one of them empty', get('/', 'Host:\r\n'), 400, 'invalid_host'],
    ['two Hosts in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'invalid_host'],
    ['a Host that is a list', 'GET / HTTP/1.1\r\nHost: a.example, b.example\r\n\r\n', 400, 'invalid_host'],
    ['a Host with a path', 'GET / HTTP/1.1\r\nHost: a.example/api\r\n\r\n', 400, 'invalid_host'],
    ['a Host with a user', 'GET / HTTP/1.1\r\nHost: u@a.example\r\n\r\n', 400, 'invalid_host'],
    ['a Host with a blank', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'invalid_host'],
    ['a Host with a word for its port', 'GET / HTTP/1.1\r\nHost: a:b\r\n\r\n', 400, 'invalid_host'],
    ['an unknown expectation', get('/', 'Expect: miracles\r\n'), 417, 'unknown_expectation'],
    ['headers of 20 KB', get('/', `X-A: ${'x'.repeat(20_000)}\r\n`), 431, 'headers_too_large'],
    ['an address of 20 KB', get(`/${'x'.repeat(20_000)}`), 431, 'headers_too_large'],
    ['no HTTP', 'HELLO\r\n\r\n', 400, 'bad_request'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad_request'],
    ['two lengths', get('/', 'Content-Length: 1\r\nContent-Length: 2\r\n'), 400, 'bad_request'],
    [
      'chunk extensions of 20 KB',
      `${get('/', 'Transfer-Encoding: chunked\r\n')}1;${'x'.repeat(20_000)}\r\n`,
      413,
      'body_too_large',
    ],
    ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405, 'method_not_allowed'],
  ])('%s: has the header table and a problem for its body', async (_what, bytes, status, code) => {
    const port = await serve((request) => request.resume())
    const { socket, read } = await open(port)
    socket.write(bytes)
    await vi.waitFor(() => expect(read().ended).toBe(true), wait)
    const [head = '', body = ''] = read().text.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    for (const [name, value] of Object.entries(headerTable)) expect(head).toContain(`${name}: ${value}`)
    expect(head).toContain('content-type: application/json;charset=UTF-8')
    expect(JSON.parse(body)).toMatchObject({ status, code })
  })

  const tooLong = `X-A: ${'x'.repeat(20_000)}\r\n`
  test.each<[string, string[], number]>([
    ['no Host', ['HEAD / HTTP/1.1\r\n\r\n'], 400],
    ['two Hosts', [head('/', 'Host: other\r\n')], 400],
    ['two Hosts in HTTP/1.0', ['HEAD / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'], 400],
    ['an unknown expectation', [head('/', 'Expect: miracles\r\n')], 417],
    ['headers of 20 KB', [head('/', tooLong)], 431],
    ['headers of 20 KB after a line break', [`\r\n${head('/', tooLong)}`], 431],
    ['headers of 20 KB in two packets', ['HEAD / HTTP/1.1\r\n', head('/', tooLong).slice(17)], 431],
    ['headers of 20 KB, letter by letter at first', [...'HEAD /'.split(''), ` HTTP/1.1\r\n${tooLong}`], 431],
    ['an address of 20 KB', [head(`/${'x'.repeat(20_000)}`)], 431],
    ['an address of 20 KB in two packets', ['HEAD /', 'x'.repeat(20_000)], 431],
    ['two lengths', [head('/', 'Content-Length: 1\r\nContent-Length: 2\r\n')], 400],
    ['a length and chunks', [head('/', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n')], 400],
    ['a header without a name', [head('/', ': b\r\n')], 400],
    [
      'a header without a name in its own packet',
      ['HEAD / HTTP/1.1\r\nHost: localhost\r\n', ': b\r\n\r\n'],
      400,
    ],
    ['HTTP/3', ['HEAD / HTTP/3.0\r\n\r\n'], 400],
    ['a chunk without a length', [`${head('/', 'Transfer-Encoding: chunked\r\n')}x\r\n`], 400],
    [
      'a chunk without a length in its own packet',
      [head('/', 'Transfer-Encoding: chunked\r\n'), 'x\r\n'],
      400,
    ],
    [
      'chunk extensions of 20 KB',
      [`${head('/', 'Transfer-Encoding: chunked\r\n')}1;${'x'.repeat(20_000)}\r\n`],
      413,
    ],
    ['headers that do not end', ['HEAD / HTTP/1.1\r\nHost: localhost\r\n'], 408],
    ['a body that does not end', [head('/', 'Content-Length: 9\r\n'), '{'], 408],
  ])('%s: HEAD has the same answer without its body', async (_what, packets, status) => {
    const nobody: Listener = (request, response) => request.resume().on('end', () => response.end('whole'))
    const port = await serve(nobody, { headersMs: 300, requestMs: 600 })
    const answer = await sendInTurn(port, packets)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\ncontent-length: [1-9]\\d*\r\n`, 'i'))
    expect(answer.slice(answer.indexOf('\r\n\r\n'))).toBe('\r\n\r\n')
    // The others have it.
    const others = await sendInTurn(port, [packets.join('').replace('HEAD', 'POST')])
    const [top = '', body = ''] = others.split('\r\n\r\n')
    expect(top.toLowerCase()).toContain(`\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`)
    expect(JSON.parse(body)).toMatchObject({ status })
  })

  test.each<[string, string[]]>([
    ['at once', [`${head('/1')}${head('/2')}${head('/', tooLong)}`]],
    ['one after the other', [head('/1'), head('/2'), head('/', tooLong)]],
    [
      'one after the other, in pieces',
      ['HEAD /1 HTT', 'P/1.1\r\nHost: a\r\n\r\n', head('/2'), 'HEAD / HTTP/1.1\r\n', tooLong],
    ],
  ])('a connection with three HEAD, the last one too large, has three heads: %s', async (_how, packets) => {
    const port = await serve((request, response) => response.end(`path ${request.url?.slice(1)}.`))
    const answer = await sendInTurn(port, packets)
    expect(answer.split('\r\n\r\n').map((top) => top.slice(0, 12))).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 431',
      '',
    ])
  })

  test.each<[string, string[], number]>([
    ['GET after HEAD', [head('/1'), get('/', tooLong)], 431],
    ['GET after HEAD at once', [`${head('/1')}${get('/', tooLong)}`], 431],
    [
      'GET with HEAD in a header',
      ['GET / HTTP/1.1\r\nX-A: b\r\n', `HEAD: HEAD / HTTP/1.1\r\n${tooLong}`],
      431,
    ],
    ['HEADER', ['HEADER / HTTP/1.1\r\n\r\n'], 405],
    ['head', ['head / HTTP/1.1\r\n\r\n'], 405],
  ])('%s has a body', async (_what, packets, status) => {
    const port = await serve((_request, response) => response.end())
    const answer = await sendInTurn(port, packets)
    expect(JSON.parse(answer.split('\r\n\r\n').at(-1) ?? '')).toMatchObject({ status })
  })

  test.each([
    'localhost',
    'localhost:8080',
    '127.0.0.1:1',
    '[::1]:8080',
    'a-b_c.example.',
    'xn--bcher-kva.example',
    '',
  ])('a Host of its own is taken: "%s"', async (host) => {
    const port = await serve((_request, response) => response.end('taken'))
    const { socket, read } = await open(port)
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await vi.waitFor(() => expect(read().text).toMatch(/^HTTP\/1\.1 200 [^]*taken/), wait)
  })

  test('a wish to upgrade that is not met is a request like any other', async () => {
    const port = await serve((_request, response) => response.end('plain'))
    const { socket, read } = await open(port)
    socket.write(get('/', 'Connection: upgrade\r\nUpgrade: h2c\r\n'))
    await vi.waitFor(() => expect(read().text).toMatch(/^HTTP\/1\.1 200 [^]*plain/), wait)
  })

  test.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405],
  ])('%s: comes after the answers to the requests before it', async (_what, bytes, status) => {
    const held: ServerResponse[] = []
    const port = await serve((_request, response) => held.push(response))
    const { socket, read } = await open(port)
    socket.write(`${get('/1')}${get('/2')}${bytes}`)
    for (const path of [1, 2]) {
      await vi.waitFor(() => expect(held).toHaveLength(path), wait)
      held.at(-1)?.end(`path ${path}.`)
    }
    await vi.waitFor(() => expect(read().ended).toBe(true), wait)
    expect(read().text).toMatch(new RegExp(`path 1\\.[^]*path 2\\.[^]*HTTP/1\\.1 ${status} `))
  })
})

describe('draining', () => {
  test('ends no connection on which a request is arriving, and streams as they should end', async () => {
    const service = await startTestService()
    const { port } = await service.listen()
    const authorization = `Bearer ${await service.token('admin')}`
    const url = `http://127.0.0.1:${port}/api`
    const agents = Array.from({ length: 16 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const send = (agent: Agent, method: string, address: string) =>
      new Promise<string>((resolve) => {
        const headers = { authorization, 'content-type': 'application/json' }
        const sent = httpRequest(address, { method, agent, headers }, (response) => {
          response.resume()
          response.on('end', () => resolve(`${response.statusCode} ${response.headers.connection}`))
        })
        sent.on('error', (error) => resolve(error.message))
        sent.end(method === 'POST' ? '{}' : undefined)
      })
    const write = (agent: Agent) => send(agent, 'POST', `${url}/users`)
    const readiness = new Agent({ keepAlive: true })
    const isReady = () => send(readiness, 'GET', `http://127.0.0.1:${port}/readyz`)
    expect(await isReady()).toBe('200 keep-alive')
    expect(await Promise.all(agents.map(write))).toEqual(agents.map(() => '201 keep-alive'))
    const stream = await fetch(`${url}/events/stream`, { headers: { authorization } })

    const closing = service.close()
    const answers = agents.map(async (agent, index) => {
      await setTimeout(100 + index * 20)
      return await write(agent)
    })
    const ready = setTimeout(100).then(isReady)
    expect(await Promise.all(answers)).toEqual(agents.map(() => '201 close'))
    expect(await ready).toBe('503 close')
    expect(await stream.text()).toMatch(/^:/)
    await closing
    for (const agent of [...agents, readiness]) agent.destroy()
    await expect(fetch(`${url}/datatypes`)).rejects.toThrow()
  })

  test('refuses nobody until its proxy has sent requests elsewhere, and ends no stream before', async () => {
    const service = await startTestService()
    const { port } = await service.listen()
    const authorization = `Bearer ${await service.token('admin')}`
    const ask = (address: string) =>
      fetch(`http://127.0.0.1:${port}${address}`, { headers: { authorization, connection: 'close' } })
    const stream = await ask('/api/events/stream')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const kept = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { authorization }
        const sent = httpRequest(`http://127.0.0.1:${port}/api/events`, { agent, headers }, (response) => {
          response.resume()
          response.on('end', () => resolve(response))
        })
        sent.on('error', reject).end()
      })
    expect((await kept()).headers.connection).toBe('keep-alive')

    const elsewhere = Promise.withResolvers<void>()
    const closing = service.close(elsewhere.promise)
    await vi.waitFor(async () => expect((await ask('/readyz')).status).toBe(503), wait)
    expect(await kept()).toMatchObject({ statusCode: 200, headers: { connection: 'close' } })
    expect((await ask('/api/events')).status).toBe(200)
    const opened = await ask('/api/events/stream')
    expect(opened.status).toBe(200)

    elsewhere.resolve()
    expect(await Promise.all([stream.text(), opened.text()])).toEqual([
      expect.stringMatching(/^:/),
      expect.stringMatching(/^:/),
    ])
    await closing
    agent.destroy()
    await expect(ask('/readyz')).rejects.toThrow()
  })

  test('ends after its limit, whatever is still under way', async () => {
    const connections = new Connections({ drainMs: 200 })
    const server = connections.createServer(() => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { socket, read } = await open((server.address() as AddressInfo).port)
    socket.write(get('/'))
    await once(server, 'request')
    await connections.drain()
    await vi.waitFor(() => expect(read().ended).toBe(true), wait)
  })
})
