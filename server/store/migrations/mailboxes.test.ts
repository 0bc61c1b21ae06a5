import { sql } from 'kysely'
import { expect, test } from 'vitest'

import type { Filter, UserList } from '#contract/index.ts'
import { indexSealedEmails } from '../../entities/sealed-emails.ts'
import { blindTerms } from '../../sealing/blind-index.ts'
import { testService } from '../../testing/hooks.ts'
import { keyMailboxes } from './0020-mailboxes.ts'
import { inSteps } from './migrations.ts'

const service = testService()

/** Addresses with the keys that they had by the fold for names. */
const addresses = {
  'mıke@example.org': 'mike@example.org',
  'İnci@bücher.example': 'inci@xn--bcher-kva.example',
  'Straße@example.org': 'strasse@example.org',
  'JÜRGEN@example.org': 'jürgen@example.org',
  'Oﬃce@example.org': 'office@example.org',
  'zoë@bücher.example': 'zoë@xn--bcher-kva.example',
  'Ana@example.org': 'ana@example.org',
}
const joined = Object.keys(addresses).slice(0, 5)

const find = async (body: object) => {
  const { body: list } = await service.call('admin', 'POST', '/users/search', body)
  return (list as UserList).users.map(({ id }) => id)
}
const byMail = (key: string, value: string) =>
  find({ filter: { entity: 'person', where: [{ key, type: 'EMAIL', op: 'eq', value }] } satisfies Filter })

test('e-mails that had been joined with other mailboxes have their own keys, and are told by user', async () => {
  const { sql: handle, pool, keys } = service.database
  const ids: string[] = []
  for (const email of Object.keys(addresses)) {
    const properties = [
      { key: 'text', type: 'TEXT', value: email },
      { key: 'open', type: 'EMAIL', value: email },
      { key: 'sealed', type: 'EMAIL', value: email, sensitive: true },
      { key: 'none', type: 'EMAIL', value: null, sensitive: true },
    ]
    ids.push(await service.create('steward', '/users', { email, properties }))
  }
  const state = async () => {
    const users = await pool.query('select email_key from users order by id')
    const entities = await pool.query('select properties from entities order by user_id')
    return JSON.stringify([users.rows, entities.rows])
  }
  const today = await state()
  await setBack(ids)
  const old = await state()
  expect(await byMail('open', 'mıke@example.org')).toEqual([])
  expect(await byMail('sealed', 'mike@example.org')).toEqual([ids[0]])

  const lines: string[] = []
  const tell = (line: string) => void lines.push(line)
  // Runs twice from the beginning, as after a crash, first one row at a time.
  for (const atOnce of [1, 5_000])
    await inSteps('0020-mailboxes.sql', (db) => keyMailboxes(db, tell, atOnce)).up(handle)
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line).toContain(` ${joined.length} users `)
    expect(ids.filter((id) => line.includes(id))).toEqual(ids.slice(0, joined.length))
    expect(line).not.toContain('@')
  }
  const { rows } = await pool.query('select count(*)::int as count from sealed_emails')
  expect(rows).toEqual([{ count: 1 }])

  // A damaged value keeps its terms, and no other is kept from its own.
  const damaged = ids[6] ?? ''
  await pool.query(
    `update entities set sealed = jsonb_set(sealed, '{sealed}', '"AAAA"') where user_id = $1`,
    [damaged],
  )
  expect(await indexSealedEmails(service.database, { atOnce: 2 })).toBe(joined.length)
  expect(await indexSealedEmails(service.database)).toBeUndefined()
  expect(await state()).toBe(today)
  expect(today).not.toBe(old)

  for (const [at, email] of Object.keys(addresses).entries()) {
    const [id, key] = [ids[at], Object.values(addresses)[at] ?? '']
    expect(await byMail('open', email)).toEqual([id])
    expect(await byMail('sealed', email)).toEqual([id])
    expect(await find({ email, match: 'exact' })).toEqual([id])
    const isJoined = joined.includes(email)
    expect(await byMail('open', key)).toEqual(isJoined ? [] : [id])
    expect(await byMail('sealed', key)).toEqual(isJoined ? [] : [id])
    const other = await service.call('steward', 'POST', '/users', { email: key })
    expect(other.status).toBe(isJoined ? 201 : 303)
    expect((await service.call('steward', 'POST', '/users', { email })).headers.get('location')).toContain(id)
  }

  async function setBack(users: readonly string[]): Promise<void> {
    const { rows: stores } = await sql`select 1 where to_regclass('user_identifiers') is not null`.execute(
      handle,
    )
    for (const [at, [email, key]] of Object.entries(addresses).entries()) {
      const terms = JSON.stringify(blindTerms(keys.indexKey(), 'sealed', 'EMAIL', key))
      const id = users[at]
      if (stores.length > 0) {
        await pool.query(`delete from user_identifiers where kind = 'email' and user_id = $1`, [id])
        await pool.query(`insert into user_identifiers (kind, value, user_id) values ('email', $1, $2)`, [
          key,
          id,
        ])
      }
      await pool.query('update users set email_key = $1 where id = $2 and email = $3', [key, id, email])
      await pool.query(
        `update entities set properties = jsonb_set(jsonb_set(properties, '{open,fold}', to_jsonb($1::text)),
           '{sealed,blind}', $2::jsonb) where user_id = $3`,
        [key, terms, id],
      )
    }
  }
})
