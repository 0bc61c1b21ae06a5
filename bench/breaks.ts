// `npm run breaks [-- 017 receiver-query …] [--at REV] [--limit SECONDS] [--journeys]` reports which test finds each
// break (a fault that breaks.json puts in place of a text), and how long that takes. The search runs in a temporary copy of REV
// (default HEAD): first the tests in the folder of the broken file, then all tests that import the file, and finally,
// with --journeys, the e2e journeys. The first two steps run the likeliest tests first and take at most SECONDS (600)
// each. For each break, the first failing test is printed. At the end those tests, except journeys, run on the unbroken
// copy; a test that fails there as well does not count as a find.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

interface Break {
  readonly name: string
  /** Kind of the break, such as "forgotten scope", and after a colon what is broken. */
  readonly fault: string
  readonly file: string
  /** Text that is in the file once. */
  readonly search: string
  readonly replace: string
}

interface Failed {
  readonly file: string
  readonly title: string
}

interface Outcome extends Break {
  readonly seconds: number
  /** First test that fails; undefined if there is none. */
  found?: Failed
  note: string
}

const root = path.join(import.meta.dirname, '..')
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: 'string', default: 'HEAD' },
    limit: { type: 'string', default: '600' },
    journeys: { type: 'boolean', default: false },
  },
})

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-breaks-'))
const copy = path.join(folder, 'copy')
const config = 'breaks.config.ts'
const report = path.join(folder, 'report.json')
let running: ChildProcess | undefined

function removeCopy() {
  endRunning()
  spawnSync('git', ['worktree', 'remove', '--force', copy], { cwd: root })
  fs.rmSync(folder, { recursive: true, force: true })
}
process.on('exit', removeCopy)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

/**
 * Kills the running test process, and except on Windows its process group. Helper processes outside the group exit by
 * themselves once nothing uses them.
 */
function endRunning() {
  if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return
  process.kill(process.platform === 'win32' ? running.pid : -running.pid, 'SIGKILL')
}

function git(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.trim()}`)
  return stdout
}

function readBreaks(): Break[] {
  const all = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'breaks.json'), 'utf8')) as Break[]
  const chosen = all.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  if (chosen.length === 0) throw new Error(`There is no break named ${wanted.join(', ')}.`)
  return chosen
}

/** Returns the broken text of the file; undefined if the text to replace is not there exactly once. */
function breakText({ file, search, replace }: Break): string | undefined {
  const source = path.join(copy, file)
  const [before, after, ...others] = fs.existsSync(source)
    ? fs.readFileSync(source, 'utf8').split(search)
    : []
  return after === undefined || others.length > 0 ? undefined : `${before}${replace}${after}`
}

/** Returns the first test that fails; `undefined` if none fails, `null` if not all tests ran in time. */
async function failing(args: string[], broken: string, limit = Number(options.limit)) {
  fs.rmSync(report, { force: true })
  const vitest = ['node_modules/vitest/vitest.mjs', ...args, `--config=bench/${config}`]
  const reporters = ['--reporter=json', `--outputFile=${report}`, '--passWithNoTests']
  running = spawn('node', [...vitest, ...reporters], {
    cwd: copy,
    env: { ...process.env, BROKEN: broken, LIMIT: String(limit) },
    stdio: 'ignore',
    detached: process.platform !== 'win32',
  })
  const endsAtMs = performance.now() + limit * 1000
  // A test in an endless loop never handles the cancellation, so the process is killed 300 s after the limit.
  const timer = setTimeout(endRunning, (limit + 300) * 1000)
  const [status] = (await once(running, 'exit')) as [number | null]
  clearTimeout(timer)
  // A test that is still running when the time is up is reported as failed, so the report is ignored then.
  if (performance.now() >= endsAtMs) return null
  const [first] = failuresOf(report)
  if (first) return first
  return status === 0 ? undefined : { file: 'the whole run', title: 'ends with an error' }
}

function failuresOf(file: string): Failed[] {
  if (!fs.existsSync(file)) return []
  const { testResults } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    testResults: {
      name: string
      status: string
      message?: string
      assertionResults: { fullName: string; status: string }[]
    }[]
  }
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // A file whose tests did not start because another one failed is reported as failed too, but without a message.
    const other = status === 'failed' && message ? ['before its tests'] : []
    const titles = failed.length > 0 ? failed.map(({ fullName }) => fullName.trim()) : other
    return titles.map((title) => ({ file: path.relative(copy, name), title }))
  })
}

function testsBeside(file: string): string[] {
  const beside = path.dirname(file)
  const names = fs.readdirSync(path.join(copy, beside)).filter((name) => /\.test\.tsx?$/.test(name))
  return names.map((name) => `${beside}/${name}`)
}

function failingJourney(): Failed | undefined {
  const { status, stdout } = spawnSync('node', ['e2e/run.ts', '-x'], { cwd: copy, encoding: 'utf8' })
  if (status === 0) return undefined
  const [, file, title] = /^ *\d+\) \[[^\]]*\] › (\S+?):\d+:\d+ › (.+?)[ ─]*$/m.exec(stdout) ?? []
  return { file: file ?? 'the journeys', title: title ?? 'end with an error' }
}

async function look(broken: Break): Promise<Outcome> {
  git(copy, 'checkout', '--quiet', '.')
  const { file } = broken
  fs.writeFileSync(path.join(copy, file), breakText(broken) ?? '')
  const startedMs = performance.now()
  const text = JSON.stringify(broken)
  const beside = testsBeside(file)
  const others = beside.map((test) => `--exclude=${test}`)
  const near = beside.length > 0 ? await failing(['run', '--bail=1', ...beside], text) : undefined
  const far = near ? undefined : await failing(['related', file, '--run', '--bail=1', ...others], text)
  const note = near === null || far === null ? `(not all were run in ${options.limit} s each)` : ''
  let found = near ?? far ?? undefined
  if (!found && options.journeys) found = failingJourney()
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  return { ...broken, seconds, note, ...(found && { found }) }
}

git(root, 'worktree', 'add', '--quiet', '--detach', copy, options.at)
fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction')
fs.copyFileSync(path.join(import.meta.dirname, config), path.join(copy, 'bench', config))

const kindOf = ({ fault }: Break) => fault.split(':', 1)[0]
const said = ({ found, note }: Outcome) =>
  found ? `${found.file}: ${found.title}` : `**not found** ${note}`.trim()
const breaks = readBreaks()
const moved = breaks.filter((each) => breakText(each) === undefined)
const names = moved.map(({ name }) => name).join(', ')
if (names !== '')
  throw new Error(`The code of these has changed, so write what they replace again: ${names}.`)

const outcomes: Outcome[] = []
for (const broken of breaks) {
  const outcome = await look(broken)
  outcomes.push(outcome)
  console.log(`${outcome.name} (${kindOf(outcome)}, ${outcome.file}): ${said(outcome)}, ${outcome.seconds} s`)
}

git(copy, 'checkout', '--quiet', '.')
const finders = [...new Set(outcomes.flatMap(({ found }) => (found ? [found.file] : [])))]
const units = finders.filter((file) => /\.test\.tsx?$/.test(file))
if (units.length > 0) await failing(['run', ...units], '', 3600)
for (const { file, title } of failuresOf(report))
  for (const outcome of outcomes)
    if (outcome.found?.file === file && outcome.found.title === title) {
      delete outcome.found
      outcome.note = `(${file}: ${title} fails by itself)`
    }

console.log('\n| break | kind | file | found by | s |\n| --- | --- | --- | --- | --- |')
for (const outcome of outcomes)
  console.log(
    `| ${outcome.name} | ${kindOf(outcome)} | ${outcome.file} | ${said(outcome).replaceAll('|', '\\|')} | ${outcome.seconds} |`,
  )
const count = outcomes.filter(({ found }) => found).length
console.log(`\nOf ${outcomes.length} breaks ${count} are found, ${outcomes.length - count} are not.`)
