import { expect, test } from 'vitest'

import { testService } from '../../testing/hooks.ts'
import { addLetters } from './0035-more-letters.ts'

const service = testService()

const people = [
  { name: 'きょうこ いすゞ', ref: 'ヶ-7' },
  { name: 'ｷｮｳｺ' },
  { name: 'צה״ל', ref: 'ז"ל-1' },
  { name: 'ज़ाकिर फ़रहान', email: 'əliyev@example.org' },
  { name: 'Sámi ŊUOLLA Kɔfi' },
  { name: 'کۆمار 寳' },
  { name: 'Ana Lopez', email: 'ana@example.org' },
]
const values = [
  '(+49) 170 5550008',
  '+ 49 170 5550009',
  'Tel. +49 170 5550010',
  '+49[0]170 5550011',
  '0170 5550012 - 0171 5550013',
  '03-5555-0251、03-5555-0252',
  '0170.5550014',
  '霞ヶ関 12',
  'AB-123',
]

test('users of before are found by letters and numbers as those who are created today', async () => {
  const { pool, sql } = service.database
  for (const [at, body] of people.entries()) {
    const properties = values.slice(at, at + 3).map((value, n) => ({ key: `k${n}`, type: 'TEXT', value }))
    await service.create('steward', '/users', { ...body, properties })
  }
  const rows = async (query: string) => (await pool.query(query)).rows as object[]
  const places = () => rows('select user_id, term from user_terms where name order by user_id')
  const terms = async () => [
    ...(await rows('select user_id, name, term from user_terms')),
    ...(await rows('select user_id, entity_id, key, term from value_terms')),
  ]
  const today = { places: await places(), terms: await terms() }
  await pool.query(
    `delete from user_terms where octet_length(term) > char_length(term) or term in ('kofi', 'nuolla')`,
  )
  await pool.query(`insert into user_terms (user_id, name, term) select id, true, name from users
    where octet_length(name) > char_length(name)`)
  await pool.query(`delete from value_terms where term !~ '^(ab123|123)$'`)
  expect(await places()).not.toEqual(today.places)
  // Runs twice, as after a crash.
  for (const read of [2, 5_000]) await addLetters(sql, { read })
  expect(await places()).toEqual(today.places)
  const found = new Set((await terms()).map((row) => JSON.stringify(row)))
  expect(today.terms.filter((row) => !found.has(JSON.stringify(row)))).toEqual([])
})
