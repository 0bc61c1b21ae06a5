import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Returns the path of a browser; installs one if there is none. */
export function browserPath(): string {
  return findBrowser() ?? installBrowser()
}

function findBrowser(): string | undefined {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) {
    if (existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH names ${CHROMIUM_PATH}, which does not exist.`)
  }
  const own = chromium.executablePath()
  if (existsSync(own)) return own
  return onPath(names) ?? ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find(existsSync)
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(existsSync)
}

/**
 * Returns the path of Chromium's headless shell, which comes in a separate package and runs the journeys in three
 * quarters of the time. `undefined` if it is not installed, or if another browser was requested.
 */
export function headlessShellPath(): string | undefined {
  return process.env.CHROMIUM_PATH ? undefined : onPath(['chromium-headless-shell'])
}

/** Tries Playwright's own download first; if that cannot be reached, Debian's package. */
function installBrowser(): string {
  console.log('No Chromium found. Installing one: npx playwright install --with-deps chromium')
  const cli = path.join(import.meta.dirname, '../node_modules/playwright/cli.js')
  if (!succeeds('node', [cli, 'install', '--with-deps', 'chromium'])) {
    console.log('That did not work. Installing the package of the system: apt-get install chromium')
    succeeds('apt-get', ['update', '-qq'])
    for (const name of ['chromium', 'chromium-headless-shell'])
      succeeds('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name])
  }
  const found = findBrowser()
  if (!found) throw new Error('No browser could be installed. Install Chromium and set CHROMIUM_PATH to it.')
  return found
}

function succeeds(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit', timeout: 600_000 }).status === 0
}
