import { expect, test } from 'vitest'

import { labelWithType, propertyLabel, typeLabel } from './labels.ts'

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
  expect(propertyLabel('car', key)).toBe(label)
})

test('an entity type has a label, which precedes the properties of all but a person', () => {
  expect(typeLabel('company_car')).toBe('Company car')
  expect(labelWithType('person', 'birthday')).toBe('Birthday')
  expect(labelWithType('company_car', 'plate')).toBe('Company car plate')
})
