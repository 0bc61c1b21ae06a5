// Kills a service process while it receives, checks, imports and undoes files.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { ImportView } from '#contract/import.ts'
import type { Job } from '#contract/index.ts'
import type { Database } from '../sealing/database.ts'
import { storeFile, targetOf } from '../testing/imports.ts'
import { findDifferences, readKept } from '../testing/kept.ts'
import { countEvents, countUntold, kills, killWithin, limitMs, tell } from '../testing/kills.ts'
import { type KillableService, killableService } from '../testing/process.ts'
import { openEntities } from '../testing/service.ts'
import { dropOne } from './tidying.ts'

/** Rows of the file; ROWS=20000 with KILLS=50. */
const rows = Number(process.env.ROWS ?? 4000)
/** Users whom the file changes; it creates the others. */
const known = rows / 2

let service: KillableService
beforeAll(async () => {
  service = await killableService()
})
afterAll(async () => {
  await service.close()
})

const act = (job: string, what: 'apply' | 'undo') => service.ask('POST', `/jobs/${job}/${what}`)
const check = (job: string) => service.ask('POST', `/imports/${job}/check`, {})
async function waitFor(job: string): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(await (await service.ask('GET', `/jobs/${job}`)).json()).toMatchObject({ state: 'finished' }),
    { timeout: 240_000, interval: 100 },
  )
}

const file = { role: 'admin', actor: 'test', existing: 'overwrite', empty: 'clear' } as const
const emailOf = (n: number) => `ana.${n}@example.org`

/** Creates the users whom the file changes, with values that it overwrites, clears and leaves alone. */
async function addKnown(): Promise<void> {
  const iban = targetOf('iban', 'TEXT', { sensitive: true })
  const columns = ['.email', '.name', '.ref', 'phone', 'city'].map((name) => targetOf(name))
  const before = Array.from({ length: known }, (_, n) => [
    emailOf(n),
    `Åse ${n}`,
    n % 2 === 0 ? `A-${n}` : '',
    `+49 30 ${n}`,
    'Bonn',
    // The others get their first sealed value by the import.
    n % 3 === 0 ? `DE${n}` : '',
  ])
  const job = await service.inStore((database) =>
    storeFile(database, { ...file, columns: [...columns, iban], rows: before }),
  )
  await service.start()
  await check(job)
  await waitFor(job)
  await act(job, 'apply')
  await waitFor(job)
}

const names = ['.email', '.name', '.ref', 'phone', 'car.plate'] as const
const wanted = Array.from({ length: rows }, (_, n) => [
  emailOf(n),
  `Zoë ${n}`,
  n % 4 === 0 ? '' : `Z-${n}`,
  n % 5 === 0 ? '' : `+39 6 ${n}`,
  n % 7 === 0 ? '' : `B-XY ${n}`,
  `FR${n}`,
])

/** Returns the rows of a file that would say what is stored. */
async function readRows(database: Database): Promise<string[][]> {
  const { rows: users } = await sql<{ id: string; email: string; name: string; ref: string | null }>`
    select id, email, name, ref from users`.execute(database.sql)
  const values = new Map<string, unknown>()
  for (const { user, type, properties } of await openEntities(database))
    for (const [key, { value }] of Object.entries(properties)) {
      const place = `${user} ${type} ${key}`
      expect(values.has(place)).toBe(false)
      values.set(place, value)
    }
  const found = users.map(({ id, email, name, ref }) => {
    const valueOf = (place: string) => (values.get(`${id} ${place}`) ?? '') as string
    return [email, name, ref ?? '', valueOf('person phone'), valueOf('car plate'), valueOf('person iban')]
  })
  const placeOf = ([email = '']: readonly string[]) => Number(/\d+/.exec(email)?.[0])
  return found.toSorted((a, b) => placeOf(a) - placeOf(b))
}

const countChanges = async ({ sql: database }: Database) =>
  (await sql<{ changes: number }>`select count(*)::int as changes from changesets`.execute(database)).rows[0]
    ?.changes ?? 0

/** Changes that the import makes of a user: the fields, the person, and the car where the row has a plate. */
const changesOf = (some: readonly string[][]) =>
  some.reduce((sum, [, , , , plate]) => sum + (plate === '' ? 2 : 3), 0)

test(
  `through ${kills} kills each, a check, an import and its undo do every row once`,
  async () => {
    await addKnown()
    const columns = [...names.map((name) => targetOf(name)), targetOf('iban', 'TEXT', { sensitive: true })]
    const [job, before, begun] = await service.inStore(async (database) => [
      await storeFile(database, { ...file, columns, rows: wanted }),
      await readKept(database),
      await countChanges(database),
    ])
    const outcomes = { changed: known, created: rows - known }
    const told = { untold: 0, twice: 0 }
    await service.start()
    await check(job)
    expect((await killWithin(service, job, 'finished')).outcomes).toEqual(outcomes)
    await service.inStore(async (database) => {
      expect(findDifferences(before, await readKept(database))).toEqual([])
      expect(await countChanges(database)).toBe(begun)
    })

    await service.start()
    await act(job, 'apply')
    expect((await killWithin(service, job, 'finished')).outcomes).toEqual(outcomes)
    await service.inStore(async (database) => {
      expect(await readRows(database)).toEqual(wanted)
      expect(await countChanges(database)).toBe(begun + changesOf(wanted))
      expect(await countUntold(database)).toEqual(told)
      expect(await countEvents(database, 'USER_CREATED')).toEqual({ events: rows, users: rows })
    })

    await service.start()
    await act(job, 'undo')
    expect((await killWithin(service, job, 'undone')).undone).toEqual({ undone: rows })
    await service.inStore(async (database) => {
      expect(findDifferences(before, await readKept(database))).toEqual([])
      expect(await countChanges(database)).toBe(begun + 2 * changesOf(wanted.slice(0, known)))
      expect(await countUntold(database)).toEqual(told)
      const deleted = rows - known
      expect(await countEvents(database, 'USER_DELETED')).toEqual({ events: deleted, users: deleted })
    })
  },
  limitMs(4),
)

test(
  `through ${kills} kills while it arrives, a file is there as a whole or not at all`,
  async () => {
    const lines = 40_000
    const csv = Buffer.from(
      `Name,Ref\n${Array.from({ length: lines }, (_, n) => `Rosa ${n},K-${n}\n`).join('')}`,
    )
    const send = async () => {
      const { headers } = await service.ask('POST', '/imports', csv)
      return headers.get('location')?.split('/').at(-1) ?? ''
    }
    const list = async () => (await (await service.ask('GET', '/jobs')).json()) as Job[]
    const chunks = async ({ sql: database }: Database) =>
      (
        await sql<{ job: string | null; chunks: number }>`
          select imports.job_id as job, count(import_chunks.at)::int as chunks
          from imports left join import_chunks on import_chunks.job_id = imports.id
          group by imports.id`.execute(database)
      ).rows

    await service.inStore(({ sql: database }) => sql`delete from jobs`.execute(database))
    await service.start()
    const begunMs = performance.now()
    const received = [await send()]
    const tookMs = performance.now() - begunMs
    let broken = 0
    for (let kill = 1; kill <= kills; kill++) {
      const sending = send().then(
        (job) => received.push(job),
        () => (broken += 1),
      )
      await sleep(Math.random() * tookMs)
      await service.kill()
      await sending
      await service.start()
    }
    const jobs = await list()
    for (const job of jobs) expect(job).toMatchObject({ state: 'ready', done: 0, total: lines })
    expect(jobs.map(({ id }) => id)).toEqual(expect.arrayContaining(received))
    for (const { id } of jobs) {
      const view = (await (await service.ask('GET', `/imports/${id}`)).json()) as ImportView
      expect(view.found.rows).toBe(lines)
    }
    received.push(await send())
    const unfinished = await service.inStore(async (database) => {
      const all = await chunks(database)
      await sql`update imports set begun = begun - interval '41 min'`.execute(database.sql)
      while (await dropOne(database));
      const left = await chunks(database)
      expect(left.every(({ job, chunks: count }) => job !== null && count === lines / 500)).toBe(true)
      expect(left).toHaveLength(jobs.length + 1)
      return all.length - left.length
    })
    const late = jobs.length + 1 - received.length
    tell(
      `uploading: killed ${kills} times; ${broken} broken off, of which ${unfinished} left rows and ${late} were there`,
    )
  },
  limitMs(1),
)
