import { expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { describeEvent } from './what-happened.ts'

test.each([
  ['by an id of that time', '2026-01-01T00:00:00.500Z', 'Created car'],
  ['a day after its id was made', '2026-01-02T00:00:00.000Z', 'Restored car'],
])('an event that adds an entity %s says so, without the history before it', (_when, time, said) => {
  const made = Date.parse('2026-01-01T00:00:00.000Z').toString(16).padStart(12, '0')
  const entity = `${made.slice(0, 8)}-${made.slice(8)}-7000-8000-000000000000`
  const changeset = { id: '1', user: '2', entity, op: 'add', entityType: 'car', time, changes: [] }
  const id = '3' as Event['id']
  const event = { id, eventtime: time, type: 'DIRECT_DATA_CHANGE', properties: { entity } }
  const known = { changeset, entityTypes: undefined }
  expect(describeEvent(event, known)).toBe(said)
})

test.each([
  [{ entity: 'a', keys: '["iban"]' }, 'Viewed IBAN'],
  [{ entities: '{"a":["iban"]}', keys: '["iban"]' }, 'Viewed IBAN'],
  [
    { entities: '{"a":["iban"],"b":["pin"],"c":["iban"]}', keys: '["iban","pin"]' },
    'Viewed IBAN, PIN (person, car)',
  ],
  [{ entities: '{"gone":["iban"]}', keys: '["iban"]' }, 'Viewed IBAN'],
  [{ entities: 'no JSON' }, 'Viewed sensitive values'],
  [{}, 'Viewed sensitive values'],
])('a reading says in which entities it was: %j', (properties, said) => {
  const event: Event = {
    id: '3' as Event['id'],
    eventtime: '2026-01-01T00:00:00.500Z',
    type: 'SENSITIVE_DATA_ACCESSED',
    properties,
  }
  const entityTypes = new Map([
    ['a', 'person'],
    ['b', 'car'],
    ['c', 'person'],
  ])
  const known = { changeset: undefined, entityTypes }
  expect(describeEvent(event, known)).toBe(said)
})
