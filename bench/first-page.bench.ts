// How soon the first row of the users list stands on the screen after a reload, and what is asked for when. Needs a
// running service with sample data (npm start); a browser is found or installed.
import { asItIs, inMs, launch, median, ourRow, signIn, slow, timeOfReload, watchFor } from './browser.ts'

const rounds = 5
const browser = await launch()
const context = await browser.newContext()
await watchFor(context, ourRow)
const page = await context.newPage()
await signIn(page)

for (const setting of [asItIs, slow])
  for (const cache of ['empty', 'filled'] as const) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await timeOfReload(page, setting, cache))
    const order = await page.evaluate(() => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const data = entries.find(({ name }) => name.includes('/api/users'))
      const chunk = entries.find(({ name }) => /\/UsersPage-[^/]+\.js/.test(name))
      const ms = (time: number | undefined) => `${Math.round(time ?? Number.NaN)} ms`
      return `page chunk asked ${ms(chunk?.startTime)}, there ${ms(chunk?.responseEnd)}; data asked ${ms(data?.startTime)}, there ${ms(data?.responseEnd)}`
    })
    console.log(
      `${setting.name}, cache ${cache}: first row after ${inMs(median(times))} from reload (median of ${rounds})`,
    )
    console.log(`  last round, since the page that came back from the sign-in: ${order}`)
  }
await browser.close()
