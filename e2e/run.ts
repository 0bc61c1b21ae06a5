// `npm run test:e2e`: finds or installs a browser, builds the console, runs the journeys.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

import { chromium } from '@playwright/test'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const browser = findBrowser() ?? installBrowser()
console.log(`Browser: ${browser}`)
run('node', ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'])
run('node', ['node_modules/@playwright/test/cli.js', 'test', ...process.argv.slice(2)], {
  CHROMIUM_PATH: browser,
})

function findBrowser(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH) {
    if (existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH names ${CHROMIUM_PATH}, which does not exist.`)
  }
  const own = chromium.executablePath()
  if (existsSync(own)) return own
  const places = PATH.split(path.delimiter).flatMap((folder) => names.map((name) => path.join(folder, name)))
  return [...places, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find((file) =>
    existsSync(file),
  )
}

/** Playwright's own download first; where that is out of reach, Debian's package. */
function installBrowser(): string {
  console.log('No Chromium found. Installing one: npx playwright install --with-deps chromium')
  const cli = ['node_modules/@playwright/test/cli.js', 'install', '--with-deps', 'chromium']
  const own = spawnSync('node', cli, { stdio: 'inherit', timeout: 300_000 })
  if (own.status !== 0) {
    console.log('That did not work. Installing the package of the system: apt-get install chromium')
    run('apt-get', ['update', '-qq'])
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'])
  }
  const found = findBrowser()
  if (!found) throw new Error('No browser could be installed. Install Chromium and set CHROMIUM_PATH to it.')
  return found
}

function run(command: string, args: string[], environment: Record<string, string> = {}): void {
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    cwd: path.join(import.meta.dirname, '..'),
    env: { ...process.env, ...environment },
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
