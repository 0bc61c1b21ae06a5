import { describe, expect, test } from 'vitest'

import type { Change } from '#contract/index.ts'
import { entriesAbout, entriesOf, type EntityChange } from './entries.ts'

let made = 0

function write(...changes: Change[]): EntityChange {
  const id = `event-${++made}`
  const time = '2026-01-01T00:00:00.000Z'
  return {
    event: { id, eventtime: time, type: 'DIRECT_DATA_CHANGE', properties: {} } as EntityChange['event'],
    changeset: { id, user: 'u', entity: 'e', op: 'change', entityType: 'person', time, changes },
  }
}

const add = (key: string, after: unknown, type = 'TEXT'): Change => ({ op: 'add', key, type, after })
const remove = (key: string, before: unknown, type = 'TEXT'): Change => ({ op: 'remove', key, type, before })
const alter = (key: string, before: unknown, after: unknown): Change => ({
  op: 'change',
  key,
  type: 'TEXT',
  before,
  after,
})

/** Summarises every change of a property as `kind key: before → after`, newest first. */
function story(writes: EntityChange[], key: string, sensitiveNow: string[] = []) {
  return entriesAbout(entriesOf(writes, new Set(sensitiveNow)), key).map(({ changes = [] }) =>
    changes
      .map(({ kind, key, keyBefore, masked, before, after }) =>
        kind === 'renamed'
          ? `${kind} ${keyBefore} → ${key}`
          : `${kind} ${key}: ${masked ? 'masked' : `${String(before)} → ${String(after)}`}`,
      )
      .join(', '),
  )
}

test('an entity that was deleted and made again was restored', () => {
  const whole = (op: string): EntityChange => {
    const { event, changeset } = write(add('city', 'Lyon'))
    return { event, changeset: changeset && { ...changeset, op } }
  }
  const kinds = entriesOf([whole('add'), whole('remove'), whole('add')], new Set()).map(({ kind }) => kind)
  expect(kinds).toEqual(['restored', 'removed', 'added'])
})

describe('the history of a property', () => {
  test('includes changes under the key that the property had before', () => {
    const writes = [
      write(alter('town', 'Paris', 'Nice')),
      write(add('town', 'Paris'), remove('city', 'Paris')),
      write(alter('city', 'Lyon', 'Paris'), alter('street', 'a', 'b')),
      write(add('city', 'Lyon'), add('street', 'a')),
    ]
    expect(story(writes, 'town')).toEqual([
      'changed town: Paris → Nice',
      'renamed city → town',
      'changed city: Lyon → Paris',
      'added city: undefined → Lyon',
    ])
    expect(story(writes, 'city')).toEqual([])
    expect(story(writes, 'street')).toHaveLength(2)
  })

  test('follows a chain of keys, and a key that another one has taken since', () => {
    const writes = [
      write(add('city', 'new')),
      write(add('place', 'Lyon'), remove('town', 'Lyon')),
      write(add('town', 'Lyon'), remove('city', 'Lyon')),
      write(add('city', 'Lyon')),
      write(remove('town', 'none of it')),
      write(remove('city', 'neither')),
    ]
    expect(story(writes, 'place')).toEqual([
      'renamed town → place',
      'renamed city → town',
      'added city: undefined → Lyon',
    ])
    expect(story(writes, 'town')).toEqual(['removed town: none of it → undefined'])
    expect(story(writes, 'city')).toEqual([
      'added city: undefined → new',
      'removed city: neither → undefined',
    ])
  })

  test('is no change of the key where another value came, or nobody could tell which it was', () => {
    expect(story([write(add('b', 'y'), remove('a', 'x'))], 'b')).toEqual(['added b: undefined → y'])
    const unclear = [write(add('c', 'x'), remove('a', 'x'), remove('b', 'x'))]
    expect(story(unclear, 'c')).toEqual(['added c: undefined → x'])
    const retyped = [write(add('b', '1', 'NUMBER'), remove('a', '1'))]
    expect(story(retyped, 'b')).toEqual(['added b: undefined → 1'])
    const masked = [
      write(
        { op: 'add', key: 'b', type: 'TEXT', sensitive: true, masked: true },
        { op: 'remove', key: 'a', type: 'TEXT', sensitive: true, masked: true },
      ),
    ]
    expect(story(masked, 'b')).toEqual(['added b: masked'])
  })

  test('shows no value of what is sensitive now, or was when it was written later', () => {
    const writes = [
      write(alter('pin', '3', '4')),
      write({ op: 'change', key: 'pin', type: 'TEXT', sensitive: true, masked: true }),
      write(alter('pin', '1', '2')),
    ]
    expect(story(writes, 'pin')).toEqual(['changed pin: 3 → 4', 'changed pin: masked', 'changed pin: masked'])
    expect(story(writes, 'pin', ['pin'])[0]).toBe('changed pin: masked')
    // The value is also masked under the key the property had before it was marked as sensitive.
    const renamed = [write(add('pin', '1'), remove('code', '1')), write(add('code', '1'))]
    expect(story(renamed, 'pin', ['pin'])).toEqual(['renamed code → pin', 'added code: masked'])
  })
})
