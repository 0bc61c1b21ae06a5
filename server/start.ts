// `npm start`: builds the console, then runs the service in this same process. The script begins with `exec`, so that
// npm's signals reach it and not a shell in between, which keeps them; where there is no `exec` (Windows), the second
// half of the script runs instead.
import { spawnSync } from 'node:child_process'
import { gzipSync, brotliCompressSync, constants } from 'node:zlib'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { fail, settingsToStartWith } from './starting.ts'

const folder = path.join(import.meta.dirname, '..', 'dist')

await settingsToStartWith(process.env).catch(fail)
if (!process.argv.includes('--dev')) {
  console.log('Building the console …')
  // In a process of its own: Vite sets NODE_ENV to production, which here would forbid the development sign-in.
  const vite = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']
  const { status } = spawnSync(process.execPath, vite, { cwd: path.dirname(folder), stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  compress()
}
await import('./main.ts')

/** Compressed once here, instead of on every request: the files never change under their name. */
function compress(): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|svg|json)$/.test(name)) continue
    const file = path.join(folder, name)
    const content = readFileSync(file)
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    )
  }
}
