// `npm run test:last-release`: runs the service tests of the last release on tables migrated to the current schema,
// because processes of two releases run side by side during a rollout.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { openStore } from '../store/store.ts'
import { urlOf } from './postgresql.ts'
import { endInOrder, runTests } from './run.ts'
import { runOrThrow, TestPostgres } from './test-postgresql.ts'

const root = path.join(import.meta.dirname, '../..')

/**
 * Tests of the last release that cannot run here: those of migrations, which start from the tables of their own release,
 * and one of 0.2.0 that fails on the days for which the sample has more attempts than a list holds.
 */
const leftOut = /^server\/(store\/migrat|demo\/sample-webhooks\.test\.ts$)/
/**
 * One more of 0.2.0, which ends the span of a recovery at its own clock: the event that it has just caused is missing
 * wherever the clock of PostgreSQL is ahead.
 */
const leftOutTest = 'does not send tests again, nor what others are for'
const printLine = (line: string) => process.stdout.write(`${line}\n`)

const release = lastRelease()
// The diff reveals untracked migrations too, because each one adds a line to a tracked file.
const migrations = ['server/store/migrations', ':!*.test.ts']
if (git('diff', '--quiet', release, '--', ...migrations).status === 0)
  printLine(`No migration since the last release, ${release.slice(0, 7)}: there is nothing to test.`)
else {
  endInOrder()
  const folder = mkdtempSync(path.join(tmpdir(), 'data-store-release-'))
  try {
    await testRelease(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function testRelease(folder: string): Promise<void> {
  const archive = path.join(folder, 'release.tar')
  readGit('archive', '--output', archive, release)
  runOrThrow(['tar', '--extract', '--file', archive], { cwd: folder })
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    version: string
  }
  printLine(`The tests of ${version} (${release.slice(0, 7)}) on the tables of today`)
  if (packagesOf(folder) === packagesOf(root))
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  else {
    printLine('The packages have changed since: its own are installed for it.')
    runOrThrow(['npm', 'install', '--no-audit', '--no-fund'], { cwd: folder })
  }
  // Release 0.2.0 keeps its test helpers in `server/` itself.
  const helpers = ['server/testing/database-tests.ts', 'server/testing-files.ts'].map((file) =>
    path.join(folder, file),
  )
  const { filesWithTestDatabase } = (await import(
    pathToFileURL(helpers.find((file) => existsSync(file)) ?? '').href
  )) as {
    filesWithTestDatabase: () => string[]
  }
  const given = process.argv.slice(2)
  const files = given.length > 0 ? given : filesWithTestDatabase().filter((file) => !leftOut.test(file))
  const postgres = await TestPostgres.make({ programs: 'debian' })
  try {
    // The tests of 0.2.0 copy their databases from this one.
    const databaseUrl = urlOf(postgres.url, 'template1')
    await (await openStore({ databaseUrl }, () => Promise.resolve())).store.close()
    const env = { ...process.env, TEST_DATABASE_URL: postgres.url }
    // Tests of a published release cannot be fixed any more. A flaky one passes on a retry; one broken by the current
    // schema fails every time.
    const names = ['--testNamePattern', `^(?!.*${leftOutTest})`]
    await runTests([...files, '--retry=2', ...names], { cwd: folder, env })
    printLine(`Processes of ${version} are replaced by those of today`)
    await runTests(['server/replacing.test.ts'], {
      project: 'nights',
      cwd: root,
      env: { ...env, LAST_RELEASE: folder },
    })
  } finally {
    await postgres.remove()
  }
}

/** Returns the commit that set the package's version. This also works in a clone without tags. */
function lastRelease(): string {
  if (readGit('rev-parse', '--is-shallow-repository') !== 'false')
    throw new Error('This clone lacks the history, and with it the last release: git fetch --unshallow.')
  return readGit('log', '-1', '--format=%H', '-G', '^  "version": ', '--', 'package.json')
}

function packagesOf(folder: string): string {
  const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>
  }
  const { '': _own, ...others } = lock.packages
  return JSON.stringify(others)
}

function git(...args: string[]) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 24 })
}

function readGit(...args: string[]): string {
  const { status, stdout, stderr } = git(...args)
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}
