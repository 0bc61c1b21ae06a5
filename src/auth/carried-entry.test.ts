import { expect, test } from 'vitest'

import { carriedEntry } from './provider.ts'

const store = (state: unknown) => JSON.parse(JSON.stringify(carriedEntry(state))) as unknown

test('a sign-in carries the way through a list, and nothing that somebody looked for', () => {
  const visited = [{ offset: '', rows: 50 }]
  const filter = { user: 'email', op: 'eq', value: 'ana@example.org' }
  const list = { by: '1', conditions: [{ id: 'a', filter, isSensitive: false }], offset: '', visited }
  const place = { by: '1', listEntry: 'k', query: { filter }, offset: '', visited }
  expect(store({ key: 'k', idx: 3, usr: { visited, list, place } })).toEqual({
    key: 'k',
    idx: 3,
    usr: { visited },
  })
  expect(store({ key: 'k', idx: 3, usr: { list } })).toEqual({ key: 'k', idx: 3, usr: {} })
})

test('a page that was come to from a list still knows that it was', () => {
  const usr = { listEntry: 'k', isSearch: true }
  expect(store({ key: 'k', idx: 3, usr })).toEqual({ key: 'k', idx: 3, usr })
})

test('the first entry of a tab holds nothing', () => {
  expect(store(null)).toBeNull()
  expect(store({ usr: null, key: 'k', idx: 0 })).toEqual({ usr: null, key: 'k', idx: 0 })
})
