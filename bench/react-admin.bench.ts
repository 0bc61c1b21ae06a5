// The users list beside the same list in a react-admin app, over the same service and in the same browser. Installs
// react-admin into a temporary folder. Needs a running service with sample data (npm start);
// a browser is found or installed.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request as ask, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import type { BrowserContext, Page } from '@playwright/test'
import { build } from 'vite'

import { scriptClientId, scriptClientSecret } from '#server/identity/accounts.ts'

import {
  asItIs,
  consoleUrl,
  inMs,
  launch,
  median,
  ourRow,
  seenAt,
  signIn,
  slow,
  timeOfReload,
  watchFor,
} from './browser.ts'
import { buildReactAdmin } from './react-admin-app.ts'

const rounds = 7

const folder = mkdtempSync(path.join(tmpdir(), 'data-store-react-admin-'))
const browser = await launch()
const servers: Server[] = []
try {
  mkdirSync(path.join(folder, 'peer'))
  const version = buildReactAdmin(path.join(folder, 'peer'))
  await buildWithTokenGiven(path.join(folder, 'ours'))
  const token = await scriptToken()
  const peer = await serve(path.join(folder, 'peer', 'dist'), token)
  const given = await serve(path.join(folder, 'ours'), token)
  const sides = {
    'react-admin': await open('td.column-name', (page) => page.goto(`${peer}#/users`)),
    'this console, token given': await open(ourRow, (page) => page.goto(`${given}users`)),
    'this console with its sign-in': await open(ourRow, signIn),
  }
  console.log(`react-admin ${version}, token given; median of ${rounds} rounds in turn, ratio to react-admin`)

  for (const setting of [asItIs, slow])
    for (const cache of ['empty', 'filled'] as const) {
      const times: Record<string, number[]> = {}
      for (let round = 0; round < rounds; round++)
        for (const [name, side] of Object.entries(sides))
          (times[name] ??= []).push(await timeOfReload(side.page, setting, cache))
      const medians = Object.entries(times).map(([name, each]): Figure => [name, median(each)])
      report(`first row after a reload, ${setting.name}, cache ${cache}`, inMs, medians)
    }
  const scripts: Figure[] = []
  const styles: Figure[] = []
  const heap: Figure[] = []
  for (const [name, side] of Object.entries(sides)) {
    scripts.push([name, await weigh(side, '.js')])
    styles.push([name, await weigh(side, '.css')])
    heap.push([name, await heapOf(side)])
  }
  report('scripts until the first row, gzip', inKb, scripts)
  report('styles until the first row, gzip', inKb, styles)
  report('JavaScript heap with 50 rows, after a collection', inKb, heap)
} finally {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
  await browser.close()
  rmSync(folder, { recursive: true })
}

/** This console as it is built, but for the way to the provider and back: its session has the page's token. */
async function buildWithTokenGiven(outDir: string): Promise<void> {
  const root = path.join(import.meta.dirname, '..')
  const source = (name: string) => JSON.stringify(path.join(root, 'src', 'auth', name))
  await build({
    root,
    logLevel: 'error',
    build: { outDir, copyPublicDir: true },
    plugins: [
      {
        name: 'token-given',
        enforce: 'pre',
        resolveId: (id) => (id.endsWith('/auth/start.ts') ? '\0token-given' : undefined),
        // Opens the provider all the same: the same code is loaded.
        load: (id) =>
          id === '\0token-given'
            ? `import { openProvider } from ${source('provider.ts')}
               import { fixedSession } from ${source('session.ts')}
               import { OidcSession } from ${source('oidc-session.ts')}
               const token = document.querySelector('meta[name=token]').content
               export const startSession = async ({ settings }) => {
                 if (!openProvider(settings) || token === '') return new OidcSession({})
                 return fixedSession({ subject: 'bench', name: 'Bench', role: 'support' }, async () => token)
               }
               export const signInAgain = () => {}
               export const finishPopup = async () => {}`
            : undefined,
      },
    ],
  })
}

/** Serves a built page as the service serves the console: compressed beforehand, kept for good, the API beside it. */
async function serve(dist: string, token: string): Promise<string> {
  const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' }
  const files = new Map<string, { body: Buffer; type: string }>()
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const type = types[path.extname(name)]
    if (type) files.set(`/${name}`, { body: brotliCompressSync(readFileSync(path.join(dist, name))), type })
  }
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8').replace(
    '<head>',
    `<head><meta name="token" content="${token}">`,
  )
  const server = createServer((request, response) => {
    const url = request.url ?? '/'
    const file = files.get(url)
    if (file) {
      response.writeHead(200, {
        'content-type': file.type,
        'content-encoding': 'br',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      response.end(file.body)
    } else if (/^\/(api\/|config\.json|assets\/|favicon)/.test(url))
      request.pipe(
        ask(new URL(url, consoleUrl), { method: request.method, headers: request.headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        }),
      )
    else {
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-cache' })
      response.end(page)
    }
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

async function scriptToken(): Promise<string> {
  const response = await fetch(new URL('oidc/token', consoleUrl), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: scriptClientId('support'),
      client_secret: scriptClientSecret,
    }),
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

interface Side {
  readonly context: BrowserContext
  readonly page: Page
}

async function open(row: string, start: (page: Page) => Promise<unknown>): Promise<Side> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await watchFor(context, row)
  const page = await context.newPage()
  await start(page)
  await seenAt(page)
  return { context, page }
}

/** Bytes of the files of a kind that were asked for until the first row stood there, each compressed. */
async function weigh({ page }: Side, ending: string): Promise<number> {
  const seen = await seenAt(page)
  const addresses = await page.evaluate((until) => {
    const entries = performance.getEntriesByType('resource')
    return entries
      .filter(({ startTime }) => performance.timeOrigin + startTime < until)
      .map(({ name }) => name)
  }, seen)
  const files = await Promise.all(
    addresses
      .filter((address) => address.endsWith(ending))
      .map(async (address) => Buffer.from(await (await fetch(address)).arrayBuffer())),
  )
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0)
}

async function heapOf({ context, page }: Side): Promise<number> {
  await page.waitForLoadState('networkidle')
  const session = await context.newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

type Figure = [name: string, value: number]

function report(what: string, show: (value: number) => string, figures: readonly Figure[]): void {
  console.log(what)
  const peer = figures[0]?.[1] ?? Number.NaN
  for (const [name, value] of figures)
    console.log(`  ${name}: ${show(value)}${peer > 0 ? ` (${(value / peer).toFixed(2)})` : ''}`)
}

function inKb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
