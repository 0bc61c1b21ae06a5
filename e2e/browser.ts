import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

import { chromium } from '@playwright/test'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Where a browser is; one is installed where there is none. */
export function browserPath(): string {
  return findBrowser() ?? installBrowser()
}

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
  const cli = path.join(import.meta.dirname, '../node_modules/@playwright/test/cli.js')
  if (!succeeds('node', [cli, 'install', '--with-deps', 'chromium'])) {
    console.log('That did not work. Installing the package of the system: apt-get install chromium')
    succeeds('apt-get', ['update', '-qq'])
    succeeds('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'])
  }
  const found = findBrowser()
  if (!found) throw new Error('No browser could be installed. Install Chromium and set CHROMIUM_PATH to it.')
  return found
}

function succeeds(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit', timeout: 600_000 }).status === 0
}
