// `npm run bench`: every *.bench.ts of this folder, or those named on the command line, one after the other.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'

const wanted = process.argv.slice(2)
const files = readdirSync(import.meta.dirname).filter(
  (name) =>
    name.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((part) => name.startsWith(part))),
)
if (files.length === 0) {
  console.error(`There is no benchmark named ${wanted.join(', ')}.`)
  process.exit(1)
}
for (const file of files) {
  console.log(`\n# ${file}`)
  const { status } = spawnSync('node', [path.join(import.meta.dirname, file)], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
