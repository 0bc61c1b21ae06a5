// The console as hosted by third parties: on a generic web server, below a path, at a different origin than the
// service.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

import { freePort, startOwnService } from './own-service.ts'

const root = path.join(import.meta.dirname, '..')
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Starts a service that allows this console, and the server that serves the console below a path. */
export async function startForeign(prefix = '/tools/console/') {
  const servicePort = await freePort()
  const service = `http://localhost:${servicePort}`
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const files = builtFiles(service, prefix)
  server.on('request', (request, response) => {
    const { pathname } = new URL(origin + (request.url ?? '/'))
    if (!pathname.startsWith(prefix)) {
      response.writeHead(404).end()
      return
    }
    // Every address below the path returns the page, except those of files.
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

  const running = await startOwnService({
    PORT: String(servicePort),
    CONSOLE_URL: `${origin}${prefix}`,
    CORS_ORIGINS: origin,
  })
  return {
    consoleUrl: `${origin}${prefix}`,
    apiUrl: `${service}/api`,
    async close() {
      await running.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Returns the built console as docs/operations.md describes for hosting it elsewhere: with its path in the page, and
 * its own settings.
 */
function builtFiles(service: string, prefix: string): Map<string, Buffer | string> {
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
