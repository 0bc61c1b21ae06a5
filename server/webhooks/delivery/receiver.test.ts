import { createHook } from 'node:async_hooks'
import { generateKeyPairSync, sign } from 'node:crypto'
import { createSocket } from 'node:dgram'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { isPublicAddress } from '../addresses.ts'
import { type Outcome, Receivers } from './receiver.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** Starts a server on this machine and counts its connections. */
async function listen(server: Server): Promise<{ port: number; connections: () => number }> {
  let connections = 0
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections++
    open.add(socket.on('error', () => {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

function receivers(options: Partial<ConstructorParameters<typeof Receivers>[0]> = {}): Receivers {
  const made = new Receivers({ allowLoopback: true, answerMs: 120_000, wholeMs: 120_000, ...options })
  cleanups.push(() => made.close())
  return made
}

/** Returns the outcome and the duration of one attempt against a server with this behaviour. */
async function attempt(answer: RequestListener, options: Parameters<typeof receivers>[0] = {}) {
  const { port } = await listen(createHttpServer(answer))
  const started = performance.now()
  const outcome = await receivers(options).send(`http://127.0.0.1:${port}/hooks?key=1`, {}, '{}')
  return { outcome, ms: performance.now() - started }
}

describe('an attempt', () => {
  test('is one POST of the body, as JSON, with the headers given', async () => {
    const got: unknown[] = []
    const { outcome } = await attempt((request, response) => {
      const { method, url, headers } = request
      request.setEncoding('utf8').on('data', (text) => got.push({ method, url, headers, text }))
      request.on('end', () => response.writeHead(204).end())
    })
    expect(outcome).toEqual({ status: 204 })
    expect(got).toEqual([
      {
        method: 'POST',
        url: '/hooks?key=1',
        headers: expect.objectContaining({ 'content-type': 'application/json', 'content-length': '2' }),
        text: '{}',
      },
    ])
  })

  test.each<[number, Record<string, string>, Outcome]>([
    [200, {}, { status: 200 }],
    [202, {}, { status: 202 }],
    [299, {}, { status: 299 }],
    [301, { location: 'https://example.org/' }, { status: 301, error: 'redirect' }],
    [304, {}, { status: 304, error: 'redirect' }],
    [400, {}, { status: 400, error: 'status' }],
    [410, {}, { status: 410, error: 'status' }],
    [429, { 'retry-after': '120' }, { status: 429, error: 'status', retryAfterMs: 120_000 }],
    [429, { 'retry-after': 'soon' }, { status: 429, error: 'status' }],
    [503, { 'retry-after': '0' }, { status: 503, error: 'status', retryAfterMs: 0 }],
    [503, { 'retry-after': new Date(0).toUTCString() }, { status: 503, error: 'status', retryAfterMs: 0 }],
    [500, {}, { status: 500, error: 'status' }],
    [101, { connection: 'upgrade', upgrade: 'x' }, { status: 101, error: 'status' }],
  ])('that is answered %s %o', async (status, headers, expected) => {
    expect((await attempt((_, response) => response.writeHead(status, headers).end())).outcome).toEqual(
      expected,
    )
  })

  test('can be asked to wait until a date', async () => {
    const date = new Date(Date.now() + 600_000).toUTCString()
    const { outcome } = await attempt((_, response) => response.writeHead(503, { 'retry-after': date }).end())
    expect(outcome.retryAfterMs).toBeGreaterThan(500_000)
    expect(outcome.retryAfterMs).toBeLessThanOrEqual(600_000)
  })

  test.each([301, 302, 303, 307, 308])('is not followed to where %s leads', async (status) => {
    const elsewhere = await listen(createHttpServer((_, response) => response.end()))
    const location = `http://127.0.0.1:${elsewhere.port}/`
    const { outcome } = await attempt((_, response) => response.writeHead(status, { location }).end())
    expect(outcome).toEqual({ status, error: 'redirect' })
    expect(elsewhere.connections()).toBe(0)
  })

  test('without an answer is given up', async () => {
    const { outcome, ms } = await attempt(() => {}, { answerMs: 100 })
    expect(outcome).toEqual({ error: 'timeout' })
    expect(ms).toBeLessThan(60_000)
  })

  test('with an answer that never ends has its status, and its connection is closed in time', async () => {
    let closed: Promise<unknown> | undefined
    const { outcome, ms } = await attempt(
      (request, response) => {
        closed = once(request.socket, 'close')
        response.writeHead(200).write('{')
      },
      { answerMs: 100, wholeMs: 200 },
    )
    expect(outcome).toEqual({ status: 200 })
    expect(ms).toBeLessThan(60_000)
    await closed
  })

  test('with an endless answer has its status, and takes no more than 64 KB and what is in transit', async () => {
    let sent = 0
    let closed: Promise<unknown> | undefined
    const { outcome } = await attempt((request, response) => {
      closed = once(request.socket, 'close')
      response.writeHead(500)
      const more = () => {
        if (request.socket.destroyed) return
        sent += 16 * 1024
        if (response.write('x'.repeat(16 * 1024))) setImmediate(more)
        else response.once('drain', more)
      }
      more()
    })
    expect(outcome).toEqual({ status: 500, error: 'status' })
    await closed
    // 64 KB, plus the contents of the buffers on both sides.
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  test('with a connection that breaks during the answer has its status', async () => {
    const { outcome } = await attempt((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{', () => request.socket.destroy())
    })
    expect(outcome).toEqual({ status: 200 })
  })

  test.each<[string, (socket: Socket) => void]>([
    ['is closed', (socket) => socket.destroy()],
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['talks something else', (socket) => socket.end('220 mail.example.org ESMTP\r\n')],
    ['has endless headers', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1e6)}`)],
  ])('with a connection that %s is a failure of the connection', async (_, answer) => {
    const { port } = await listen(createTcpServer((socket) => socket.once('data', () => answer(socket))))
    expect(await receivers().send(`http://127.0.0.1:${port}/`, {}, '{}')).toEqual({ error: 'connection' })
  })

  test('that nobody listens to is a failure of the connection', async () => {
    const server = createTcpServer()
    const { port } = await listen(server)
    server.close()
    expect(await receivers().send(`http://127.0.0.1:${port}/`, {}, '{}')).toEqual({ error: 'connection' })
  })

  test('that is under way when all is closed was interrupted; what is tried then is not sent', async () => {
    const server = createHttpServer()
    const { port, connections } = await listen(server)
    const sender = receivers()
    const arrived = once(server, 'request')
    const outcome = sender.send(`http://127.0.0.1:${port}/`, {}, '{}')
    await arrived
    await sender.close()
    expect(await outcome).toEqual({ error: 'interrupted' })
    expect(await sender.send(`http://127.0.0.1:${port}/`, {}, '{}')).toEqual({ error: 'interrupted' })
    expect(connections()).toBe(1)
  })

  test('after another one takes the same connection, whatever that one was answered', async () => {
    const statuses = [200, 500, 302, 410, 200]
    const answers = statuses.values()
    const { port, connections } = await listen(
      createHttpServer((_, response) => response.writeHead(answers.next().value ?? 200).end('{"ok":true}')),
    )
    const sender = receivers()
    for (const status of statuses)
      expect(await sender.send(`http://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({ status })
    expect(connections()).toBe(1)
  })

  test('goes by no proxy that the environment names', async () => {
    const proxy = await listen(createHttpServer((_, response) => response.end()))
    const names = [
      'HTTP_PROXY',
      'http_proxy',
      'HTTPS_PROXY',
      'https_proxy',
      'ALL_PROXY',
      'NODE_USE_ENV_PROXY',
    ]
    const before = names.map((name) => process.env[name])
    cleanups.push(() => {
      for (const [index, name] of names.entries())
        if (before[index] === undefined) delete process.env[name]
        else process.env[name] = before[index]
    })
    for (const name of names)
      process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`
    expect((await attempt((_, response) => response.writeHead(201).end())).outcome).toEqual({ status: 201 })
    expect(proxy.connections()).toBe(0)
  })
})

describe('a certificate', () => {
  const trusted = getCACertificates('default')
  afterEach(() => setDefaultCACertificates(trusted))

  async function triedOverTls(
    certificate: { names: readonly string[]; until?: string; trusted?: boolean },
    options: { host?: string; maxVersion?: 'TLSv1.1' } = {},
  ): Promise<Outcome> {
    const { key, cert } = selfSigned(certificate.names, certificate.until)
    if (certificate.trusted !== false) setDefaultCACertificates([...trusted, cert])
    const { maxVersion } = options
    const { port } = await listen(
      createHttpsServer(
        {
          key,
          cert,
          ...(maxVersion && { maxVersion, minVersion: 'TLSv1' as const, ciphers: 'ALL@SECLEVEL=0' }),
        },
        (_, response) => response.writeHead(200).end(),
      ),
    )
    return await receivers().send(`https://${options.host ?? 'localhost'}:${port}/`, {}, '{}')
  }

  test('that is valid for the host is taken', async () => {
    expect(await triedOverTls({ names: ['localhost'] })).toEqual({ status: 200 })
  })

  test.each<[string, ...Parameters<typeof triedOverTls>]>([
    ['of another host', { names: ['example.org'] }],
    ['of a name, asked by number', { names: ['localhost'] }, { host: '127.0.0.1' }],
    ['that has expired', { names: ['localhost'], until: '20200101000000Z' }],
    ['that nobody has signed', { names: ['localhost'], trusted: false }],
    ['over a version of TLS from before', { names: ['localhost'] }, { maxVersion: 'TLSv1.1' }],
  ])('%s is refused', async (_, ...args) => {
    expect(await triedOverTls(...args)).toEqual({ error: 'tls' })
  })

  test('is checked even where the environment says not to', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    cleanups.push(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
    expect(await triedOverTls({ names: ['localhost'], trusted: false })).toEqual({ error: 'tls' })
  })

  test('that never comes, since the other side has none, is a failure of TLS', async () => {
    const { port } = await listen(createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')))
    expect(await receivers().send(`https://127.0.0.1:${port}/`, {}, '{}')).toEqual({ error: 'tls' })
  })
})

/** Loopback, private, link-local, documentation, multicast and reserved addresses. */
const privateV4 = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.0.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
]

const privateV6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
]

/** Returns spellings of an IPv4 address that a URL accepts. */
function spellings(address: string): string[] {
  const parts = address.split('.').map(Number) as [number, number, number, number]
  const [a, b, c, d] = parts
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number) => `0x${value.toString(16)}`
  const octal = (value: number) => `0${value.toString(8)}`
  const v6 = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    hex(whole).toUpperCase().replace('0X', '0X'),
    octal(whole),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    parts.map(hex).join('.'),
    parts.map(octal).join('.'),
    parts.map((part) => `0x000${part.toString(16)}`).join('.'),
    `${hex(a)}.${octal(b)}.${(c << 8) | d}`,
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '｡'),
    address.replaceAll('.', '%2e'),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
    address.replaceAll(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit))),
    `${address.slice(0, 2)}\t${address.slice(2)}`,
    `${address.slice(0, 2)}\u00ad${address.slice(2)}`,
    `[::ffff:${address}]`,
    `[::ffff:${v6}]`,
    `[0:0:0:0:0:ffff:${v6}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b::${v6}]`,
    `[2002:${v6}::]`,
  ]
}

describe('private addresses', () => {
  let before: string[]
  const names = new Map<string, readonly string[]>()
  const server = createSocket('udp4')
  beforeAll(async () => {
    before = dns.getServers()
    server.on('message', (query, { port, address }) => server.send(answerTo(query, names), port, address))
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    dns.setServers([`127.0.0.1:${server.address().port}`])
  })
  afterAll(() => {
    dns.setServers(before)
    server.close()
  })

  /** Counts the connections that this process opens during `work`. */
  async function connectionsWhile(work: () => Promise<void>): Promise<number> {
    let begun = 0
    const hook = createHook({
      init(_id, type) {
        if (type === 'TCPCONNECTWRAP') begun++
      },
    }).enable()
    await work()
    hook.disable()
    return begun
  }

  test('500 of their spellings, and names that lead to them, open no connection', async () => {
    const literals = [...privateV4.flatMap(spellings), ...privateV6.map((address) => `[${address}]`)]
    const all = [
      ...literals.map((host) => `https://${host}/`),
      ...literals
        .slice(0, 29)
        .flatMap((host) => [`https://${host}:8443/x?y=1`, `http://${host}/`, `https:\\\\${host}/`]),
      ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'lOcAlHoSt', 'ⓛocalhost'].map(
        (host) => `https://${host}/`,
      ),
      ...[...privateV4, ...privateV6].flatMap((address, index) => {
        names.set(`only${index}.example.org`, [address])
        names.set(`mixed${index}.example.org`, ['93.184.215.14', address])
        return [`https://only${index}.example.org/`, `https://mixed${index}.example.org/`]
      }),
    ].filter((address) => URL.canParse(address))
    expect(new Set(all).size).toBeGreaterThanOrEqual(500)
    const sender = receivers({ allowLoopback: false })
    const wrong: unknown[] = []
    const begun = await connectionsWhile(async () => {
      for (const address of all) {
        const outcome = await sender.send(address, {}, '{}')
        if (outcome.error !== 'forbidden_address') wrong.push({ address, outcome })
      }
    })
    expect(wrong).toEqual([])
    expect(begun).toBe(0)
  })

  test('stay forbidden where loopback is allowed, but for those of this machine', async () => {
    const { port } = await listen(createHttpServer((_, response) => response.writeHead(200).end()))
    const sender = receivers()
    names.set('here.example.org', ['127.0.0.1'])
    names.set('there.example.org', ['127.0.0.1', '10.0.0.1'])
    const outcomes: Outcome[] = []
    const begun = await connectionsWhile(async () => {
      for (const host of ['127.1', 'localhost', 'app.localhost', '10.0.0.1', 'here.example.org'])
        outcomes.push(await sender.send(`http://${host}:${port}/`, {}, '{}'))
      outcomes.push(await sender.send(`https://there.example.org:${port}/`, {}, '{}'))
    })
    const forbidden = { error: 'forbidden_address' }
    const status = { status: 200 }
    expect(outcomes).toEqual([status, status, status, forbidden, forbidden, forbidden])
    // The second and third delivery cannot reuse a connection, since each has its own host.
    expect(begun).toBeGreaterThanOrEqual(3)
    expect(begun).toBeLessThanOrEqual(5)
  })

  test('are looked for each time: a name that leads elsewhere by now is not trusted for what it was', async () => {
    const { port } = await listen(createHttpServer((_, response) => response.writeHead(200).end()))
    const sender = receivers()
    names.set('moving.example.org', ['10.0.0.1'])
    expect(await sender.send(`https://moving.example.org:${port}/`, {}, '{}')).toEqual({
      error: 'forbidden_address',
    })
    names.set('moving.example.org', ['127.0.0.1'])
    // The new address serves plain HTTP, so a TLS error proves that the name was resolved again and its address allowed.
    expect(await sender.send(`https://moving.example.org:${port}/`, {}, '{}')).toEqual({ error: 'tls' })
  })

  test('a name that nobody knows is said to be that', async () => {
    expect(await receivers().send('https://nobody.example.org/', {}, '{}')).toEqual({ error: 'dns' })
  })

  test('do not include those of the internet', () => {
    const addresses = [
      '8.8.8.8',
      '93.184.215.14',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700:4700::1111',
      '64:ff9b::808:808',
    ]
    expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([])
    expect(
      ['', 'example.org', '2606:4700::1%eth0', '1.2.3', '64:ff9b::a00:1'].filter(isPublicAddress),
    ).toEqual([])
  })
})

/** Returns the response of a name server: the addresses of the requested family, or that the name does not exist. */
function answerTo(query: Buffer, names: ReadonlyMap<string, readonly string[]>): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  const question = query.subarray(12, at + 5)
  const type = query.readUInt16BE(at + 1)
  const known = names.get(labels.join('.').toLowerCase())
  const records = (known ?? [])
    .filter((address) => address.includes(':') === (type === 28))
    .map((address) => {
      const data = type === 28 ? bytesOfV6(address) : Buffer.from(address.split('.').map(Number))
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
      return Buffer.concat([head, data])
    })
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, question, ...records])
}

function bytesOfV6(address: string): Buffer {
  const [before = '', after = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [first, last] = [groups(before), groups(after)]
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/** Returns a self-signed certificate (RFC 5280). `until`: GeneralizedTime. */
function selfSigned(names: readonly string[], until = '20990101000000Z'): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
    const body = Buffer.concat(parts)
    const length =
      body.length < 128 ? Buffer.of(body.length) : Buffer.from([0x82, body.length >> 8, body.length & 255])
    return Buffer.concat([Buffer.of(tag), length, body])
  }
  const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from('Test')))))
  const time = (text: string) => der(0x18, Buffer.from(text))
  const alternatives = der(0x30, ...names.map((each) => der(0x82, Buffer.from(each))))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    name,
    der(0x30, time('20100101000000Z'), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, der(0x30, oid('551d11'), der(0x04, alternatives)))),
  )
  const signature = sign('sha256', body, privateKey)
  const whole = der(0x30, body, algorithm, der(0x03, Buffer.of(0), signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}
