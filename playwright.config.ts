import { defineConfig } from '@playwright/test'

import { targets } from './e2e/targets.ts'

/** The built console, the service and the sign-in, in a real browser: nearly all with all additions, some once more with none. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // All services at once, and one journey at a time on each: what one changes, another would see.
  workers: targets.length,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  // For a machine that has other work: no wait ends within half a minute, and a journey is allowed several of them.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: './e2e/reporter.ts',
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      // Chromium's sandbox does not work for root, as which CI and containers run.
      chromiumSandbox: process.getuid?.() !== 0,
      args: ['--disable-background-networking', '--disable-component-update', '--no-first-run'],
    },
  },
  projects: targets.map(({ name, url, only = ['*.e2e.ts'], without = [] }) => ({
    name,
    workers: 1,
    testMatch: [...only],
    testIgnore: [...without],
    use: { baseURL: url },
  })),
  webServer: targets.flatMap(({ url, environment, behindProxy }) => {
    const server = {
      url: `${url}readyz`,
      reuseExistingServer: false,
      timeout: 240_000,
      stdout: 'ignore' as const,
      gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 60_000 },
    }
    const service = { ...server, command: 'node server/main.ts', env: environment }
    if (behindProxy === undefined) return [service]
    // Started one after the other, each when the one before is ready.
    const proxy = `node e2e/compressing-proxy.ts ${new URL(url).port} ${behindProxy}`
    return [
      { ...service, url: `http://localhost:${behindProxy}/readyz` },
      { ...server, command: proxy },
    ]
  }),
})
