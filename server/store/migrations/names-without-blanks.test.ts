import { expect, test } from 'vitest'

import { testService } from '../../testing/hooks.ts'
import { fillInnerStarts } from './0017-names-without-blanks.ts'

const service = testService()

test('a user whose name is in a script without blanks is found by a part of it, as one who is created today', async () => {
  const { pool, sql } = service.database
  const people = [
    { name: '山田太郎', email: '山田@example.org', ref: '山川-1' },
    { name: '山田 花子' },
    { name: '김철수' },
    { name: 'สมชาย ใจดี' },
    { name: 'タナカ・ケン O’Ken' },
    { name: 'Łukasz Żółty', email: 'jürgen@bücher.example' },
    { name: 'Ana Lopez', ref: 'C-1' },
    { ref: '物流有限公司' },
    {},
  ]
  for (const body of people) await service.create('steward', '/users', body)
  const terms = async () =>
    (await pool.query('select user_id, name, term from user_terms order by user_id, term collate "C"'))
      .rows as {
      term: string
    }[]
  const today = await terms()
  // Restores the terms of the previous release, which come only from the beginnings of words.
  const { rowCount } = await pool.query(`delete from user_terms where not name and term = any($1)`, [
    [
      '山田花子',
      '田花子',
      '花子',
      '子',
      '太郎',
      '郎',
      '田太郎',
      '철수',
      '수',
      '流有限公司',
      '公司',
      '司',
      'าย',
      'ナカケン o ken',
      'ケン o ken',
    ],
  ])
  expect(rowCount).toBeGreaterThan(10)
  expect(await terms()).not.toEqual(today)
  // Runs twice from the beginning, as after a crash, a few at a time.
  for (const read of [2, 5_000]) await fillInnerStarts(sql, { read, atOnce: 2 })
  expect(await terms()).toEqual(today)
  const { body } = await service.call('support', 'POST', '/users/search', { q: '太郎' })
  expect(body).toMatchObject({ users: [{ name: '山田太郎' }] })
})
