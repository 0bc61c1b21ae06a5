import { expect, test } from 'vitest'

import { listNames } from './listed.ts'

test.each([
  [[], ''],
  [['City'], 'City'],
  [['City', 'IBAN'], 'City and IBAN'],
  [['City', 'IBAN', 'PIN', 'Nick', 'Zip'], 'City, IBAN, PIN, Nick and Zip'],
  [['City', 'IBAN', 'PIN', 'Nick', 'Zip', 'Street'], 'City, IBAN, PIN, Nick and 2 more'],
])('the names %j are listed in a sentence as "%s"', (names, text) => {
  expect(listNames(names)).toBe(text)
})
