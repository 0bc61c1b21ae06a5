import { afterEach, expect, test } from 'vitest'

import { labelWithType, propertyLabel, setLabels, typeLabel } from './labels.ts'

afterEach(() => setLabels([]))

test.each([
  ['first_registration', 'First registration'],
  ['firstRegistration', 'First registration'],
  ['first-registration', 'First registration'],
  ['home.phone2', 'Home phone2'],
  ['iban', 'IBAN'],
  ['user_id', 'User ID'],
  ['vip', 'VIP'],
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

test('a definition labels its property and type wherever they are named, and leaves others as their keys read', () => {
  setLabels([
    { name: 'car', label: 'Auto', properties: [{ name: 'plate', label: 'Kennzeichen' }] },
    { name: 'person', label: 'Person', properties: [{ name: 'tel', label: 'Phone' }] },
  ])
  expect(typeLabel('car')).toBe('Auto')
  expect(propertyLabel('car', 'plate')).toBe('Kennzeichen')
  expect(propertyLabel('boat', 'plate')).toBe('Plate')
  expect(labelWithType('car', 'plate')).toBe('Auto kennzeichen')
  expect(labelWithType('person', 'tel')).toBe('Phone')
  // Audit entries and events name properties so.
  expect(propertyLabel(undefined, 'car.plate')).toBe('Auto kennzeichen')
  expect(propertyLabel(undefined, 'tel')).toBe('Phone')
  setLabels([])
  expect(propertyLabel('car', 'plate')).toBe('Plate')
})
