// Runs the service in its own process, which a test can kill.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

import { type Database, openDatabase } from '../sealing/database.ts'
import { compileCache } from './embedded.ts'
import { createTestDatabase, testKeys } from './service.ts'

export interface KillableService {
  /** An administrator's token. */
  readonly token: string
  readonly port: string
  /** Starts the service and waits until it answers. */
  start(): Promise<void>
  kill(): Promise<void>
  /** Kills the process, and opens its store for the duration of `work`. */
  inStore<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /** Sends a request as an administrator: a file of CSV, or a body of JSON. Throws if it is refused. */
  ask(method: string, address: string, body?: object): Promise<Response>
  close(): Promise<void>
}

/** Creates a service on an embedded store. Every `start` uses the same port, issuer, store and settings. */
export async function killableService(
  settings: Readonly<Record<string, string>> = {},
): Promise<KillableService> {
  const processes = await serviceProcesses({ isEmbedded: true, settings })
  const port = await freePort()
  let life: ServiceProcess | undefined
  const kill = async () => {
    await life?.kill()
    life = undefined
  }
  return {
    token: processes.token,
    port: String(port),
    async start() {
      life = await processes.start({ port })
    },
    kill,
    async inStore(work) {
      await kill()
      return await processes.inStore(work)
    },
    ask: (method, address, body) => processes.ask(port, method, address, body),
    async close() {
      await kill()
      await processes.close()
    },
  }
}

export interface ServiceProcess {
  readonly port: number
  /** Everything the process has printed, including its log. */
  output(): string
  kill(): Promise<void>
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>
}

export interface ServiceProcesses {
  /** An administrator's token. */
  readonly token: string
  /** Starts a process and waits until it answers. `code`: the `server` folder of another version. */
  start(options?: { port?: number; code?: string }): Promise<ServiceProcess>
  /** Opens the store for the duration of `work`. An embedded one needs that no process has it open. */
  inStore<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  /** Sends a request as an administrator: a file of CSV, or a body of JSON. Throws if it is refused. */
  ask(port: number, method: string, address: string, body?: object): Promise<Response>
  /** Kills the processes that still run. */
  close(): Promise<void>
}

/**
 * Creates service processes that share an issuer and a store. Processes that run at the same time need a database of
 * the run's PostgreSQL; processes that run one after the other may use an embedded store.
 */
export async function serviceProcesses({
  isEmbedded = false,
  settings = {},
}: {
  isEmbedded?: boolean
  settings?: Readonly<Record<string, string>>
} = {}): Promise<ServiceProcesses> {
  const closing: (() => Promise<unknown>)[] = []
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-'))
  // If the tests run as root, PostgreSQL runs as another account, which must be able to pass through.
  fs.chmodSync(root, 0o755)
  const dataDir = path.join(root, 'data')
  fs.mkdirSync(path.join(root, 'console'))
  fs.writeFileSync(path.join(root, 'console', 'index.html'), '')
  const issuer = await startIssuer(closing)
  const server = isEmbedded ? undefined : await databaseOfItsOwn(closing)
  const environment = {
    OIDC_ISSUER: issuer.url,
    DATA_DIR: dataDir,
    ENCRYPTION_KEYS: testKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(' '),
    SAMPLE_DATA: '0',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    ...server,
    ...settings,
  }
  const lives: ServiceProcess[] = []
  return {
    token: issuer.token,
    async start({ port, code = path.join(import.meta.dirname, '..') } = {}) {
      const life = await startLife(code, root, environment, port ?? (await freePort()))
      lives.push(life)
      return life
    },
    async inStore(work) {
      const place = server ? { databaseUrl: server.DATABASE_URL } : { dataDir }
      // A test reads whole tables.
      const database = await openDatabase(place, testKeys, { statementLimitMs: 240_000 })
      try {
        return await work(database)
      } finally {
        await database.close()
      }
    },
    async ask(port, method, address, body) {
      const isFile = Buffer.isBuffer(body)
      const response = await fetch(`http://127.0.0.1:${port}/api${address}`, {
        method,
        headers: {
          authorization: `Bearer ${issuer.token}`,
          'content-type': isFile ? 'text/csv' : 'application/json',
        },
        ...(body && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`)
      return response
    },
    async close() {
      for (const life of lives) await life.kill()
      for (const close of closing) await close()
      fs.rmSync(root, { recursive: true, force: true })
    },
  }
}

async function startLife(
  code: string,
  root: string,
  environment: Readonly<Record<string, string>>,
  port: number,
): Promise<ServiceProcess> {
  const file = (name: string) => JSON.stringify(pathToFileURL(path.join(code, name)).href)
  const script = `
    import { flushCompileCache } from 'node:module'
    import { readConfig } from ${file('config.ts')}
    import { startService } from ${file('service.ts')}
    const service = await startService(readConfig(process.env), {
      consoleFolder: ${JSON.stringify(path.join(root, 'console'))}, development: false, stopped: () => process.exit(1),
    })
    process.once('SIGTERM', () => service.close().then(() => process.exit(0)))
    process.stdout.write('ready')
    flushCompileCache()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      RATE_LIMIT: '0',
      ...environment,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (text) => (complaint += text))
  let output = ''
  // Sample data are told of while they are written, before the service is ready.
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => {
      output += text
      if (output.endsWith('ready')) resolve()
    })
  })
  const exited = once(child, 'close')
  await Promise.race([
    ready,
    exited.then(() => {
      throw new Error(`The service ended: ${complaint}`)
    }),
  ])
  return {
    port,
    output: () => output,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await exited) as [number | null]
      return code
    },
  }
}

/** Starts an issuer whose tokens the service trusts. */
async function startIssuer(closing: (() => Promise<unknown>)[]): Promise<{ url: string; token: string }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'ES256' }]
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(request.url === '/keys' ? { keys } : { issuer: url, jwks_uri: `${url}/keys` }),
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  const token = await new SignJWT({ iss: url, aud: 'urn:data-store', sub: 'test', role: 'admin' })
    .setProtectedHeader({ alg: 'ES256', kid: 'test', typ: 'at+jwt' })
    .setExpirationTime('2h')
    .sign(privateKey)
  return { url, token }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function databaseOfItsOwn(closing: (() => Promise<unknown>)[]): Promise<{ DATABASE_URL: string }> {
  const { databaseUrl, drop } = await createTestDatabase()
  closing.push(drop)
  return { DATABASE_URL: databaseUrl }
}
