// `npm run test:postgresql`: the service's tests once more, on a PostgreSQL made for them and thrown away afterwards.
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const port = 54_331
const folder = mkdtempSync(path.join(tmpdir(), 'data-store-pg-'))
chmodSync(folder, 0o777)
const data = path.join(folder, 'data')
// PostgreSQL refuses to run as root; Debian's package brings a user of its own.
const user = process.getuid?.() === 0 ? 'postgres' : undefined

try {
  server(
    'initdb',
    '--pgdata',
    data,
    '--username',
    'postgres',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--no-sync',
  )
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200`
  server(
    'pg_ctl',
    '--pgdata',
    data,
    '--log',
    path.join(folder, 'log'),
    '--wait',
    '--options',
    settings,
    'start',
  )
  try {
    run('node', ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', ...process.argv.slice(2)], {
      env: { ...process.env, TEST_DATABASE_URL: `postgresql://postgres@127.0.0.1:${port}/postgres` },
    })
  } finally {
    server('pg_ctl', '--pgdata', data, '--mode', 'fast', '--wait', 'stop')
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function server(program: string, ...args: string[]): void {
  const file = path.join(binaries(), program)
  // The server keeps running: with a pipe for its output this would wait for it.
  const quiet: SpawnSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder }
  if (user) run('setpriv', ['--reuid', user, '--regid', user, '--init-groups', file, ...args], quiet)
  else run(file, args, quiet)
}

function binaries(): string {
  const root = '/usr/lib/postgresql'
  const newest = readdirSync(root).sort((a, b) => Number(b) - Number(a))[0]
  if (!newest) throw new Error(`There is no PostgreSQL in ${root}: install it (apt-get install postgresql).`)
  return path.join(root, newest, 'bin')
}

function run(command: string, args: string[], options: SpawnSyncOptions): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options })
  if (error) throw error
  if (status !== 0) throw new Error(`${path.basename(command)} ended with ${status}`)
}
