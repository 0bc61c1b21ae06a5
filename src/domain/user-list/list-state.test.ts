import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'

import {
  audienceOf,
  type ListCondition,
  type ListState,
  readHistory,
  readMemory,
  recallList,
  reduceList,
  searchOf,
  toHistory,
  wholeList,
  writeMemory,
} from './list-state.ts'

const condition = (value: string, isSensitive = false): ListCondition => ({
  id: value,
  filter: { user: 'email', op: 'eq', value },
  isSensitive,
})
const third = { offset: 'c', visited: [{ offset: '', rows: 50 }] }
const filtered: ListState = { ...wholeList, conditions: [condition('ana@example.org')], ...third }

test('another text, view or order begins with its first page', () => {
  for (const action of [
    { is: 'search', q: 'ana' },
    { is: 'show', view: { sort: 'name' } },
    { is: 'type', text: ' ' },
  ] as const)
    expect(reduceList(filtered, action)).toMatchObject({ offset: '', visited: [] })
  expect(reduceList(filtered, { is: 'type', text: 'ana' })).toMatchObject({ text: 'ana', ...third })
})

test('an emptied box ends the search at once', () => {
  const searched = reduceList({ ...wholeList, text: 'ana' }, { is: 'search', q: 'ana' })
  expect(reduceList(searched, { is: 'type', text: '' })).toMatchObject({ text: '', q: '' })
})

test('the memory of the session has the whole state; another entry begins with it', () => {
  const client = new QueryClient()
  const list: ListState = { ...filtered, text: 'ana', q: 'ana', left: { row: '1', top: 9 } }
  writeMemory(client, 'entry', list)
  expect(readMemory(client, 'entry')).toEqual(list)
  expect(recallList(client, { listEntry: 'entry' })).toEqual(list)
  expect(recallList(client, null)).toBeUndefined()
})

test('a history entry keeps view and page for the person who made it, and no search text', () => {
  expect(readHistory(toHistory(filtered, 'ana'), 'ana')).toEqual({
    conditions: filtered.conditions,
    sort: undefined,
    ...third,
  })
  expect(readHistory(toHistory(filtered, 'ana'), 'bob')).toBeUndefined()
  const searched = toHistory({ ...filtered, text: 'Ana López', q: 'Ana López' }, 'ana')
  expect(JSON.stringify(searched)).not.toContain('López')
  // Offsets of a search are useless without its text.
  expect(readHistory(searched, 'ana')).toMatchObject({ offset: '', visited: [] })
})

test('a history entry keeps nothing at all beside a condition that may be sensitive', () => {
  const conditions = [condition('ana@example.org'), condition('DE12 3456', true)]
  expect(toHistory({ ...filtered, conditions, sort: 'name' }, 'ana')).toBeUndefined()
  expect(toHistory(wholeList, 'ana')).toBeUndefined()
})

test('a search for a text is nobody to act on as a whole, and is not ordered', () => {
  expect(audienceOf({ ...filtered, q: 'ana' })).toBeUndefined()
  expect(audienceOf({ ...wholeList, segment: 's' })).toEqual({ segment: 's' })
  expect(audienceOf(wholeList)).toBeUndefined()
  expect(searchOf({ ...wholeList, q: 'ana', sort: 'name' })).toEqual({ q: 'ana' })
  expect(searchOf({ ...wholeList, segment: 's' })).toBeUndefined()
})
