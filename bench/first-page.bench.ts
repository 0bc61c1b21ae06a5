// How soon the first row of the users list stands on the screen after a reload, and what is asked for when. Needs a
// running service with sample data (npm start) and Chromium (CHROMIUM_PATH).
import { apply, asItIs, inMs, launch, median, seenAt, signIn, slow, watchFor } from './browser.ts'

const rounds = 5
const browser = await launch()

for (const setting of [asItIs, slow]) {
  const context = await browser.newContext()
  await watchFor(context, 'table a[href*="/users/"]')
  const page = await context.newPage()
  await signIn(page)
  const session = await context.newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await apply(setting, session)
  const times: number[] = []
  let order = ''
  for (let round = 0; round < rounds; round++) {
    const start = performance.timeOrigin + performance.now()
    await page.reload({ waitUntil: 'commit' })
    times.push((await seenAt(page)) - start)
    order = await page.evaluate(() => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const data = entries.find(({ name }) => name.includes('/api/users'))
      const chunk = entries.find(({ name }) => /\/UsersPage-[^/]+\.js/.test(name))
      const ms = (time: number | undefined) => `${Math.round(time ?? Number.NaN)} ms`
      return `page chunk asked ${ms(chunk?.startTime)}, there ${ms(chunk?.responseEnd)}; data asked ${ms(data?.startTime)}, there ${ms(data?.responseEnd)}`
    })
  }
  console.log(
    `${setting.name}: first row after ${inMs(median(times))} from reload, without a cache (median of ${rounds})`,
  )
  console.log(`  last round, since the page that came back from the sign-in: ${order}`)
  await context.close()
}
await browser.close()
