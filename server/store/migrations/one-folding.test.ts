import { expect, test } from 'vitest'

import { testService } from '../../testing/hooks.ts'
import { foldForSearch } from './0030-one-folding.ts'

const service = testService()

const people = [
  { name: 'علي\u200cرضا كريمي', email: 'علي@example.org', ref: 'ش-٤٢' },
  { name: 'たなか けん', email: 'ken@日本.example' },
  { name: '渡邉 髙', ref: 'K\u00a01' },
  { name: 'J.R.R. Tolkien', ref: 'ACC-0042-U' },
  { name: 'A B Ewing', ref: 'АК-77' },
  { name: 'AT&T\u2009Wireless' },
  { name: 'Łukasz O’Brien-Smith', email: 'jürgen@bücher.example' },
  { name: 'Ana Lopez', email: 'ana@example.org', ref: 'C1' },
  { ref: 'x/9' },
  {},
]
const values = [
  'А123ВС77',
  '+7 916 4974539',
  '8 (916) 8163452',
  '(202) 315-1952',
  '+49 (0)151 8040870',
  '0151 7099202 / 0152 70992021',
  '+1 202 5530961 ext. 12',
  '491518040870',
  '06 12 34 56 78',
  'Wohnung\u00a0٤٢',
  'New\u00a0York',
  'AB-123',
]

test('users of the previous release are found as those who are created today', async () => {
  const { pool, sql } = service.database
  for (const [at, body] of people.entries()) {
    const properties = values.slice(at, at + 3).map((value, n) => ({ key: `k${n}`, type: 'TEXT', value }))
    await service.create('steward', '/users', { ...body, properties })
  }
  const rows = async (query: string) => (await pool.query(query)).rows as object[]
  const state = async () => ({
    keys: await rows('select name_key, ref_key from users order by id'),
    properties: await rows('select properties from entities order by user_id'),
    places: await rows('select term from user_terms where name order by user_id'),
    terms: [
      ...(await rows('select user_id, name, term from user_terms')),
      ...(await rows('select user_id, entity_id, key, term from value_terms')),
    ],
  })
  const today = await state()
  // The previous release kept blanks apart, and had other terms.
  await pool.query(`update users set name_key = 'at&t' || U&'\\2009' || 'wireless' where name like 'AT&T%'`)
  await pool.query(`update users set ref_key = 'k' || U&'\\00a0' || '1' where ref like 'K%1'`)
  await pool.query(`
    update entities set properties = replace(properties::text, 'new york', U&'new\\00a0york')::jsonb`)
  await pool.query(`
    delete from user_terms
    where user_id in (select id from users where name <> 'Ana Lopez') and (not name or octet_length(term) > char_length(term))`)
  await pool.query(`insert into user_terms (user_id, name, term) select id, true, name from users
    where octet_length(name) > char_length(name)`)
  await pool.query(`delete from value_terms where term !~ '^(0?612345678|ab123|123|.*64974539)$'`)
  const before = await state()
  for (const part of ['keys', 'properties', 'places', 'terms'] as const)
    expect(before[part]).not.toEqual(today[part])
  // Runs twice from the beginning, as after a crash, a few at a time.
  for (const read of [2, 5_000]) await foldForSearch(sql, { read, atOnce: 2 })
  const after = await state()
  for (const part of ['keys', 'properties', 'places'] as const) expect(after[part]).toEqual(today[part])
  const found = new Set(after.terms.map((row) => JSON.stringify(row)))
  expect(today.terms.filter((row) => !found.has(JSON.stringify(row)))).toEqual([])
})
