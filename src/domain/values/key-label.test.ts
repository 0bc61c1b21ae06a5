import { expect, test } from 'vitest'

import { keyLabel } from './key-label.ts'

test.each([
  ['first_registration', 'First registration'],
  ['firstRegistration', 'First registration'],
  ['first-registration', 'First registration'],
  ['home.phone2', 'Home phone2'],
  ['iban', 'IBAN'],
  ['user_id', 'User ID'],
  ['VAT', 'VAT'],
  ['companyVATNumber', 'Company VAT number'],
  ['élan_vital', 'Élan vital'],
  ['Plate', 'Plate'],
  ['___', '___'],
  ['', ''],
])('the key %j reads as %j', (key, label) => {
  expect(keyLabel(key)).toBe(label)
})
