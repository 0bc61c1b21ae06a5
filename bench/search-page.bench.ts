// Benchmarks the search on the users page, from a key press to the frame that shows the results. Each key waits for its
// own result, like a user who looks at the result after each letter. Needs a running service with many users (npm run
// load -- --users 200000, npm start); a browser is found or installed.
import type { Page } from 'playwright'

import type { User, UserList } from '#contract/index.ts'
import { apply, asItIs, inMs, launch, quantile, signIn } from './browser.ts'

/**
 * The console's debounce: it waits this long for another key before it searches
 * (src/features/users-list/SearchBox.tsx).
 */
const debounceMs = 120
const openings = 20

interface Watched {
  /** Milliseconds until the response of each search, including the network round trip. */
  answers: number[]
  /** Resolves with the milliseconds from the next key to the frame with its result. */
  result: Promise<number> | undefined
  dialog: Promise<number> | undefined
}

const browser = await launch()
for (const setting of [asItIs, { name: '4× CPU slowdown', cpu: 4 }]) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addInitScript(watchSearches)
  const page = await context.newPage()
  const list = page.waitForResponse((response) => response.url().endsWith('/api/users'))
  await signIn(page)
  const { total, users } = (await (await list).json()) as UserList
  if (setting === asItIs) console.log(`${(total ?? 0).toLocaleString('en')} users`)
  const session = await context.newCDPSession(page)
  await apply(setting, session)

  const box = page.getByRole('searchbox', { name: 'Find users' })
  const times: number[] = []
  for (const text of texts(users)) {
    await box.fill('')
    await page.getByRole('table', { name: 'Users' }).getByRole('row').nth(50).waitFor()
    await box.focus()
    for (const letter of text)
      // A space alone does not change the search, so there is no result to wait for.
      if (letter === ' ') await page.keyboard.press('Space')
      else times.push((await measure(page, 'result', letter)) - debounceMs)
  }
  console.log(
    `${setting.name}: key to result beyond the ${debounceMs} ms of waiting for the next key, ${times.length} keys: ` +
      `p50 ${inMs(quantile(times, 0.5))}, p95 ${inMs(quantile(times, 0.95))}, longest ${inMs(Math.max(...times))}`,
  )
  const answers = await page.evaluate(() => (globalThis as unknown as Watched).answers)
  console.log(
    `  of which the service: p50 ${inMs(quantile(answers, 0.5))}, p95 ${inMs(quantile(answers, 0.95))}`,
  )

  const opened: number[] = []
  for (let round = 0; round < openings; round++) {
    opened.push(await measure(page, 'dialog', 'Control+k'))
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  console.log(
    `${setting.name}: find anywhere, key to dialog, first ${inMs(opened[0] ?? 0)}, ` +
      `then p50 ${inMs(quantile(opened.slice(1), 0.5))}, p95 ${inMs(quantile(opened.slice(1), 0.95))}`,
  )
  await context.close()
}
await browser.close()

/** Returns search texts of each kind, about a hundred keys in total. */
function texts(users: readonly User[]): string[] {
  // Only names that the emulated keyboard can type.
  const typed = users.filter(({ name }) => /^[\w ]+$/.test(name ?? ''))
  const of = (index: number) => typed[index % typed.length]
  const name = (index: number) => of(index)?.name ?? ''
  return [
    name(1),
    name(2).toLowerCase(),
    name(3).split(' ').toReversed().join(' '),
    of(4)?.email?.slice(0, 12) ?? '',
    of(5)?.ref ?? '',
    of(6)?.id.slice(0, 13) ?? '',
    // A typing mistake: the second letter is missing.
    name(7).replace(/^(.)./, '$1'),
    'qzxvkw',
  ]
}

async function measure(page: Page, what: 'result' | 'dialog', key: string): Promise<number> {
  await page.evaluate((wanted) => {
    const watched = globalThis as unknown as Watched &
      Record<'watchResult' | 'watchDialog', () => Promise<number>>
    watched[wanted] = wanted === 'result' ? watched.watchResult() : watched.watchDialog()
  }, what)
  await page.keyboard.press(key)
  return page.evaluate((wanted) => (globalThis as unknown as Watched)[wanted] ?? Number.NaN, what)
}

/** Installs the timing observers. Runs in every page, before the page's own scripts. */
function watchSearches(): void {
  const answers: number[] = []
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const from = performance.now()
    const response = await fetch(input, init)
    const url = input instanceof Request ? input.url : String(input)
    if (url.endsWith('/users/search')) answers.push(performance.now() - from)
    return response
  }
  const nextKey = () =>
    new Promise<number>((resolve) => {
      addEventListener('keydown', ({ timeStamp }) => resolve(timeStamp), { once: true, capture: true })
    })
  /** Resolves with the time of the first frame after the condition holds. */
  const frameWith = (holds: () => boolean) =>
    new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!holds()) return
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
      })
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
    })
  const since = async (key: Promise<number>, frame: Promise<number>) => {
    const [from, to] = await Promise.all([key, frame])
    return to - from
  }
  Object.assign(globalThis, {
    answers,
    watchResult() {
      const before = answers.length
      // The list is marked busy, and dimmed, while it still shows the rows of the previous search.
      const shows = () => answers.length > before && document.querySelector('main [aria-busy=true]') === null
      return since(nextKey(), frameWith(shows))
    },
    watchDialog: () =>
      since(
        nextKey(),
        frameWith(() => document.querySelector('dialog[open]') !== null),
      ),
  })
}
