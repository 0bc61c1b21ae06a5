import type { Logger } from 'pino'

import { jobDays } from '#contract/index.ts'
import type { Database } from '../sealing/database.ts'
import { Worker } from '../store/worker.ts'
import { emptyHolders } from './erased.ts'
import { dropOldFiles } from './files.ts'
import { dropReasonsOfDeleted } from './reasons.ts'
import { dropJobsOfNobody, dropOldJob } from './storage.ts'

const tidyEveryMs = 3_600_000
/** Pause while the disk is full, or after a failure. */
const tidyAgainMs = 60_000

/** Deletes jobs and their files whose time is over, and what jobs still hold of deleted users. */
export class JobTidying {
  readonly #worker: Worker

  constructor(database: Database, log?: Logger) {
    this.#worker = new Worker({
      step: () => tidyJobs(database),
      recoverMs: tidyAgainMs,
      tell: (error) => {
        const { name, code } = error as { name?: unknown; code?: unknown }
        log?.error({ name, code }, 'old jobs cannot be taken away')
      },
    })
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
  }
}

async function tidyJobs(database: Database): Promise<number> {
  // The store is read-only while the disk is full.
  if (database.isReadOnly()) return tidyAgainMs
  const { sql } = database
  if (await dropOldJob(sql, jobDays)) return 0
  await dropJobsOfNobody(sql)
  await dropOldFiles(sql)
  await dropReasonsOfDeleted(database)
  await emptyHolders(database)
  return tidyEveryMs
}
