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

import { createTestDatabase, testKeys } from './service.ts'

export interface KillableService {
  /** An administrator's token. */
  readonly token: string
  readonly port: string
  /** Starts the service and waits until it answers. */
  start(): Promise<void>
  kill(): Promise<void>
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
  fs.mkdirSync(path.join(root, 'console'))
  fs.writeFileSync(path.join(root, 'console', 'index.html'), '')
  const issuer = await startIssuer(closing)
  const environment = {
    OIDC_ISSUER: issuer.url,
    DATA_DIR: path.join(root, 'data'),
    ENCRYPTION_KEYS: testKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(' '),
    SAMPLE_DATA: '0',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    ...(isEmbedded ? {} : await databaseOfItsOwn(closing)),
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
    import { readConfig } from ${file('config.ts')}
    import { startService } from ${file('service.ts')}
    const service = await startService(readConfig(process.env), {
      consoleFolder: ${JSON.stringify(path.join(root, 'console'))}, development: false, stopped: () => process.exit(1),
    })
    process.once('SIGTERM', () => service.close().then(() => process.exit(0)))
    process.stdout.write('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: process.env.PATH, RATE_LIMIT: '0', ...environment, PORT: String(port) },
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
