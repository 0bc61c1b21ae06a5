// Benchmarks an event log of 5,000,000 entries: how many requests it takes to find its end on a service that only
// supports counting up (`offset`), and how much a page costs depending on its position. Then measures the list in the
// browser with 100,000 rows: frame times while scrolling, and the heap. The first part fills an empty store named by
// DATABASE_URL or DATA_DIR (EVENTS=5000000). The second needs a running service (npm start) and serves generated events
// in place of the service; a browser is found or installed.
import { sql } from 'kysely'

import type { Event } from '#contract/index.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { findEnd } from '#src/domain/queries/log-end.ts'
import { application, percentile } from './application.ts'
import { consoleUrl, launch, quantile, signIn } from './browser.ts'

const wanted = Number(process.env.EVENTS ?? 5_000_000)
const rowsWanted = Number(process.env.ROWS ?? 100_000)
const rounds = 60
const scrollMs = 10_000
/** Scroll speed of repeated flicks of the mouse wheel: 75 rows a second. */
const pxPerFrame = 45

if (process.env.ONLY !== 'browser') await measureService()
if (process.env.ONLY !== 'service') await measureBrowser()

async function measureService() {
  const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
  const database = await openDatabase(config.store, config.keys, { statementLimitMs: 3_600_000 })
  const { app, request } = await application(database, config)
  await app.ready()
  const count = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from events`.execute(database.sql)).rows[0]?.n ?? 0
  if ((await count()) < wanted) await fill()
  const length = await count()
  console.log(`${database.engine}, ${length.toLocaleString('en')} events`)

  let requests = 0
  const read = (offset: number) => {
    requests += 1
    return request<Event[]>('GET', `/events?offset=${offset}`)
  }
  const measureWork = async <Result>(what: string, work: () => Promise<Result>) => {
    requests = 0
    const started = performance.now()
    const result = await work()
    console.log(`  ${what}: ${requests} requests, ${Math.round(performance.now() - started)} ms`)
    return result
  }
  const newest = (end: { count: number }) => read(Math.max(0, end.count - 100))
  const end = await measureWork('the newest page, nothing known', async () => {
    const found = await findEnd(read)
    await newest(found)
    return found
  })
  await measureWork('the newest page, on the next visit', async () => newest(await findEnd(read, end)))

  const places = { start: 0, end: Math.floor(length * 0.98) }
  const times: Record<keyof typeof places, number[]> = { start: [], end: [] }
  for (let round = -5; round < rounds; round++)
    for (const place of ['start', 'end'] as const) {
      const started = performance.now()
      await read(places[place])
      if (round >= 0) times[place].push(performance.now() - started)
    }
  const p50 = (place: keyof typeof places) => percentile(times[place], 0.5)
  console.log(
    `  GET /events at ${places.start}: p50 ${p50('start').toFixed(2)} ms; at ${places.end.toLocaleString('en')}: ` +
      `p50 ${p50('end').toFixed(2)} ms (${(p50('end') / p50('start')).toFixed(2)} times)`,
  )
  await app.close()
  await database.close()

  async function fill() {
    const part = 100_000
    for (let from = await count(); from < wanted; from += part) {
      await sql`
        insert into event_inbox (id, eventtime, type, properties)
        select gen_random_uuid(), timestamp '2024-01-01' + n * interval '10 seconds', 'DIRECT_DATA_CHANGE',
          jsonb_build_object('user', gen_random_uuid(), 'entity', gen_random_uuid(), 'changeset', gen_random_uuid())
        from generate_series(${from}::bigint, ${from + part - 1}::bigint) n`.execute(database.sql)
      await request('GET', '/events')
    }
    await sql`analyze events`.execute(database.sql)
  }
}

/**
 * Measures the list in the browser. Generated events stand in for the service, which the list reads page by page with
 * `offset`.
 */
async function measureBrowser() {
  const browser = await launch()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(answerForService, 2 * rowsWanted)
  await signIn(page)
  await page.goto(`${consoleUrl}events`)
  await page.getByRole('table', { name: 'Events' }).getByRole('row').nth(10).waitFor()
  const session = await context.newCDPSession(page)
  const heapMb = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 2 ** 20
  }
  const before = await heapMb()
  const pages = await page.evaluate(readToTheEnd, rowsWanted)
  const after = await heapMb()
  console.log(
    `Browser, ${rowsWanted.toLocaleString('en')} rows: heap ${after.toFixed(1)} MB, ${before.toFixed(1)} MB with 100`,
  )
  for (const [name, ms] of [
    ['first', pages.slice(0, 100)],
    ['last', pages.slice(-100)],
  ] as const)
    console.log(
      `  the ${name} hundred pages, from the scroll to their rows: p50 ${quantile(ms, 0.5).toFixed(1)} ms, ` +
        `p95 ${quantile(ms, 0.95).toFixed(1)} ms`,
    )
  for (const direction of [-1, 1]) {
    const frames = await page.evaluate(scroll, { direction, ms: scrollMs, px: pxPerFrame })
    const length = frames.reduce((sum, ms) => sum + ms, 0)
    console.log(
      `  scrolling ${direction < 0 ? 'up' : 'down'}: ${((frames.length / length) * 1000).toFixed(1)} frames/s, ` +
        `p95 ${quantile(frames, 0.95).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms`,
    )
  }
  console.log(`  heap afterwards ${(await heapMb()).toFixed(1)} MB`)
  await browser.close()
}

/**
 * Runs in the page. Returns, for each page of older rows, the milliseconds from scrolling to the end until the rows
 * are rendered.
 */
async function readToTheEnd(rows: number): Promise<number[]> {
  const scroller = document.querySelector('table[aria-label="Events"]')?.parentElement as HTMLElement
  const table = scroller.querySelector('table') as HTMLElement
  const loaded = () => Number(table.getAttribute('aria-rowcount'))
  const pages: number[] = []
  while (loaded() < rows) {
    const before = loaded()
    const isLonger = new Promise<void>((resolve) => {
      const changes = new MutationObserver(() => {
        if (loaded() === before) return
        changes.disconnect()
        resolve()
      })
      changes.observe(table, { attributeFilter: ['aria-rowcount'] })
    })
    const started = performance.now()
    scroller.scrollTop = scroller.scrollHeight
    await isLonger
    pages.push(performance.now() - started)
    // The frame that shows the rows completes their rendering, so wait for it.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  }
  return pages
}

/** Runs in the page. Returns the durations of its frames while the list scrolls. */
function scroll({ direction, ms, px }: { direction: number; ms: number; px: number }): Promise<number[]> {
  const scroller = document.querySelector('table[aria-label="Events"]')?.parentElement as HTMLElement
  scroller.scrollTop = scroller.scrollHeight / 2
  return new Promise((resolve) => {
    const frames: number[] = []
    let last: number | undefined
    let end: number | undefined
    const step = (now: number) => {
      end ??= now + ms
      if (last !== undefined) frames.push(now - last)
      last = now
      scroller.scrollBy(0, direction * px)
      if (now < end) requestAnimationFrame(step)
      else resolve(frames)
    }
    requestAnimationFrame(step)
  })
}

/**
 * Runs in the page. Replaces `fetch` with a service that only supports `offset` and resolves the users and changesets
 * named by its events, without network latency.
 */
function answerForService(length: number) {
  const fetch = window.fetch.bind(window)
  const named = async (body: BodyInit | null | undefined, details: object) => {
    const { ids } = (await new Response(body).json()) as { readonly ids: readonly string[] }
    return Response.json(ids.map((id) => Object.assign({ id }, details)))
  }
  const features = { 'users.lookup': 1, 'changesets.lookup': 1 }
  const change = (key: string) => ({ op: 'change', key, type: 'TEXT', sensitive: key === 'phone' })
  const eventAt = (n: number) => {
    const id = (kind: number) =>
      `01900000-${String(kind).padStart(4, '0')}-7000-8000-${String(n).padStart(12, '0')}`
    const ms = Date.UTC(2024, 0, 1) + n * 10_000
    return {
      id: id(0),
      eventtime: new Date(ms).toISOString(),
      type: n % 5 === 0 ? 'USER_UPDATED' : 'DIRECT_DATA_CHANGE',
      properties: { user: id(1), changeset: id(2), ...(n % 5 !== 0 && { entity: id(3) }) },
      delivered: true,
      deliveredtime: new Date(ms + 500).toISOString(),
    }
  }
  window.fetch = (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, location.href)
    if (pathname.endsWith('/api/capabilities')) return Promise.resolve(Response.json({ features }))
    if (pathname.endsWith('/api/users/lookup')) return named(init?.body, { name: 'Somebody Somewhere' })
    if (pathname.endsWith('/api/changesets/lookup'))
      return named(init?.body, {
        op: 'change',
        entityType: 'person',
        reason: 'A reason as people write them',
        total: 3,
        changes: ['city', 'phone', 'street'].map(change),
      })
    if (!pathname.endsWith('/api/events')) return fetch(input, init)
    const offset = Number(searchParams.get('offset'))
    const rows = Math.max(0, Math.min(100, length - offset))
    return Promise.resolve(Response.json(Array.from({ length: rows }, (_, index) => eventAt(offset + index))))
  }
}
