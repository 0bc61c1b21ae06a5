import { expect, test } from 'vitest'

import { mergeUser } from './save-user.ts'

const base = { name: 'Ana', email: 'ana@example.org', ref: 'C-1', since: '2021-03-01 09:30:00' }

test('a field changed on one side is kept, and a field changed on both is a conflict that shows the original value', () => {
  const mine = { ...base, name: 'Ana Lopez', ref: 'C-2' }
  const theirs = { ...base, name: 'Ana Diaz', email: 'diaz@example.org' }
  expect(mergeUser(base, mine, ['name', 'ref'], theirs)).toEqual({
    conflicts: [{ field: 'name', base: 'Ana', mine: 'Ana Lopez', theirs: 'Ana Diaz' }],
    mine: ['ref'],
    theirs: ['email'],
  })
})

test('a field changed alike on both sides is no conflict, and is not sent', () => {
  const both = { ...base, name: 'Ana Lopez' }
  expect(mergeUser(base, { ...both, name: ' Ana Lopez ' }, ['name'], both)).toEqual({
    conflicts: [],
    mine: [],
    theirs: [],
  })
})

test('a date is compared by what it says, not by how it is written', () => {
  const mine = { ...base, since: '2020-01-01' }
  const theirs = { ...base, since: '2020-01-01 00:00:00' }
  expect(mergeUser(base, mine, ['since'], theirs).conflicts).toEqual([])
  expect(mergeUser(base, { ...base, since: '2021-03-01 09:30' }, ['since'], base)).toEqual({
    conflicts: [],
    mine: [],
    theirs: [],
  })
})

test('clearing what somebody else filled in is a conflict', () => {
  const mine = { ...base, ref: '' }
  const theirs = { ...base, ref: 'C-9' }
  expect(mergeUser(base, mine, ['ref'], theirs).conflicts).toMatchObject([{ mine: '', theirs: 'C-9' }])
})
