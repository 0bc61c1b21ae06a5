// Benchmarks how soon the first row is on screen for each way of opening the page, and lists the requests made on the
// way with their times. Needs a running service with a built console and sample data (npm start); a browser is found or
// installed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { inMs, launchProfile, median, signIn } from './browser.ts'
import { inTurn, type Opened, ourPlaces, rounds, visit, ways } from './ways.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'data-store-profile-'))
const browser = await launchProfile(folder)
try {
  const places = ourPlaces('')
  const { page, list } = await visit(browser, places, (page) => signIn(page))
  const first = await page.locator(places.list.element).first().getAttribute('href')
  const visitor = { page, list, user: ourPlaces(first?.split('/').at(-1) ?? '').user }

  console.log(`Median of ${rounds} rounds; the lines below are of the last one, milliseconds from its start.`)
  for (const way of ways) {
    const [opened = []] = await inTurn(way, [visitor])
    const [seen, painted] = [
      median(opened.map((each) => each.seen)),
      median(opened.map((each) => each.painted)),
    ]
    console.log(`${way.name}: first row after ${inMs(seen)}, first paint after ${inMs(painted)}`)
    const last = opened.at(-1)
    if (last) for (const line of linesOf(last)) console.log(`  ${line}`)
  }
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}

/**
 * Returns one line for each document and each API response, and one line per type for scripts, styles and other
 * resources.
 */
function linesOf({ start, requests }: Opened): string[] {
  const lines = requests.flatMap((request) => {
    const { startTime, responseEnd } = request.timing()
    // The request was aborted when the page navigated to the identity provider.
    if (responseEnd < 0) return []
    const asked = startTime - start
    const { pathname } = new URL(request.url())
    const type = request.resourceType()
    const name = type === 'document' || type === 'fetch' ? `${type} ${pathname}` : type
    return { name, asked, there: asked + responseEnd }
  })
  return Map.groupBy(lines, ({ name }) => name)
    .entries()
    .map(([name, group]) => {
      const asked = Math.min(...group.map((each) => each.asked))
      const there = Math.max(...group.map((each) => each.there))
      return `${Math.round(asked)} to ${Math.round(there)}: ${name}${group.length > 1 ? ` (${group.length})` : ''}`
    })
    .toArray()
}
