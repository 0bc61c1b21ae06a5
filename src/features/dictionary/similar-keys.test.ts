import { expect, test } from 'vitest'

import { findSimilarKeys } from './similar-keys.ts'

const similar = (...keys: string[]) =>
  Object.fromEntries(findSimilarKeys(keys.map((key, at) => ({ key, users: 100 - at }))))

test.each([
  ['newsletter', 'newsleter'],
  ['newsletter', 'newslettter'],
  ['newsletter', 'newseltter'],
  ['newsletter', 'newsletters'],
  ['first_name', 'firstName'],
  ['zip', 'ZIP'],
])('%s and %s are nearly alike', (usual, rare) => {
  expect(similar(usual, rare)).toEqual({ [rare]: usual })
})

test.each([
  ['weight', 'height'],
  ['address', 'address2'],
  ['item_12', 'item_21'],
  ['city', 'cit'],
  ['birthday', 'birthdate'],
  ['ключ', '鍵'],
  ['--', '..'],
])('%s and %s are not', (one, other) => {
  expect(similar(one, other)).toEqual({})
})

test('a key is compared with the commonest of those that it resembles', () => {
  expect(similar('newsletter', 'newsleter', 'newsletters')).toEqual({
    newsleter: 'newsletter',
    newsletters: 'newsletter',
  })
})
