// The ways to open a page of an application in a browser, and how long each takes until the first content is on screen.
import type { BrowserContext, Page, Request } from 'playwright'

import { apply, asItIs, consoleUrl, type Setting, slow } from './browser.ts'

/** An address, and the element that a user waits for there. */
export interface Destination {
  readonly address: string
  readonly element: string
}

/** A user of an application: their open tab with the users list, and the address of a user page. */
export interface Visitor {
  page: Page
  readonly list: Destination
  readonly user: Destination
}

export interface Opened {
  /** Start in milliseconds since 1970. The other times are relative to it. */
  readonly start: number
  readonly painted: number
  readonly seen: number
  readonly requests: readonly Request[]
}

export interface Way {
  readonly name: string
  readonly setting: Setting
  readonly cache: 'empty' | 'filled'
  readonly open: (visitor: Visitor, way: Way) => Promise<Opened>
  /** Goal for the first paint, which shows the frame of the console, in milliseconds. */
  readonly frameGoalMs?: number
  /** Goal as a share of react-admin's time. */
  readonly goal?: number
}

const filled = { setting: slow, cache: 'filled' } as const
const empty = { setting: slow, cache: 'empty' } as const

export const ways: readonly Way[] = [
  { name: 'reload, slow line, filled cache', ...filled, open: reload, frameGoalMs: 300, goal: 0.6 },
  { name: 'reload, slow line, empty cache', ...empty, open: reload },
  {
    name: 'first visit, signed in at the provider, slow line, empty cache',
    ...empty,
    open: firstVisit,
    goal: 0.8,
  },
  { name: 'reload, filled cache', ...filled, setting: asItIs, open: reload, goal: 0.7 },
  { name: 'reload, empty cache', ...empty, setting: asItIs, open: reload, goal: 0.8 },
  { name: 'new tab beside another, slow line, filled cache', ...filled, open: inNewTab('list'), goal: 0.6 },
  {
    name: 'page of a user by its address, slow line, filled cache',
    ...filled,
    open: inNewTab('user'),
    goal: 0.7,
  },
]

export const rounds = 7
/**
 * Warm-up rounds with a filled cache, not measured: browsers cache the compiled form of a script only from its third
 * load on.
 */
const roundsAhead = 3

/** Measures all visitors in turn, round by round. */
export async function inTurn(way: Way, visitors: readonly Visitor[]): Promise<Opened[][]> {
  const each = visitors.map((): Opened[] => [])
  for (let round = way.cache === 'filled' ? -roundsAhead : 0; round < rounds; round++)
    for (const [index, visitor] of visitors.entries()) {
      const opened = await way.open(visitor, way)
      if (round >= 0) each[index]?.push(opened)
    }
  return each
}

/** Returns the users list of a console, with the selector of a row, and a user page, with the selector of an entity. */
export function ourPlaces(userId: string, url = consoleUrl): Omit<Visitor, 'page'> {
  return {
    list: { address: `${url}users`, element: 'table a[href*="/users/"]' },
    user: { address: `${url}users/${userId}`, element: 'a[href*="/entities/"]:not([href$="/new"])' },
  }
}

export async function visit(
  context: BrowserContext,
  { list, user }: Omit<Visitor, 'page'>,
  start = (page: Page): Promise<unknown> => page.goto(list.address),
): Promise<Visitor> {
  const page = await context.newPage()
  await watchFor(page, list.element)
  await start(page)
  await seenAt(page)
  return { page, list, user }
}

function reload({ page }: Visitor, way: Way): Promise<Opened> {
  return open(page, way, () => page.reload({ waitUntil: 'commit' }))
}

/** Opens the page in a new tab, beside the one that is already open. */
function inNewTab(place: 'list' | 'user'): Way['open'] {
  return async (visitor, way) => {
    const page = await visitor.page.context().newPage()
    const opened = await openDestination(page, visitor[place], way)
    await page.close()
    return opened
  }
}

/**
 * Simulates a first visit: the identity provider knows the person, but the console has no open tab and no stored data
 * in this browser.
 */
async function firstVisit(visitor: Visitor, way: Way): Promise<Opened> {
  const { page: before, list } = visitor
  await before.evaluate(() => localStorage.clear())
  visitor.page = await before.context().newPage()
  await before.close()
  return openDestination(visitor.page, list, way)
}

async function openDestination(page: Page, { address, element }: Destination, way: Way): Promise<Opened> {
  await watchFor(page, element)
  return open(page, way, () => page.goto(address, { waitUntil: 'commit' }))
}

async function open(page: Page, { setting, cache }: Way, go: () => Promise<unknown>): Promise<Opened> {
  const context = page.context()
  // Wait until the prefetches of the previous round have finished.
  for (const each of context.pages()) await each.waitForLoadState('networkidle')
  // A background tab is not painted.
  await page.bringToFront()
  // Only this tab is throttled: the browser throttles by keeping a core busy, even for an idle tab.
  const session = await context.newCDPSession(page)
  if (cache === 'empty') await session.send('Network.clearBrowserCache')
  await apply(setting, session)
  const requests: Request[] = []
  const note = (request: Request) => requests.push(request)
  page.on('request', note)
  const start = performance.timeOrigin + performance.now()
  await go()
  const seen = (await seenAt(page)) - start
  page.off('request', note)
  const painted = (await paintedAt(page)) - start
  await apply(asItIs, session)
  await session.detach()
  return { start, painted, seen, requests }
}

/**
 * Records in every document of the page the time of the first frame after an element matching `selector` was added.
 * Read the time with `seenAt`.
 */
async function watchFor(page: Page, selector: string): Promise<void> {
  await page.addInitScript((wanted) => {
    const look = () => {
      if (!document.querySelector(wanted)) return
      observer.disconnect()
      requestAnimationFrame(() => {
        setTimeout(() => {
          document.documentElement.dataset.seenAt = String(performance.timeOrigin + performance.now())
        })
      })
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true })
  }, selector)
}

/** Returns the time recorded by `watchFor`, in milliseconds since 1970 like `Date.now()`, with fractions. */
export async function seenAt(page: Page): Promise<number> {
  const seen = await page.locator('html[data-seen-at]').getAttribute('data-seen-at', { timeout: 60_000 })
  return Number(seen)
}

/** Returns when the current document first painted something, in milliseconds since 1970. */
function paintedAt(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          for (const { name, startTime } of list.getEntries())
            if (name === 'first-contentful-paint') resolve(performance.timeOrigin + startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
}
