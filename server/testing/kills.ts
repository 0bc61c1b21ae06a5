// Kills a service process again and again while it works on a job.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'

import type { Job, JobState } from '#contract/index.ts'
import type { Database } from '../sealing/database.ts'
import type { KillableService } from './process.ts'

/** Number of kills in each state of a job. KILLS=50 runs more by hand and prints figures. */
export const kills = Number(process.env.KILLS ?? 3)

/** Milliseconds that a test may take which kills the service in so many states of a job. */
export const limitMs = (states: number) => states * (120_000 + kills * 20_000)

/** Prints a figure of a run by hand. */
export function tell(text: string): void {
  if (process.env.KILLS !== undefined) process.stderr.write(`${text}\n`)
}

/** Waits until a job that `read` reads has come to its end. */
export const waitForEnd = (read: () => Promise<Job>, end: JobState): Promise<Job> =>
  vi.waitFor(
    async () => {
      const now = await read()
      expect(now.state).toBe(end)
      return now
    },
    { timeout: 240_000, interval: 100 },
  )

/** Kills the service at random moments while it works on a job, and waits until the job has come to its end. */
export async function killWithin(service: KillableService, id: string, end: JobState): Promise<Job> {
  const read = async () => (await (await service.ask('GET', `/jobs/${id}`)).json()) as Job
  const begunMs = performance.now()
  let within = 0
  let last = 0
  let before = 0
  /** Time after a start within which a job that is ahead is killed: as long as it gets no further ahead on the whole. */
  let windowMs = 400
  for (let kill = 1; kill <= kills; kill++) {
    const { done, total, state } = await read()
    if (state === end) break
    // The last kill comes well before the end.
    const share = (0.8 * total) / kills
    if (done > share * kill) {
      windowMs *= done > before ? 0.5 : 1.1
      await sleep(Math.random() * windowMs)
    } else {
      await vi.waitFor(
        async () => expect((await read()).done).toBeGreaterThan(Math.max(done, share * (kill - 0.9))),
        { timeout: 60_000, interval: 5 },
      )
      // A fast job has ended 200 ms later, so the first kill comes at once.
      if (kill > 1) await sleep(Math.random() * 200)
    }
    before = done
    const now = await read()
    if (now.state !== end) [within, last] = [within + 1, now.done]
    await service.kill()
    await service.start()
  }
  expect(within).toBeGreaterThan(0)
  const job = await waitForEnd(read, end)
  const seconds = Math.round((performance.now() - begunMs) / 1000)
  tell(
    `${job.kind} until ${end}: killed ${within} times, the last time at ${last} of ${job.total}; ${seconds} s`,
  )
  return job
}

/** Returns how many changes no event tells of, and of how many several do. */
export async function countUntold({ sql: database }: Database): Promise<object | undefined> {
  const { rows } = await sql<object>`
    with told as (
      select properties ->> 'changeset' as id, count(*) as events from (
        select properties from events union all select properties from event_inbox
      ) as e where properties ? 'changeset' group by 1
    )
    select count(*) filter (where told.id is null)::int as untold, count(*) filter (where events > 1)::int as twice
    from changesets full join told on told.id = changesets.id::text`.execute(database)
  return rows[0]
}

/** Returns how many events of a type there are, and of how many users. */
export async function countEvents(
  { sql: database }: Database,
  type: string,
): Promise<{ events: number; users: number } | undefined> {
  const { rows } = await sql<{ events: number; users: number }>`
    select count(*)::int as events, count(distinct properties ->> 'user')::int as users from (
      select type, properties from events union all select type, properties from event_inbox
    ) as e where type = ${type}`.execute(database)
  return rows[0]
}
