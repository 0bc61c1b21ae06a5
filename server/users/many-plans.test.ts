import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'

import { type PropertyInput, roleScopes } from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'
import { planWrite } from '../entities/plan.ts'
import { lockEntity } from '../entities/storage.ts'
import { store } from '../entities/store.ts'
import { openForWriting } from '../entities/write.ts'
import { reasonsOf } from '../events/reasons.ts'
import { SealedGate } from '../events/sealed-gate.ts'
import { numberEvents } from '../events/storage.ts'
import type { Transaction } from '../store/sql.ts'
import { testService } from '../testing/hooks.ts'
import { openContents } from '../testing/service.ts'
import { lockUser } from './storage.ts'
import { storeUsers } from './store.ts'
import { planUser, planUserChange } from './write.ts'

const service = testService()
const many = 500
const reason = 'ticket 4711'
const since = '2020-01-01T00:00:00.000'
const inTransaction = <Result>(work: (writing: Writing) => Promise<Result>) =>
  service.database.sql.transaction().execute(
    async (transaction: Transaction) =>
      await work({
        transaction,
        keys: service.database.keys,
        caller: { subject: 'admin', scopes: new Set(roleScopes.admin), expires: Infinity },
        reason: { given: reason, required: true },
        gate: new SealedGate(),
      }),
  )

/** The users of one half, in the words of a request. The names of both halves are equally long. */
const fieldsOf = (half: string, index: number) => ({
  email: `${half}${index}@example.org`,
  name: `Zoë ${half} ${index}`,
  ref: `${half}-${index}`,
  since,
})
const propertiesOf = (index: number): PropertyInput[] => [
  { key: 'phone', type: 'TEXT', value: `+49 30 ${1000 + index}` },
  { key: 'points', type: 'NUMBER', value: 100 + index },
  { key: 'constructor', type: 'TEXT', value: 'Åse “quoted” 🙂\n' },
  ...(index % 3 === 0 ? [{ key: 'iban', type: 'TEXT' as const, value: `DE${index}`, sensitive: true }] : []),
]
const changeOf = (index: number): PropertyInput[] => [
  { key: 'points', type: 'NUMBER', value: 7000 + index },
  ...(index % 2 === 0 ? [{ key: 'phone', sensitive: true }] : []),
  ...(index % 6 === 0 ? [{ key: 'iban', value: `FR${index}` }] : []),
]

async function entityOf(user: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from entities where user_id = ${user}::uuid`.execute(
    service.database.sql,
  )
  return rows[0]?.id ?? ''
}

/** Returns all that is stored of users, with their ids, times and half replaced. */
async function contentsOf(half: string, users: readonly string[]): Promise<string[]> {
  const { sql: database } = service.database
  const { entities, changesets } = await openContents(service.database)
  const given = await reasonsOf(
    service.database,
    changesets.map(({ id }) => id),
  )
  const reasoned = Array.from(changesets, (each) => ({ ...each, reason: given.get(each.id) }))
  const rowsOf = async (table: string, columns: string, user = 'user_id') => {
    const { rows } = await sql<{ user: string }>`
      select ${sql.raw(user)}::text as "user", ${sql.raw(columns)} from ${sql.table(table)}`.execute(database)
    return Map.groupBy(rows, (row) => row.user)
  }
  const tables = [
    await rowsOf('users', 'email, email_key, name, name_key, ref, ref_key, since, account', 'id'),
    await rowsOf('user_terms', 'name, term'),
    await rowsOf('value_terms', 'entity_id, key, term'),
    await rowsOf('user_keys', 'master'),
    await rowsOf('entities', 'bytes, nth_of_type, type'),
    await rowsOf('changesets', 'op, actor, entity_type, keys, sensitive_keys'),
    await rowsOf('events', 'type, properties', `properties ->> 'user'`),
    await rowsOf('audit', 'kind, actor'),
    await rowsOf('audit_keys', 'key, kind, actor'),
  ]
  const opened = [entities, reasoned].map((rows) =>
    Map.groupBy<string, { user: string }>(rows, (row) => row.user),
  )
  return users.map((user) => {
    const rows = [...tables, ...opened].map((table) =>
      (table.get(user) ?? []).map((row) => plain(JSON.stringify(row), half)).sort(),
    )
    return JSON.stringify(rows, undefined, 1)
  })
}

const plain = (text: string, half: string) =>
  text
    .replaceAll(half, 'half')
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'id')
    .replace(/"(time|created)":"[^"]+"/g, '"$1"')

test(`${many} users at once are stored like as many requests`, async () => {
  const indexes = Array.from({ length: many }, (_, index) => index)
  const because = { 'change-reason': reason }
  const apart: string[] = []
  for (const index of indexes) {
    const body = { ...fieldsOf('qxone', index), properties: propertiesOf(index) }
    const user = await service.create('admin', '/users', body, because)
    const at = `/users/${user}`
    const changed = { properties: changeOf(index) }
    const entity = await entityOf(user)
    expect((await service.call('admin', 'PATCH', `${at}/entities/${entity}`, changed, because)).status).toBe(
      204,
    )
    expect((await service.call('admin', 'PATCH', at, { name: 'qxone' }, because)).status).toBe(303)
    apart.push(user)
  }

  const together = indexes.map(() => uuidv7())
  await inTransaction(async (writing) => {
    const plans = indexes.map((index) =>
      planUser(writing, together[index] ?? '', fieldsOf('qxset', index), propertiesOf(index)),
    )
    // One more, whose e-mail is taken: nothing of it is stored.
    const taken = planUser(writing, uuidv7(), { ...fieldsOf('qxone', 0), ref: null }, propertiesOf(0))
    const stored = await storeUsers(writing, [taken, ...plans])
    expect([stored.has(taken.owner.user), together.every((id) => stored.has(id))]).toEqual([false, true])
  })
  await inTransaction(async (writing) => {
    const plans = []
    for (const [index, user] of together.entries()) {
      const row = await lockEntity(writing.transaction, user, await entityOf(user))
      if (!row) throw new Error('The entity was not stored.')
      const opened = await openForWriting(writing, row)
      const plan = planWrite(writing, opened, row.type, changeOf(index), 'change')
      if (plan) plans.push(plan)
    }
    expect(plans.length).toBe(many)
    await store(writing, plans)
  })
  await inTransaction(async (writing) => {
    const plans = []
    for (const user of together) {
      const before = await lockUser(writing.transaction, user)
      const plan = before && planUserChange(writing, before, { name: 'qxset' })
      if (plan) plans.push(plan)
    }
    await storeUsers(writing, plans)
  })

  await numberEvents(service.database.sql)
  const [ofOne, ofSet] = [await contentsOf('qxone', apart), await contentsOf('qxset', together)]
  expect(ofSet[0]).toMatch(/FR0[^]+ticket 4711/)
  expect(ofSet).toEqual(ofOne)
})
