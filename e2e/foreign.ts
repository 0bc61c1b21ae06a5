// The console as others serve it: by a web server that knows nothing of the service, below a path, at another origin.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import path from 'node:path'

import { fastestFolder } from '../server/testing-folder.ts'

const root = path.join(import.meta.dirname, '..')
const prefix = '/tools/console/'
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** A service that allows this console, and the server that sends it. */
export async function startForeign(settings: Readonly<Record<string, string>>) {
  const servicePort = await freePort()
  const service = `http://localhost:${servicePort}`
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const files = builtFiles(service)
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin)
    if (!pathname.startsWith(prefix)) {
      response.writeHead(404).end()
      return
    }
    // Any address below the path has the page, but for the files themselves.
    const name = pathname.slice(prefix.length)
    const found = files.has(name) ? name : 'index.html'
    response
      .writeHead(200, {
        'content-type': types[path.extname(found)] ?? 'application/octet-stream',
        'content-security-policy': policy(service),
        'cache-control': found.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      })
      .end(files.get(found))
  })

  const folder = mkdtempSync(path.join(fastestFolder(), 'data-store-foreign-'))
  const running = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: String(servicePort),
      DATA_DIR: path.join(folder, 'data'),
      SAMPLE_DATA: '20',
      LOG_LEVEL: 'error',
      CONSOLE_URL: `${origin}${prefix}`,
      CORS_ORIGINS: origin,
      ...settings,
    },
  })
  await ready(running)
  return {
    consoleUrl: `${origin}${prefix}`,
    apiUrl: `${service}/api`,
    async close() {
      const ended = once(running, 'exit')
      running.kill('SIGTERM')
      await ended
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
}

/** As docs/operations.md has it: the path in the page, and settings of one's own beside it. */
function builtFiles(service: string): Map<string, Buffer | string> {
  const dist = path.join(root, 'dist')
  const files = new Map<string, Buffer | string>()
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const file = path.join(entry.parentPath, entry.name)
      files.set(path.relative(dist, file).replaceAll(path.sep, '/'), readFileSync(file))
    }
  const page = String(files.get('index.html'))
  if (!page.includes('<base href="/" />')) throw new Error('The page has no base to write the path into.')
  files.set('index.html', page.replace('<base href="/" />', `<base href="${prefix}" />`))
  files.set(
    'config.json',
    JSON.stringify({
      apiUrl: `${service}/api`,
      oidc: {
        authority: `${service}/oidc`,
        clientId: 'data-store-console',
        scope: 'openid profile offline_access roles',
        audience: 'urn:data-store',
      },
      environment: { name: 'Elsewhere', colour: 'blue' },
    }),
  )
  return files
}

const policy = (service: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${service}`,
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

async function freePort(): Promise<number> {
  const socket = createSocket()
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  await new Promise((resolve) => socket.close(resolve))
  return port
}

/** When the service says so. */
async function ready(service: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    service.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)))
    service.stdout?.on('data', (line: Buffer) => {
      if (line.includes('Data Store is ready')) resolve()
    })
  })
}
