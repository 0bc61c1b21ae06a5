// Runs in the thread that works on jobs, see job-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'

import { importWork } from './imports/import.ts'
import type { JobThreadData, JobThreadMessage } from './job-thread.ts'
import { Working } from './jobs/working.ts'
import { openLog } from './log.ts'
import { joinDatabase } from './sealing/database.ts'

const { place, settings, readOnly } = workerData as JobThreadData
const log = openLog(settings.logLevel)
const database = await joinDatabase(place, {
  failed: ({ name, code }: Error & { code?: unknown }) =>
    log.error({ name, code }, 'the store reports a problem'),
  isReadOnly: () => Atomics.load(readOnly, 0) === 1,
})
const { sensitiveReads } = settings
const working = new Working({ database, log, sensitiveReads, kinds: { import: importWork(database) } })

parentPort?.on('message', (message: JobThreadMessage) => {
  if (message === 'stop') void end()
  else database.keys.keyring.replace(message.masters)
})

async function end(): Promise<void> {
  await working.stop()
  await database.close()
  parentPort?.close()
}
