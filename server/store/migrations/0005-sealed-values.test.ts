import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { readStoreKeys } from '../../sealing/data-keys.ts'
import { blindTerms } from '../../sealing/blind-index.ts'
import { openOperands } from '../../segments/sealed-operands.ts'
import { filtersById } from '../../segments/storage.ts'
import { openedContents, startTestService, type TestService } from '../../testing.ts'
import { migrations } from './provider.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const idOf = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const time = '2024-03-01 12:00:00.12'

// More than one batch of users; each third one has something sensitive, and one has it in the history alone.
const users = Array.from({ length: 1100 }, (_, number) => idOf(number))
const isSecret = (number: number) => number % 3 === 0

/** `folds`: sensitive values had their folded form beside them. */
const entities = (folds: boolean) =>
  users.map((user, number) => ({
    user,
    id: idOf(number + 5000),
    type: 'car',
    created: time,
    properties: {
      plate: {
        ...property(0, `canary-${number}`, isSecret(number)),
        ...((folds || !isSecret(number)) && { fold: `canary-${number}` }),
      },
      colour: property(1, number % 2 ? 4 : null, false),
    },
  }))

const property = (at: number, value: unknown, sensitive: boolean) => ({
  id: idOf(900 + at),
  at,
  type: 'TEXT',
  sensitive,
  value,
})

const changesetOf = (user: string, id: string, entity: string | null, change: object) => ({
  user,
  id,
  entity,
  type: entity && 'car',
  op: 'change',
  actor: 'steward',
  time,
  changes: [{ type: 'TEXT', sensitive: false, ...change }],
})

const changesets = [
  ...users.map((user, number) =>
    changesetOf(user, idOf(number + 10_000), number === 1 ? idOf(9999) : idOf(number + 5000), {
      op: 'add',
      key: 'plate',
      after: `canary-old-${number}`,
    }),
  ),
  changesetOf(idOf(1), idOf(20_000), idOf(9999), {
    op: 'change',
    key: 'plate',
    sensitive: true,
    sensitiveBefore: false,
    before: 'canary-old-1',
    after: 'canary-new',
  }),
  changesetOf(idOf(2), idOf(20_001), null, { op: 'add', key: 'name', after: 'Ana' }),
]

test('a store from before is sealed: nothing is lost, and nothing sensitive left in the open', async () => {
  const { database } = service
  const { keyring } = database.keys
  await sql`drop schema public cascade`.execute(database.sql)
  await sql`create schema public`.execute(database.sql)
  const migrator = new Migrator({ db: database.sql, provider: migrations(keyring) })
  const before = await migrator.migrateTo('0004-event-filters-and-keys')
  expect(before.error).toBeUndefined()

  await sql`
    insert into users (id, created, since) select id, ${time}::timestamp, ${time}::timestamp
    from unnest(${users}::uuid[]) as id`.execute(database.sql)
  await sql`
    insert into entities (user_id, id, type, created, properties)
    select * from jsonb_to_recordset(${JSON.stringify(entities(true))}::jsonb)
      as row ("user" uuid, id uuid, type text, created timestamp, properties jsonb)`.execute(database.sql)
  await sql`
    insert into changesets (user_id, id, entity_id, entity_type, op, actor, time, changes)
    select * from jsonb_to_recordset(${JSON.stringify(changesets)}::jsonb)
      as row ("user" uuid, id uuid, entity uuid, type text, op text, actor text, time timestamp, changes jsonb)`.execute(
    database.sql,
  )

  const filter = { entity: 'car', where: [{ key: 'plate', type: 'TEXT', op: 'eq', value: 'canary-3' }] }
  const segment = idOf(30_000)
  await sql`
    insert into segments (id, name, filter, created, updated)
    values (${segment}, 'Plate', ${JSON.stringify(filter)}::jsonb, ${time}::timestamp, ${time}::timestamp)`.execute(
    database.sql,
  )

  const shape = async () => {
    const { rows } = await sql<{ line: string }>`
      select table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable as line
      from information_schema.columns where table_schema = 'public'
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace`.execute(database.sql)
    return rows.map(({ line }) => line)
  }
  const shapeBefore = await shape()
  const { error } = await migrator.migrateToLatest()
  expect(error).toBeUndefined()
  expect(await shape()).toEqual(expect.arrayContaining(shapeBefore))

  expect(await openedContents(database)).toEqual({ entities: entities(false), changesets })

  const { rows } = await sql<{ text: string }>`
    select e::text as text from entities e union all select c::text from changesets c
    union all select s::text from segments s`.execute(database.sql)
  const found = new Set(rows.flatMap(({ text }) => text.match(/canary-[\w-]+/g) ?? []))
  const open = users.map((_, number) => number).filter((number) => !isSecret(number))
  expect(found).toEqual(
    new Set([
      ...open.map((number) => `canary-${number}`),
      ...open.filter((number) => number !== 1).map((number) => `canary-old-${number}`),
    ]),
  )

  // What each entity counts for is known of those that were there, too.
  const sizes = await sql<{ bytes: number }>`select bytes from entities`.execute(database.sql)
  expect(sizes.rows.every(({ bytes }) => bytes > 128)).toBe(true)

  // It is found by equality, as what is written from now on.
  const { indexKey } = await readStoreKeys(database.sql, keyring)
  const { rows: blind } = await sql<{ blind: string[] }>`
    select properties -> 'plate' -> 'blind' as blind from entities where user_id = ${idOf(3)}`.execute(
    database.sql,
  )
  expect(blind[0]?.blind).toEqual(blindTerms(indexKey(), 'plate', 'TEXT', 'canary-3'))

  // A segment that asked for it still does.
  const stored = await filtersById(database.sql, [segment])
  expect(stored.map((row) => openOperands(indexKey, row).filter)).toEqual([filter])

  // The service goes on with it.
  const path = `/users/${idOf(3)}/entities/${idOf(5003)}`
  const change = {
    properties: [
      { key: 'plate', value: 'canary-3' },
      { key: 'colour', value: 'blue' },
    ],
  }
  expect((await service.call('steward', 'PATCH', path, change)).status).toBe(204)
  expect((await service.call('steward', 'GET', path)).body).toMatchObject({
    properties: [
      { key: 'plate', value: 'canary-3' },
      { key: 'colour', value: 'blue' },
    ],
  })
  await service.call('steward', 'DELETE', `/users/${idOf(3)}`)
  const left = await sql`
    select from entities where user_id = ${idOf(3)} union all select from changesets where user_id = ${idOf(3)}
    union all select from user_keys where user_id = ${idOf(3)}`.execute(database.sql)
  expect(left.rows).toHaveLength(0)
})
