// `npm run bench [-- --record] [name …]` runs every *.bench.ts in this folder, or the named ones, one after the other.
// With `--record`, the output of each is stored in the generated part of README.md, with the machine and the commit it
// was measured at.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

import { keepFigures } from './figures.ts'

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { record: { type: 'boolean', default: false } },
})
const readme = path.join(import.meta.dirname, 'README.md')
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
  const place = `${new Date().toISOString().slice(0, 10)}, ${machine()}, at ${commit()}`
  const bench = spawn('node', [path.join(import.meta.dirname, file)], {
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  bench.stdout.pipe(process.stdout)
  const ended = new Promise<number | null>((resolve) => void bench.once('close', resolve))
  const said = await text(bench.stdout)
  const status = await ended
  if (status !== 0) process.exit(status ?? 1)
  if (values.record)
    writeFileSync(
      readme,
      keepFigures(readFileSync(readme, 'utf8'), file.replace('.bench.ts', ''), place, said),
    )
}

function machine(): string {
  const [cpu] = os.cpus()
  const gigabytes = Math.round(os.totalmem() / 2 ** 30)
  const load = os.loadavg()[0]?.toFixed(1) ?? '?'
  return `${os.availableParallelism()} cores of ${cpu?.model ?? 'an unknown processor'}, ${gigabytes} GiB, Node ${process.version.slice(1)}, load ${load} at the start`
}

function commit(): string {
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
  return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' with changes')
}
