import { expect, test } from 'vitest'

import { startTestService } from '../testing/service.ts'
import { fuzz, inWords } from './fuzzing.ts'

// Others each day, and 20,000 among the nights (vitest.config.ts).
const count = Number(process.env.FUZZ_COUNT ?? 2_000)
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Date.now() / 86_400_000))
const enoughForAll = 20_000

test(`${count} requests made from the description of the API (seed ${seed}) get answers that it has`, async () => {
  const service = await startTestService({ jobs: true })
  try {
    const { faults, idle } = await fuzz(service, { ...(await service.listen()), count, seed })
    expect(faults.map(inWords)).toEqual([])
    if (count < enoughForAll) return
    // An invitation is taken up with the secret of its link, which nothing answers by itself. Chance hardly ever names a
    // change that can still be made back: users are deleted too often, and their changes with them. Nor does it name a user
    // with a sensitive property of the key that it checks.
    const byChance = new Set(['revertChangeset', 'checkValue'])
    expect(idle.filter((operation) => !byChance.has(operation))).toEqual(['acceptInvitation'])
  } finally {
    await service.close()
  }
}, 900_000)
