// Tests that the service ends within 20 seconds of SIGTERM, whatever is stuck.
import fs from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

import { addressOfRunning } from './store/engine/address.ts'
import { clusterOf, kill, pause, postmasterOf, processesIn, waitUntilGone } from './testing/embedded.ts'
import { type ServiceProcess, serviceProcesses } from './testing/process.ts'
import { TestPostgres } from './testing/test-postgresql.ts'

async function startService(settings: Record<string, string>, isEmbedded: boolean) {
  const processes = await serviceProcesses({ isEmbedded, settings })
  onTestFinished(() => processes.close())
  return { token: processes.token, life: await processes.start() }
}

async function startEmbedded() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-stop-'))
  fs.chmodSync(folder, 0o711)
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const service = await startService({ DATA_DIR: folder }, true)
  return { ...service, cluster: clusterOf(folder) }
}

async function expectEnd(life: ServiceProcess): Promise<void> {
  const beganMs = performance.now()
  await life.stop()
  expect(performance.now() - beganMs).toBeLessThan(20_500)
}

/** Begins a request that never ends by itself: its body does not arrive. */
function beginRequest({ port }: ServiceProcess, token: string): void {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(
    `POST /api/users HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  )
}

describe.runIf(process.platform === 'linux')(
  'a service ends within 20 seconds, and leaves nothing running',
  () => {
    it.each([
      ['the first process of its PostgreSQL is stopped', (cluster: string) => [postmasterOf(cluster)]],
      ['all processes of its PostgreSQL are stopped', processesIn],
    ])('when %s', async (_, find) => {
      const { life, token, cluster } = await startEmbedded()
      beginRequest(life, token)
      const victims = find(cluster)
      onTestFinished(() => victims.forEach(kill))
      victims.forEach(pause)
      await expectEnd(life)
      const left = processesIn(cluster).filter(
        (pid) => fs.readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n',
      )
      expect(left).toEqual([])
    })

    it('when the socket of its PostgreSQL is removed', async () => {
      const { life, cluster } = await startEmbedded()
      fs.rmSync(path.join(cluster, '.s.PGSQL.5432'))
      await expectEnd(life)
      await waitUntilGone(cluster)
    })

    it('when another program holds a lock that requests and background work wait for', async () => {
      const { life, token, cluster } = await startEmbedded()
      const client = new Client(addressOfRunning(cluster))
      client.on('error', () => {})
      await client.connect()
      await client.query('begin; lock table users, events, event_inbox, jobs in access exclusive mode')
      for (let count = 0; count < 20; count++)
        void fetch(`http://127.0.0.1:${life.port}/api/users`, {
          headers: { authorization: `Bearer ${token}` },
        }).catch(() => {})
      await expectEnd(life)
      await waitUntilGone(cluster)
    })
  },
)

describe.runIf(process.platform === 'linux')(
  'a service on a server of the operator ends within 20 seconds',
  () => {
    it('when that server hangs', async () => {
      const postgres = await TestPostgres.make()
      onTestFinished(async () => {
        postgres.goOn()
        await postgres.remove()
      })
      const settings = { DATABASE_URL: postgres.url, SHUTDOWN_DELAY: '0' }
      const { life, token } = await startService(settings, false)
      beginRequest(life, token)
      void fetch(`http://127.0.0.1:${life.port}/api/users`, {
        headers: { authorization: `Bearer ${token}` },
      }).catch(() => {})
      postgres.standStill()
      await expectEnd(life)
    })
  },
)
