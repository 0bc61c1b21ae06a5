import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Entity, entityId } from '#contract/index.ts'
import { nameTypes } from '../../../domain/definitions/definitions.ts'
import { setLabels } from '../../../domain/labels.ts'
import { draftOf } from '../../../domain/values/draft.ts'
import { change, entityDraftOf } from '../draft/entity-draft.ts'
import { describeSaved } from './describe-saved.ts'

const types = nameTypes({
  entityTypes: [
    {
      type: 'person',
      properties: [
        {
          key: 'language',
          type: 'TEXT',
          choices: [
            { value: 'de', label: { en: 'German' } },
            { value: 'fr', label: { en: 'French' } },
          ],
        },
        { key: 'height', type: 'NUMBER', unit: 'mm' },
      ],
    },
  ],
})

beforeAll(() => setLabels(types))
afterAll(() => setLabels([]))

function describeChange(key: string, type: string, before: unknown, after: unknown): string {
  const person: Entity = {
    id: entityId.parse('e1'),
    type: 'person',
    created: '2024-03-01T00:00:00.000',
    properties: [{ id: 'p1' as never, key, type, sensitive: false, value: before }],
  }
  const draft = entityDraftOf(person)
  const id = draft.rows[0]?.id ?? ''
  return describeSaved(person, change(draft, { do: 'set value', id, draft: draftOf(type, after) }))
}

test('a saved value is said as the record shows it', () => {
  expect(describeChange('language', 'TEXT', 'de', 'fr')).toBe('Language changed from German to French')
  expect(describeChange('language', 'TEXT', null, 'fr')).toBe('Language set to French')
  expect(describeChange('height', 'NUMBER', 12_400, 12_500)).toBe(
    'Height changed from 12,400\u00A0mm to 12,500\u00A0mm',
  )
  expect(describeChange('vip', 'BOOLEAN', false, true)).toBe('VIP changed from No to Yes')
  expect(describeChange('born', 'DATE', '1984-02-28', '1984-02-29')).toBe(
    'Born changed from Feb\u00A028,\u00A01984 to Feb\u00A029,\u00A01984',
  )
  expect(describeChange('price', 'CURRENCY', { currency: 'EUR', value: '12000.00' }, null)).toBe(
    'Price changed',
  )
})

test('a short value that was saved stays on one line of its message, and a long one may be broken', () => {
  expect(describeChange('phone', 'TEXT', '+33 6 12 34 56 78', 'the number of the sister')).toBe(
    'Phone changed from +33\u00A06\u00A012\u00A034\u00A056\u00A078 to the number of the sister',
  )
})

test('a saved consent is said by its status, unless only its dates changed', () => {
  const granted = { status: 'GRANTED', statusDate: '2026-11-25T08:00:00.000Z' }
  const later = { status: 'GRANTED', statusDate: '2026-11-26T08:00:00.000Z' }
  expect(describeChange('news', 'PREFERENCE', granted, { status: 'REVOKED' })).toBe(
    'News changed from Granted to Revoked',
  )
  expect(describeChange('news', 'PREFERENCE', granted, later)).toBe('News changed')
})
