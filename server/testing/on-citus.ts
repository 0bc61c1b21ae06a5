// `npm run test:citus`: repeats the service tests that need a database, on a temporary Citus with a coordinator and two
// workers. CITUS names the program that creates it: `start FOLDER WORKERS` prints the coordinator's address,
// `database FOLDER NAME` the address of another database, `stop FOLDER` stops everything.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'

import { openStore } from '../store/store.ts'
import { filesWithTestDatabase } from './database-tests.ts'
import { fastestFolder } from './folder.ts'
import { endInOrder, runTests } from './run.ts'
import { runOrThrow } from './test-postgresql.ts'

const { CITUS: program = '' } = process.env
if (program === '')
  throw new Error('CITUS: name a program that starts a Citus, as server/testing/on-citus.ts says.')

endInOrder()
const parent = mkdtempSync(path.join(fastestFolder(), 'data-store-citus-'))
// The servers run as another user, who must be able to enter the folder.
chmodSync(parent, 0o755)
// A pool of one: Citus keeps one connection to each machine. A second one, for another part of a statement, would be
// closed after it, and connecting takes longer than most statements.
const citusSettings = [
  'fsync = off',
  'full_page_writes = off',
  'synchronous_commit = off',
  "citus.node_conninfo = 'sslmode=disable'",
  'citus.max_adaptive_executor_pool_size = 1',
]
const folder = path.join(parent, 'cluster')
const cluster = (...command: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${command.join(' ')} ended with ${status}:\n${stderr}`)
  return stdout.trim().split('\n').at(-1) ?? ''
}
try {
  // The output of the program is not piped: the servers it starts keep it open, so its end would never come.
  runOrThrow([program, 'start', folder, '2'], { stdio: ['ignore', 'ignore', 'inherit'] })
  cluster('database', folder, 'template_of_machines')
  const template = cluster('database', folder, 'template_of_tests')
  const { store } = await openStore({ databaseUrl: template }, () => Promise.resolve())
  const { rows } = await store.pool.query<{ url: string }>(
    `select format('postgres://postgres@%s:%s/postgres', nodename, nodeport) as url from pg_dist_node order by groupid`,
  )
  await store.close()
  const nodes = rows.map(({ url }) => url)
  for (const node of nodes) await speedUp(node)
  const files = process.argv.slice(2)
  await runTests(files.length > 0 ? files : filesWithTestDatabase(), {
    env: { ...process.env, TEST_DATABASE_URL: nodes[0], TEST_DATABASE_NODES: nodes.join(' ') },
  })
} finally {
  runOrThrow([program, 'stop', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  rmSync(parent, { recursive: true, force: true })
}

/**
 * Makes test databases fast: a template without connections is quick to copy, and the data need not survive a crash of
 * the machine.
 */
async function speedUp(node: string): Promise<void> {
  const client = new pg.Client({ connectionString: node })
  await client.connect()
  for (const setting of citusSettings) await client.query(`alter system set ${setting}`)
  await client.query('select pg_reload_conf()')
  for (const template of ['template_of_machines', 'template_of_tests']) {
    await client.query(`alter database ${template} with allow_connections false`)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      template,
    ])
  }
  await client.end()
}
