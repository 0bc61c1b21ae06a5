// `npm run test:e2e`: finds or installs a browser, builds the console, runs the journeys.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

import { browserPath } from './browser.ts'

const browser = browserPath()
console.log(`Browser: ${browser}`)
run('node', ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'])
run('node', ['node_modules/@playwright/test/cli.js', 'test', ...process.argv.slice(2)], {
  CHROMIUM_PATH: browser,
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
