// How soon the first row of the users list stands on the screen after a reload, and what is asked for when. Needs a
// running service with sample data (npm start) and Chromium (CHROMIUM_PATH).
import { chromium } from '@playwright/test'

import { accountPassword } from '#server/identity/accounts.ts'

const address = process.env.CONSOLE_URL ?? 'http://localhost:8080/'
const rounds = 5
const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-background-networking'],
})

const settings = [
  { name: 'as it is', cpu: 1, network: undefined },
  { name: '4× CPU slowdown, 1.6 Mbit/s, 150 ms', cpu: 4, network: { throughput: 200_000, latency: 150 } },
]
for (const { name, cpu, network } of settings) {
  const page = await browser.newPage()
  await page.goto(`${address}users`)
  await page.getByLabel('User name').fill('support')
  await page.getByLabel('Password').fill(accountPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const row = page.getByRole('table', { name: 'Users' }).getByRole('link').first()
  await row.waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  if (network)
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latency,
      downloadThroughput: network.throughput,
      uploadThroughput: network.throughput,
    })
  const times: number[] = []
  let order = ''
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await page.reload({ waitUntil: 'commit' })
    await row.waitFor()
    times.push(performance.now() - start)
    order = await page.evaluate(() => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const data = entries.find(({ name }) => name.includes('/api/users'))
      const chunk = entries.find(({ name }) => /\/UsersPage-[^/]+\.js/.test(name))
      const ms = (time: number | undefined) => `${Math.round(time ?? Number.NaN)} ms`
      return `page chunk asked ${ms(chunk?.startTime)}, there ${ms(chunk?.responseEnd)}; data asked ${ms(data?.startTime)}, there ${ms(data?.responseEnd)}`
    })
  }
  times.sort((a, b) => a - b)
  console.log(
    `${name}: first row after ${Math.round(times[Math.floor(rounds / 2)] ?? 0)} ms from reload (median of ${rounds})`,
  )
  console.log(`  last round, since the page that came back from the sign-in: ${order}`)
  await page.close()
}
await browser.close()
