// Shared by the console benchmarks: a browser, a signed-in page, and settings that emulate a slow machine and a slow
// network.
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright'

import { accountPassword } from '#server/identity/accounts.ts'
import { browserPath } from '../e2e/browser.ts'

/** Address of the console served by a running service (npm start). */
export const consoleUrl = process.env.CONSOLE_URL ?? 'http://localhost:8080/'

export interface Setting {
  readonly name: string
  /** CPU slowdown factor. */
  readonly cpu: number
  /** Throughput in bytes per second, for both directions, and round-trip latency in milliseconds. */
  readonly network?: { readonly throughput: number; readonly latency: number }
}

export const asItIs: Setting = { name: 'as it is', cpu: 1 }
export const slow: Setting = {
  name: '4× CPU slowdown, 1.6 Mbit/s, 150 ms',
  cpu: 4,
  network: { throughput: 200_000, latency: 150 },
}

const options = () => ({
  executablePath: browserPath(),
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-background-networking'],
})

export function launch(): Promise<Browser> {
  return chromium.launch(options())
}

/**
 * Launches a browser with a profile on disk, as a real user has. A context without one does not cache compiled scripts
 * for the next tab.
 */
export function launchProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { ...options(), viewport: { width: 1280, height: 800 } })
}

/** Opens the users page, signs in as support and waits for the list. */
export async function signIn(page: Page, url = consoleUrl): Promise<void> {
  await page.goto(`${url}users`)
  await page.getByLabel('User name').fill('support')
  await page.getByLabel('Password').fill(accountPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('table', { name: 'Users' }).getByRole('link').first().waitFor()
}

export async function apply({ cpu, network }: Setting, session: CDPSession): Promise<void> {
  await session.send('Network.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: network?.latency ?? 0,
    downloadThroughput: network?.throughput ?? -1,
    uploadThroughput: network?.throughput ?? -1,
  })
}

/** Returns the quantile: the value below which `part` (0 to 1) of the values lie. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export const inMs = (time: number) => `${Math.round(time).toLocaleString('en')} ms`
