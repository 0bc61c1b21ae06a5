import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = mkdtempSync(path.join(tmpdir(), 'data-store-start-'))

async function start(script: string, given: Record<string, string>) {
  const dataDir = path.join(root, 'data')
  const ended = await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, script)], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...given },
  }).catch((error: { code: number; stdout: string; stderr: string }) => error)
  expect(existsSync(dataDir)).toBe(false)
  rmSync(root, { recursive: true, force: true })
  return ended
}

test.each(['start.ts', 'main.ts'])(
  'a taken port ends %s before anything is built, made or filled',
  async (script) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    expect(await start(script, { PORT: String(port) })).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        `Data Store stopped: Another process has port ${port} of 127.0.0.1. ` +
        'Stop that process, or set PORT to another one. Nothing was changed.\n',
    })
    other.close()
  },
)

test('so does a taken port for the metrics', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port: own } = free.address() as AddressInfo
  free.close()
  expect(await start('main.ts', { PORT: String(own), METRICS_PORT: String(port) })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `has port ${port} of 127.0.0.1. Stop that process, or set METRICS_PORT to`,
    ),
  })
  other.close()
})

test('so does an address of another machine, and a faulty setting', async () => {
  expect(await start('start.ts', { HOST: '192.0.2.1', NODE_ENV: 'test' })).toMatchObject({
    code: 1,
    stdout: '',
  })
  const production = { OIDC_ISSUER: 'https://login.example.org', BASE_URL: 'https://store.example.org/api' }
  expect(await start('start.ts', { HOST: '192.0.2.1', ...production })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('192.0.2.1 is no address of this machine. Set HOST to one of its own'),
  })
})
