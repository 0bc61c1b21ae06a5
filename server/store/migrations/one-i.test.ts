import { expect, test } from 'vitest'

import type { Filter } from '#contract/index.ts'
import { testService } from '../../testing/hooks.ts'
import { foldDottedI } from './0019-one-i.ts'

const service = testService()

const members = async (filter: Filter) => {
  const { body } = await service.call('admin', 'POST', '/users/search', { filter })
  return (body as unknown as { users: { name: string }[] }).users.map(({ name }) => name)
}
const byName = (value: string) => members({ user: 'name', op: 'eq', value })
const byCity = (key: string, value: string) =>
  members({ entity: 'person', where: [{ key, type: 'TEXT', op: 'eq', value }] })

test('texts with the capital of Turkish that were stored before are found as those of today', async () => {
  const { pool, sql } = service.database
  const text = (key: string, value: string, sensitive = false) => ({ key, type: 'TEXT', value, sensitive })
  const properties = [
    text('city', 'İzmir'),
    text('plain', 'Ana'),
    text('sealed', 'İzmir', true),
    text('word', 'i\u0307'),
  ]
  await service.create('steward', '/users', { name: 'İnci', ref: 'İ-1', properties })
  await service.create('steward', '/users', { name: 'Ana', properties: [text('city', 'Izmir')] })
  const state = async () => {
    const users = await pool.query('select name_key, ref_key from users order by id')
    const entities = await pool.query('select properties from entities order by user_id')
    return JSON.stringify([users.rows, entities.rows])
  }
  const today = await state()
  await pool.query(`
    update users set name_key = U&'i\\0307nci', ref_key = U&'i\\0307-1' where name = U&'\\0130nci'`)
  await pool.query(`
    update entities set properties = jsonb_set(jsonb_set(properties, '{city,fold}', to_jsonb(U&'i\\0307zmir'::text)),
      '{word,fold}', to_jsonb(U&'i\\0307'::text))
    where properties ? 'sealed'`)
  expect([await byName('inci'), await byCity('city', 'izmir')]).toEqual([[], ['Ana']])
  // Runs twice from the beginning, as after a crash, first one user at a time.
  for (const atOnce of [1, 2_000]) await foldDottedI(sql, atOnce)
  expect(await state()).toBe(today)
  for (const name of ['inci', 'İNCİ', 'INCI']) expect(await byName(name)).toEqual(['İnci'])
  for (const city of ['izmir', 'İzmir', 'IZMIR', 'ızmır'])
    expect(await byCity('city', city)).toEqual(['İnci', 'Ana'])
  for (const city of ['izmir', 'İzmir', 'IZMIR']) expect(await byCity('sealed', city)).toEqual(['İnci'])
})
