import { describe, expect, test } from 'vitest'

import type { Entity, Property } from '#contract/index.ts'
import { requestOf } from '../draft/difference.ts'
import { change, type EntityDraft, entityDraftOf, type DisabledReasons } from '../draft/entity-draft.ts'
import type { HistoryItem, PropertyChange } from './entries.ts'
import { revertEntry, revertChange } from './revert.ts'

const allowed: DisabledReasons = {
  write: undefined,
  writeSensitive: undefined,
  replace: undefined,
}

function formOf(...properties: Partial<Property>[]): EntityDraft {
  const loaded = { id: 'e', type: 'person', properties } as unknown as Entity
  return entityDraftOf(loaded)
}

const city = { key: 'city', type: 'TEXT', value: 'Paris' }

function old(of: Partial<PropertyChange>): PropertyChange {
  const base = {
    kind: 'changed',
    key: 'city',
    keyNow: 'city',
    type: 'TEXT',
    typeBefore: 'TEXT',
    masked: false,
  } as const
  return { ...base, before: 'Lyon', after: 'Paris', ...of }
}

function entryOf(changes: PropertyChange[], entityTypeBefore?: string): HistoryItem {
  return {
    id: '1',
    time: '',
    actor: undefined,
    why: {},
    kind: 'changed',
    entityType: 'person',
    entityTypeBefore,
    changes,
  }
}

const rowIn = (draft: EntityDraft, key: string) => draft.rows.find((row) => row.key === key)

/** Returns a summary of the request to be sent, or the reason why the change cannot be reverted. */
function outcome(draft: EntityDraft, change: PropertyChange, denied = allowed) {
  const result = revertChange(draft, change, denied)
  if ('reason' in result) return result.reason
  if ('revert' in result) return result.revert
  const request = requestOf(result.draft)
  return (
    request && [
      request.method,
      ...request.body.properties.map(({ key, value }) => `${String(key)}=${String(value)}`),
    ]
  )
}

describe('one change', () => {
  test('a value into its property, and nowhere else', () => {
    const form = formOf(city, { key: 'street', type: 'TEXT', value: 'a' })
    expect(outcome(form, old({}))).toEqual(['PATCH', 'city=Lyon'])
    expect(outcome(form, old({ before: null }))).toEqual(['PATCH', 'city=null'])
    expect(outcome(form, old({ before: 'Paris' }))).toBe('Nothing to restore: this is already in the form.')
  })

  test('to what is stored, the edit is gone and nothing would be sent', () => {
    const form = formOf(city)
    const id = form.rows[0]?.id ?? ''
    const edited = change(form, { do: 'set value', id, draft: { text: 'Rome' } })
    const result = revertChange(edited, old({ before: 'Paris' }), allowed)
    expect(result).toMatchObject({ replacesEdit: true, rowId: id })
    expect('draft' in result && requestOf(result.draft)).toBeUndefined()
    expect('draft' in result && rowIn(result.draft, 'city')).not.toHaveProperty('edit')
    const removed = change(form, { do: 'remove', id })
    expect(outcome(removed, old({ before: 'Paris' }))).toBeUndefined()
    expect(outcome(removed, old({}))).toEqual(['PATCH', 'city=Lyon'])
  })

  test('a removed property is added, under the key that it would have today', () => {
    expect(outcome(formOf(), old({ kind: 'removed', keyNow: 'town' }))).toEqual(['PATCH', 'town=Lyon'])
  })

  test('a key', () => {
    const renamed = old({ kind: 'renamed', key: 'city', keyBefore: 'town' })
    expect(outcome(formOf(city), renamed)).toEqual(['PUT', 'town=Paris'])
    const taken = formOf(city, { key: 'town', type: 'TEXT', value: 'x' })
    expect(outcome(taken, renamed)).toBe('Another property is now called Town.')
    const masked = formOf({ key: 'city', type: 'TEXT', sensitive: true, masked: true })
    expect(outcome(masked, renamed)).toBe(
      'You can’t rename a property while its value is hidden. Enter a new value too, or keep the name.',
    )
    expect(outcome(formOf(), renamed)).toEqual(['PATCH', 'town=Lyon'])
  })

  test('a change that is masked, not allowed or ambiguous is not reverted', () => {
    const masked = { ...old({ masked: true }), before: undefined }
    expect(outcome(formOf(city), masked)).toMatch(/had another name then/)
    expect(outcome(formOf(), { ...masked, kind: 'removed' })).toMatch(/had another name then/)
    expect(outcome(formOf(city), old({}), { ...allowed, write: 'No.' })).toBe('No.')
    expect(outcome(formOf(city, city), old({}), { ...allowed, replace: 'Twice.' })).toMatch(/more than once/)
  })
})

describe('all of one write', () => {
  test('keys that go free are given back first', () => {
    const form = formOf({ key: 'b', type: 'TEXT', value: 'was a' }, { key: 'c', type: 'TEXT', value: 'new' })
    const entry = entryOf(
      [
        old({ kind: 'removed', key: 'c', keyNow: 'gone', before: 'old' }),
        old({ kind: 'renamed', key: 'b', keyNow: 'b', keyBefore: 'c', before: 'was a' }),
        old({ kind: 'added', key: 'c', keyNow: 'c' }),
      ],
      'contact',
    )
    const result = revertEntry(form, entry, allowed)
    if ('reason' in result) throw new Error(result.reason)
    expect(result).toMatchObject({ count: 4, of: 4, replacesEdit: false })
    expect(result.draft.type).toBe('contact')
    expect(requestOf(result.draft)?.body.properties).toMatchObject([
      { key: 'c', value: 'was a' },
      { key: 'gone', value: 'old' },
    ])
  })

  test('changes that cannot be reverted are counted and left alone; those already in effect are not counted', () => {
    const form = formOf(city, { key: 'pin', type: 'TEXT', sensitive: true, masked: true })
    const masked = { ...old({ key: 'pin', keyNow: 'pin', masked: true }), before: undefined }
    const gone = old({ kind: 'added', key: 'gone', keyNow: 'gone' })
    const result = revertEntry(form, entryOf([old({}), masked, gone]), allowed)
    expect(result).toMatchObject({ count: 1, of: 2 })
    expect('draft' in result && rowIn(result.draft, 'pin')?.edit).toBeUndefined()
    expect(revertEntry(form, entryOf([masked]), allowed)).toMatchObject({
      reason: expect.stringMatching(/had another name then/),
    })
  })
})
