// Starts a service with its own settings for a single journey.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'

import { fastestFolder } from '../server/testing/folder.ts'

export async function startOwnService(settings: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(path.join(fastestFolder(), 'data-store-e2e-own-'))
  const PORT = settings['PORT'] ?? String(await freePort())
  const service = spawn(process.execPath, ['server/main.ts'], {
    cwd: path.join(import.meta.dirname, '..'),
    stdio: 'pipe',
    env: {
      ...process.env,
      DATA_DIR: path.join(folder, 'data'),
      SAMPLE_DATA: '20',
      LOG_LEVEL: 'error',
      ...settings,
      PORT,
    },
  })
  let log = ''
  for (const stream of [service.stdout, service.stderr])
    stream.on('data', (chunk: Buffer) => (log += chunk.toString()))
  service.stderr.pipe(process.stderr)
  await ready(service)
  return {
    url: `http://localhost:${PORT}/`,
    /** Returns everything that the service has logged so far. */
    log: () => log,
    async close() {
      const ended = once(service, 'exit')
      service.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

export async function freePort(): Promise<number> {
  const socket = createServer()
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  await new Promise((resolve) => socket.close(resolve))
  return port
}

/** Resolves when the service reports that it is ready. */
async function ready(service: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    service.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)))
    service.stdout?.on('data', (line: Buffer) => {
      if (line.includes('Data Store is ready')) resolve()
    })
  })
}
