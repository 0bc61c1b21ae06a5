// Benchmarks editing on an entity with 500 properties, in the place of a value and in the editor of the whole entity:
// opening time, latency of keys and of other interactions, and memory growth. Creates its own user and deletes it. Needs
// a running service (npm start); a browser is found or installed.
import type { CDPSession } from 'playwright'

import { accountPassword } from '#server/identity/accounts.ts'
import { apply, asItIs, consoleUrl, inMs, launch, median, quantile } from './browser.ts'

const size = 500
const openings = 9
const keys = 60
const rounds = 100

const values = {
  TEXT: (n: number) => `What somebody wrote about number ${n}`,
  DATE: (n: number) => `20${String(n % 30).padStart(2, '0')}-0${1 + (n % 9)}-1${n % 10}`,
  TIME: (n: number) => `1${n % 10}:30`,
  DATETIME: (n: number) => `2025-0${1 + (n % 9)}-01T10:20:30.000Z`,
  BOOLEAN: (n: number) => n % 2 === 0,
  NUMBER: (n: number) => n * 1.5,
  DECIMAL: (n: number) => `${n}.250`,
  CURRENCY: (n: number) => ({ currency: 'EUR', value: `${n}.99` }),
  EMAIL: (n: number) => `number${n}@example.org`,
  URL: (n: number) => `https://example.org/${n}`,
  RELATIONSHIP: (_: number, user: string) => ({ user }),
  PREFERENCE: () => ({ status: 'GRANTED', statusDate: '2025-01-01T00:00:00.000Z' }),
}
const types = Object.keys(values) as (keyof typeof values)[]

/**
 * Returns the properties of the entity. One in ten is sensitive; the first one and one in the middle are of type TEXT,
 * for typing.
 */
const propertiesOf = (user: string) =>
  Array.from({ length: size }, (_, n) => {
    const type = types[n % types.length] ?? 'TEXT'
    return { key: `key_${n}`, type, sensitive: n % 10 === 7, value: values[type](n, user) }
  })
const middle = Math.floor(size / 2 / types.length) * types.length

/** Accessible name of a control of the property with this number, by its key or its label. */
const named = (before: string, index: number, behind = '') =>
  new RegExp(`^${before}key[ _]${index}${behind}$`, 'i')
const valueOf = (index: number) => named('value of ', index)

interface Watched {
  /**
   * Resolves with the milliseconds from the next click to the frame that shows the form (`shown`), and to the end of
   * the last long task (`interactive`).
   */
  opened: Promise<{ shown: number; interactive: number }>
  keys: number[]
  interactions: Record<number, { name: string; duration: number }>
}

const browser = await launch()
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
await context.addInitScript(watch)
const page = await context.newPage()
const session = await context.newCDPSession(page)
// Thread ticks count only the main thread's own time, so other load on the machine does not distort the result.
await session.send('Performance.enable', { timeDomain: 'threadTicks' })

const asked = page.waitForRequest((request) => request.url().endsWith('/api/users'))
await page.goto(`${consoleUrl}users`)
await page.getByLabel('User name').fill('steward')
await page.getByLabel('Password').fill(accountPassword)
await page.getByRole('button', { name: 'Sign in', exact: true }).click()
const { authorization = '' } = await (await asked).allHeaders()
const user = await create('/users', { name: 'Benchmark of the editor' })
const properties = propertiesOf(user)
await create(`/users/${user}/entities`, { type: 'ledger', properties })

try {
  for (const setting of [asItIs, { name: '4× CPU slowdown', cpu: 4 }]) {
    console.log(`\n${setting.name}`)
    await page.goto(`${consoleUrl}users/${user}`)
    await page.getByRole('button', { name: `Show all ${size} properties`, exact: true }).click()
    await apply(setting, session)
    for (const index of [0, middle]) await measureTypingInPlace(index)
    await measureBareInput()
    await measureOpening()
    for (const index of [0, middle]) await measureTyping(index)
    await measureInteractions()
    await close()
  }
  await apply(asItIs, session)
  await measureMemory()
} finally {
  await fetch(`${consoleUrl}api/users/${user}`, { method: 'DELETE', headers: { authorization } })
  await browser.close()
}

async function measureOpening() {
  const opened: { shown: number; interactive: number }[] = []
  for (let round = 0; round < openings; round++) {
    if (round > 0) await close()
    await page.evaluate((last) => {
      const watched = globalThis as unknown as Watched & { watchOpening: (last: string) => Watched['opened'] }
      watched.opened = watched.watchOpening(last)
    }, `form[aria-label$="ledger" i] input`)
    await editLink().click()
    opened.push(await page.evaluate(() => (globalThis as unknown as Watched).opened))
  }
  const shown = opened.map((each) => each.shown)
  const interactive = opened.map((each) => each.interactive)
  console.log(
    `  open: shown after ${inMs(median(shown))}, interactive after ${inMs(median(interactive))}, ` +
      `longest ${inMs(Math.max(...interactive))} (${openings} times)`,
  )
}

/** Types into one value that was opened in its place, where all properties are shown. */
async function measureTypingInPlace(index: number) {
  await page.getByRole('button', { name: named('edit ', index) }).click()
  await page.getByLabel(valueOf(index)).focus()
  await typed(`key_${index} in its place`)
  await page.keyboard.press('Escape')
  await page.getByLabel(valueOf(index)).waitFor({ state: 'hidden' })
}

async function measureTyping(index: number) {
  // The editor may not have rendered the input of a row far outside the viewport yet.
  const text = form().getByText(named('', index))
  if (await text.isVisible()) await text.scrollIntoViewIfNeeded()
  await page.getByLabel(valueOf(index)).focus()
  await typed(`key_${index} in the editor`)
  await discard()
}

/** Measures the browser's own share of the typing latency: typing into an input outside the form, without listeners. */
async function measureBareInput() {
  await page.evaluate(() => {
    const input = document.createElement('input')
    input.ariaLabel = 'bare'
    document.querySelector('nav')?.append(input)
  })
  await page.getByLabel('bare', { exact: true }).focus()
  await typed('an input beside the form')
  await page.evaluate(() => document.querySelector('input[aria-label="bare"]')?.remove())
}

async function typed(where: string) {
  await page.keyboard.press('x')
  await settle()
  await page.evaluate(() => ((globalThis as unknown as Watched).keys = []))
  const before = await work(session)
  for (let n = 0; n < keys; n++) {
    await page.keyboard.press('abcdefghij'.charAt(n % 10))
    await page.waitForTimeout(60)
  }
  await settle()
  const now = await work(session)
  const times = await page.evaluate(() => (globalThis as unknown as Watched).keys)
  const per = (name: keyof typeof now) => `${((now[name] - before[name]) / keys).toFixed(1)} ms`
  console.log(
    `  typing in ${where}: key to frame p50 ${inMs(median(times))}, p95 ${inMs(quantile(times, 0.95))}, longest ` +
      `${inMs(Math.max(...times))}; work per key ${per('task')} (script ${per('script')}, style ${per('style')}, ` +
      `layout ${per('layout')})`,
  )
}

/** Measures each of the other interactions once, as INP does: from the press to the next frame. */
async function measureInteractions() {
  await page.evaluate(() => ((globalThis as unknown as Watched).interactions = {}))
  await page.getByLabel(valueOf(middle)).click()
  await page.keyboard.type('abc def', { delay: 80 })
  await form()
    .getByLabel(named('', middle + 1, ' is sensitive'))
    .press('Space')
  await form()
    .getByLabel(named('remove ', middle + 2))
    .click()
  await form()
    .getByRole('button', { name: named('keep ', middle + 2) })
    .click()
  await form().getByRole('button', { name: 'Add property', exact: true }).click()
  await page.keyboard.type('another', { delay: 80 })
  for (let n = 0; n < 10; n++) await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Review…' }).click()
  await page.getByRole('dialog').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await discard()
  await settle()
  const interactions = Object.values(
    await page.evaluate(() => (globalThis as unknown as Watched).interactions),
  )
  const worst = interactions.toSorted((a, b) => b.duration - a.duration)
  console.log(
    `  interactions: ${interactions.length}, INP ${inMs(worst[0]?.duration ?? Number.NaN)}; longest: ` +
      worst
        .slice(0, 4)
        .map(({ name, duration }) => `${name} ${inMs(duration)}`)
        .join(', '),
  )
}

/** Opens, edits, discards and closes the entity repeatedly, and samples the heap. */
async function measureMemory() {
  const taken: string[] = []
  for (let round = 1; round <= rounds; round++) {
    await editLink().click()
    await form().waitFor()
    // The page keeps its scroll position, which may be far from the first row.
    await page.evaluate(() => scrollTo(0, 0))
    await page.getByLabel(valueOf(0)).fill(`round ${round}`)
    await discard()
    await close()
    if (round % 25 === 0 || round === 5) {
      await session.send('HeapProfiler.collectGarbage')
      const { heap, nodes, listeners } = await work(session)
      taken.push(`after ${round} ${(heap / 2 ** 20).toFixed(1)} MB, ${nodes} nodes, ${listeners} listeners`)
    }
  }
  console.log(`\nopen, edit, close: ${taken.join('; ')}`)
}

function form() {
  return page.getByRole('form', { name: /ledger$/i })
}

function editLink() {
  return page.getByRole('link', { name: /^Edit .*ledger/i })
}

async function close() {
  await page.getByRole('link', { name: 'Close editor', exact: true }).click()
  await form().waitFor({ state: 'hidden' })
  await settle()
}

async function discard() {
  await page.getByRole('button', { name: 'Discard' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Discard/ })
    .click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** Resolves once the browser is idle. */
async function settle() {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

async function work(from: CDPSession) {
  const { metrics } = await from.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    task: of('TaskDuration') * 1000,
    script: of('ScriptDuration') * 1000,
    style: of('RecalcStyleDuration') * 1000,
    layout: of('LayoutDuration') * 1000,
    heap: of('JSHeapUsedSize'),
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
  }
}

async function create(path: string, body: unknown): Promise<string> {
  const response = await fetch(`${consoleUrl}api${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.headers.get('location')?.split('/').at(-1) ?? ''
}

/** Installs the timing observers. Runs in every page, before the page's own scripts. */
function watch(): void {
  const frame = () =>
    new Promise<number>((resolve) => {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    })
  const keys: number[] = []
  const interactions: Watched['interactions'] = {}
  const watched = Object.assign(globalThis, { keys, interactions })
  addEventListener(
    'keydown',
    ({ timeStamp }) => void frame().then((at) => watched.keys.push(at - timeStamp)),
    {
      capture: true,
    },
  )
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId, name, duration } = entry as PerformanceEventTiming
      const longest = watched.interactions[interactionId]?.duration ?? 0
      if (interactionId > 0 && duration > longest) {
        const { target } = entry as PerformanceEventTiming
        const label = target instanceof Element ? (target.ariaLabel ?? target.textContent.slice(0, 20)) : ''
        watched.interactions[interactionId] = { name: `${name} ${label}`, duration }
      }
    }
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  let lastLong = 0
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) lastLong = startTime + duration
  }).observe({ type: 'longtask' })
  Object.assign(globalThis, {
    async watchOpening(selector: string) {
      const pressed = await new Promise<number>((resolve) => {
        addEventListener('click', ({ timeStamp }) => resolve(timeStamp), { once: true, capture: true })
      })
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector(selector)) return
          observer.disconnect()
          resolve()
        })
        observer.observe(document, { subtree: true, childList: true })
      })
      const shown = await frame()
      // Long tasks after the first frame still block the page: watch for them for another second.
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return { shown: shown - pressed, interactive: Math.max(shown, lastLong) - pressed }
    },
  })
}
