// `npm run test:e2e` finds or installs a browser, builds the console if its sources have changed, and runs the
// journeys.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'

import { seeConsoleBuilt } from '../server/build-console.ts'
import { fastestFolder } from '../server/testing/folder.ts'
import { browserPath, headlessShellPath } from './browser.ts'

const browser = browserPath()
const isWatched = process.argv.some((option) => ['--headed', '--debug', '--ui'].includes(option))
const journeysBrowser = (isWatched ? undefined : headlessShellPath()) ?? browser
console.log(`Browser: ${journeysBrowser}`)
await seeConsoleBuilt()
// The folder is deleted at the end; it is in memory if possible, for speed.
const folder = mkdtempSync(path.join(fastestFolder(), 'data-store-e2e-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
run('node', ['node_modules/@playwright/test/cli.js', 'test', ...process.argv.slice(2)], {
  CHROMIUM_PATH: journeysBrowser,
  WHOLE_CHROMIUM_PATH: browser,
  E2E_FOLDER: folder,
})

function run(command: string, args: string[], environment: Record<string, string> = {}): void {
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    cwd: path.join(import.meta.dirname, '..'),
    env: { ...process.env, ...environment },
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
