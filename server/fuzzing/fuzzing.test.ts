import { expect, test } from 'vitest'

import { startTestService } from '../testing/service.ts'
import { fuzz, inWords } from './fuzzing.ts'

// A different seed each day; the nightly tests send 20,000 requests with a fixed seed (vitest.config.ts).
const count = Number(process.env.FUZZ_COUNT ?? 2_000)
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Date.now() / 86_400_000))
const enoughForAll = 20_000

test(`${count} requests made from the description of the API (seed ${seed}) get answers that it has`, async () => {
  const service = await startTestService({ jobs: true })
  try {
    const { faults, idle } = await fuzz(service, { ...(await service.listen()), count, seed })
    expect(faults.map(inWords)).toEqual([])
    if (count < enoughForAll) return
    // Accepting an invitation needs the token in its link, which these tests do not take from answers. Random requests
    // hardly ever make an export, whose members have to fit together, delete as many users as they say, or revert a
    // change that can still be reverted (users are often deleted with their changes), or check or reveal a key under
    // which the user has a sensitive property.
    const byChance = new Set([
      'createExport',
      'getJobFile',
      'deleteUsers',
      'revertChangeset',
      'checkValue',
      'revealProperties',
      'revealChanges',
    ])
    expect(idle.filter((operation) => !byChance.has(operation))).toEqual(['acceptInvitation'])
  } finally {
    await service.close()
  }
}, 900_000)
