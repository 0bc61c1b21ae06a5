// Benchmarks how soon the users list and a user's page are on screen, compared with a react-admin app over the same
// service in the same browser, printed as table rows. The react-admin app is given its token; this console signs in.
// Installs react-admin into a temporary folder. Needs a running service with a built console and sample data (npm
// start); a browser is found or installed. BESIDE_URL: address of another build of this console, such as an older one,
// to measure in the same rounds. That build gets its own browser profile, because sign-ins on one host would share
// their cookies.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request as ask, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { BrowserContext } from 'playwright'

import type { UserList } from '#contract/index.ts'
import { scriptClientId, scriptClientSecret } from '#server/identity/accounts.ts'
import { consoleUrl, inMs, launchProfile, median, signIn, slow } from './browser.ts'
import { buildReactAdmin } from './react-admin-app.ts'
import { inTurn, type Opened, ourPlaces, rounds, seenAt, visit, type Visitor, ways } from './ways.ts'

/** Largest acceptable ratio to the console at BESIDE_URL; a slower row counts as missed. */
const latest = 1.05

const folder = mkdtempSync(path.join(tmpdir(), 'data-store-react-admin-'))
const besideUrl = process.env.BESIDE_URL
const browser = await launchProfile(path.join(folder, 'profile'))
const another = besideUrl === undefined ? undefined : await launchProfile(path.join(folder, 'another'))
const servers: Server[] = []
try {
  const version = buildReactAdmin(folder)
  const token = await scriptToken(consoleUrl)
  const peerUrl = await serve(path.join(folder, 'dist'), token)
  const userId = await firstUser(consoleUrl, token)
  const peer = await visit(browser, {
    list: { address: `${peerUrl}#/users`, element: 'td.column-name' },
    user: { address: `${peerUrl}#/users/${userId}/show`, element: 'td.column-type' },
  })
  const ours = await visit(browser, ourPlaces(userId), (page) => signIn(page))

  const beside = another && besideUrl !== undefined ? [await visitBeside(another, besideUrl)] : []

  const sides = [peer, ours, ...beside]
  const isBeside = beside.length > 0
  console.log(`Slow line: ${slow.name}. Median of ${rounds} rounds in turn.\n`)
  const others = isBeside ? ['the one beside', 'of that'] : []
  row('first row', `react-admin ${version}`, 'this console', 'of react-admin', 'goal', ...others)
  row('---', '---', '---', '---', '---', ...others.map(() => '---'))
  for (const way of ways) {
    const opened = await inTurn(way, sides)
    const medians = (of: (each: Opened) => number) => opened.map((each) => median(each.map(of)))
    const { name, goal, frameGoalMs } = way
    compare(
      name,
      inMs,
      medians(({ seen }) => seen),
      { part: goal },
    )
    if (frameGoalMs !== undefined)
      compare(
        'first paint of the same: the frame',
        inMs,
        medians(({ painted }) => painted),
        { most: frameGoalMs },
      )
  }
  const both = (weighed: (visitor: Visitor) => Promise<number>) => Promise.all(sides.map(weighed))
  compare('scripts until the first row, gzip', inKb, await both((visitor) => weigh(visitor, '.js')))
  compare('styles until the first row, gzip', inKb, await both((visitor) => weigh(visitor, '.css')))
  compare('JavaScript heap with 50 rows, after a collection', inKb, await both(heapOf))
} finally {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
  await browser.close()
  await another?.close()
  rmSync(folder, { recursive: true })
}

async function visitBeside(context: BrowserContext, url: string): Promise<Visitor> {
  const userId = await firstUser(url, await scriptToken(url))
  return visit(context, ourPlaces(userId, url), (page) => signIn(page, url))
}

interface Goal {
  /** Maximum, as a share of react-admin's result. */
  readonly part?: number | undefined
  /** Maximum as an absolute value. */
  readonly most?: number
}

function compare(
  what: string,
  show: (value: number) => string,
  [peer = Number.NaN, ours = Number.NaN, beside]: readonly number[],
  { part, most }: Goal = {},
): void {
  const [time, ratio] = [show(ours), (ours / peer).toFixed(2)]
  const others =
    beside === undefined ? [] : [show(beside), judged((ours / beside).toFixed(2), ours <= beside * latest)]
  if (part !== undefined)
    row(what, show(peer), time, judged(ratio, ours / peer <= part), `≤ ${part}`, ...others)
  else if (most !== undefined)
    row(what, show(peer), judged(time, ours <= most), ratio, `≤ ${show(most)}`, ...others)
  else row(what, show(peer), time, peer > 0 ? ratio : '', '', ...others)
}

function judged(value: string, isKept: boolean): string {
  return isKept ? value : `**${value}, missed**`
}

function row(...cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

/**
 * Serves a built app as the service serves the console: scripts and styles precompressed and cached indefinitely, the
 * page checked again on each load, and the API on the same origin.
 */
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
    } else if (url.startsWith('/api/'))
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

async function scriptToken(url: string): Promise<string> {
  const response = await fetch(new URL('oidc/token', url), {
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

/** Returns the id of the list's first user, whose page the benchmark opens. */
async function firstUser(url: string, token: string): Promise<string> {
  const response = await fetch(new URL('api/users', url), {
    headers: { authorization: `Bearer ${token}` },
  })
  const { users } = (await response.json()) as UserList
  return users[0]?.id ?? ''
}

/**
 * Returns the total compressed size, in bytes, of the files with this ending that were requested before the first row
 * was on screen.
 */
async function weigh({ page }: Visitor, ending: string): Promise<number> {
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

async function heapOf({ page }: Visitor): Promise<number> {
  await page.waitForLoadState('networkidle')
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

function inKb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
