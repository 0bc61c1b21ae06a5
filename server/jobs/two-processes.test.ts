// Kills two service processes in turn, which share a PostgreSQL, while they import a file and undo that.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'

import type { Job, JobState } from '#contract/index.ts'
import { targetOf } from '../testing/imports.ts'
import { findDifferences, readKept } from '../testing/kept.ts'
import { countEvents, countUntold, kills, limitMs, tell, waitForEnd } from '../testing/kills.ts'
import { serviceProcesses } from '../testing/process.ts'

const rows = Math.max(4000, kills * 1500)

test(
  `two processes that are killed in turn, ${kills} times each state, import each row once and put each back once`,
  async () => {
    const processes = await serviceProcesses()
    onTestFinished(() => processes.close())
    const lives = [await processes.start(), await processes.start()]
    const ask = (method: string, address: string, body?: object) =>
      processes.ask(lives[0]?.port ?? 0, method, address, body)
    const before = await processes.inStore(readKept)
    const lines = Array.from({ length: rows }, (_, n) => `Ana ${n},ana.${n}@example.org,+49 30 ${n}\n`)
    const { headers } = await ask('POST', '/imports', Buffer.from(`Name,Mail,Phone\n${lines.join('')}`))
    const id = headers.get('location')?.split('/').at(-1) ?? ''
    const columns = ['.name', '.email', 'phone'].map((name) => targetOf(name))
    await ask('PUT', `/imports/${id}/mapping`, { columns })

    /** Kills the process that works on the job or the other one, and has the one that is left go on. */
    const killInTurn = async (end: JobState): Promise<Job> => {
      const read = async () => (await (await ask('GET', `/jobs/${id}`)).json()) as Job
      let within = 0
      for (let kill = 1; kill <= kills; kill++) {
        const share = rows / (kills + 1)
        await vi.waitFor(async () => expect((await read()).done).toBeGreaterThan(share * (kill - 0.9)), {
          timeout: 60_000,
          interval: 10,
        })
        await sleep(Math.random() * 300)
        if ((await read()).state !== end) within += 1
        const [first] = lives.splice(0, 1)
        await first?.kill()
        lives.push(await processes.start())
      }
      const job = await waitForEnd(read, end)
      tell(`two processes until ${end}: ${within} of ${kills} kills within`)
      return job
    }

    await ask('POST', `/imports/${id}/check`, {})
    expect((await killInTurn('finished')).outcomes).toEqual({ created: rows })
    await ask('POST', `/jobs/${id}/apply`)
    expect((await killInTurn('finished')).outcomes).toEqual({ created: rows })
    const once = { events: rows, users: rows }
    await processes.inStore(async (database) => {
      expect(await countUntold(database)).toEqual({ untold: 0, twice: 0 })
      expect(await countEvents(database, 'USER_CREATED')).toEqual(once)
    })
    await ask('POST', `/jobs/${id}/undo`)
    expect((await killInTurn('undone')).undone).toEqual({ undone: rows })
    await processes.inStore(async (database) => {
      expect(findDifferences(before, await readKept(database))).toEqual([])
      expect(await countEvents(database, 'USER_DELETED')).toEqual(once)
    })
  },
  limitMs(4),
)
