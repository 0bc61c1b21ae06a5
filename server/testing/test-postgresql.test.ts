import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { expect, test, vi } from 'vitest'

test('the PostgreSQL of a run is gone with its files when the run is killed', async () => {
  const file = pathToFileURL(path.join(import.meta.dirname, 'test-postgresql.ts')).href
  const script = `
    import { TestPostgres } from ${JSON.stringify(file)}
    const { url } = await TestPostgres.make()
    process.stdout.write(url)
    setInterval(() => {}, 60_000)`
  const run = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(run, 'exit')
  const [url] = (await once(run.stdout, 'data')) as [Buffer]
  const connectionString = url.toString()
  const client = new Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  )
  const [{ folder } = { folder: '' }] = rows
  expect(existsSync(folder)).toBe(true)
  const cut = once(client, 'error')

  run.kill('SIGKILL')
  await exited
  await cut
  await vi.waitFor(() => expect(existsSync(path.dirname(folder))).toBe(false))
})
