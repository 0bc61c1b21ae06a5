// The ways to come to a page of an application in a browser, and how long each takes until there is something to read.
import type { BrowserContext, Page, Request } from '@playwright/test'

import { apply, asItIs, consoleUrl, type Setting, slow } from './browser.ts'

/** An address, and what a person waits for there. */
export interface Place {
  readonly address: string
  readonly element: string
}

/** Somebody who works with an application: a tab in which its users list is open, and the page of a user. */
export interface Visitor {
  page: Page
  readonly list: Place
  readonly user: Place
}

export interface Opened {
  /** Milliseconds since 1970; the others are milliseconds from then on. */
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
  /** Goal for the first paint, which shows the frame, in milliseconds. */
  readonly frameGoalMs?: number
  /** At most this part of what react-admin takes. */
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
/** Unmeasured, with a filled cache: a browser keeps a script as it is compiled from the third time on. */
const roundsAhead = 3

/** All visitors in turn, round by round. */
export async function inTurn(way: Way, visitors: readonly Visitor[]): Promise<Opened[][]> {
  const each = visitors.map((): Opened[] => [])
  for (let round = way.cache === 'filled' ? -roundsAhead : 0; round < rounds; round++)
    for (const [index, visitor] of visitors.entries()) {
      const opened = await way.open(visitor, way)
      if (round >= 0) each[index]?.push(opened)
    }
  return each
}

/** The users list of a console with a row of it, and a user with an entity. */
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

/** A tab of its own, beside the one that is open. */
function inNewTab(place: 'list' | 'user'): Way['open'] {
  return async (visitor, way) => {
    const page = await visitor.page.context().newPage()
    const opened = await openPlace(page, visitor[place], way)
    await page.close()
    return opened
  }
}

/** The provider knows the person; the console has nothing in this browser, neither a tab nor anything kept. */
async function firstVisit(visitor: Visitor, way: Way): Promise<Opened> {
  const { page: before, list } = visitor
  await before.evaluate(() => localStorage.clear())
  visitor.page = await before.context().newPage()
  await before.close()
  return openPlace(visitor.page, list, way)
}

async function openPlace(page: Page, { address, element }: Place, way: Way): Promise<Opened> {
  await watchFor(page, element)
  return open(page, way, () => page.goto(address, { waitUntil: 'commit' }))
}

async function open(page: Page, { setting, cache }: Way, go: () => Promise<unknown>): Promise<Opened> {
  const context = page.context()
  // Let the prefetches of the round before finish first.
  for (const each of context.pages()) await each.waitForLoadState('networkidle')
  // A tab behind another is not painted.
  await page.bringToFront()
  // This tab alone is slowed down: the browser does so by keeping a core busy, also for a tab that rests.
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
 * Notes in every document of the page when an element that matches is first on screen: the frame after it came into the
 * document. Read with `seenAt`.
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

/** Milliseconds since 1970, as `Date.now()` has them, with fractions. */
export async function seenAt(page: Page): Promise<number> {
  const seen = await page.locator('html[data-seen-at]').getAttribute('data-seen-at', { timeout: 60_000 })
  return Number(seen)
}

/** When the document that is open now first had something on screen; since 1970. */
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
