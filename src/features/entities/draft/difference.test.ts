import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type Entity, entityId, type Property } from '#contract/index.ts'
import { assignToRows } from '../../../domain/failures/pointers.ts'
import { differenceOf, fateOf, requestOf } from './difference.ts'
import {
  type Action,
  change,
  type EntityDraft,
  entityDraftOf,
  issuesOf,
  keysLoadedTwice,
  newEntityDraft,
} from './entity-draft.ts'
import { decide, hasConflicts, rebase } from './merge.ts'
import type { DraftRow } from './row.ts'

const property = (key: string, type: string, value: unknown, more: Partial<Property> = {}): Property => ({
  id: `id of ${key}` as never,
  key,
  type,
  sensitive: false,
  value,
  ...more,
})
const entity = (...properties: Property[]): Entity => ({
  id: entityId.parse('e1'),
  type: 'person',
  created: '2024-03-01T00:00:00.000',
  properties,
})
const createMasked = (key: string): Property => ({ key, type: 'TEXT', sensitive: true, masked: true })

const person = entity(
  property('name', 'TEXT', 'Ana'),
  property('born', 'DATE', '1984-02-29'),
  property('iban', 'TEXT', 'ES91', { sensitive: true }),
)

type OnRow = Extract<Action, { readonly id: string }>
type Edit = OnRow extends infer Each ? (Each extends OnRow ? Omit<Each, 'id'> : never) : never

/** Applies the edits in turn, each to the row that has the key `at` at that moment. */
function edit(
  start: EntityDraft,
  ...edits: (Edit & { key?: string; at?: string; to?: string })[]
): EntityDraft {
  return edits.reduce((draft, { at, ...edit }) => {
    if (edit.do === 'add') return change(draft, { do: 'add', id: `new ${draft.rows.length}` })
    const row = draft.rows.find(({ key }) => key === at)
    if (!row) throw new Error(`no row ${at}`)
    return change(draft, { ...edit, id: row.id })
  }, start)
}
const rebaseOn = (mine: EntityDraft, now: Entity) => {
  const draft = rebase(mine, now)
  return { draft, conflicts: hasConflicts(draft) }
}
/** Resolves every conflict in favour of the same side. */
const decideAll = (draft: EntityDraft, side: 'mine' | 'theirs') =>
  decide(draft, new Map(draft.rows.map(({ id }) => [id, side])))
const type = (at: string, text: string) => ({ do: 'set value' as const, at, draft: { text } })

describe('the request', () => {
  const request = (...edits: Parameters<typeof edit> extends [unknown, ...infer Rest] ? Rest : never) =>
    requestOf(edit(entityDraftOf(person), ...edits))

  test('is undefined for a draft without changes', () => {
    expect(request()).toBeUndefined()
    expect(request(type('name', 'Ana'))).toBeUndefined()
    expect(request(type('name', 'Bea'), type('name', 'Ana'))).toBeUndefined()
    expect(request({ do: 'set key', at: 'name', key: 'n' }, { do: 'undo', at: 'n' })).toBeUndefined()
  })

  test('a changed value is a PATCH of that key alone', () => {
    expect(request(type('name', 'Bea'))).toMatchObject({
      method: 'PATCH',
      body: {
        type: 'person',
        properties: [{ key: 'name', type: 'TEXT', sensitive: false, value: 'Bea' }],
      },
    })
  })

  test('an added property is a PATCH', () => {
    const sent = request({ do: 'add' }, { do: 'set key', at: '', key: 'nick' }, type('nick', 'Ani'))
    expect(sent).toMatchObject({ method: 'PATCH', body: { properties: [{ key: 'nick', value: 'Ani' }] } })
    expect(sent?.body.properties).toHaveLength(1)
  })

  test('an added row that was never filled in is not sent', () => {
    expect(request({ do: 'add' })).toBeUndefined()
  })

  test('a removal is a PUT of everything else, in order, without ids', () => {
    expect(request({ do: 'remove', at: 'born' })).toMatchObject({
      method: 'PUT',
      body: {
        type: 'person',
        properties: [
          { key: 'name', type: 'TEXT', sensitive: false, value: 'Ana' },
          { key: 'iban', type: 'TEXT', sensitive: true, value: 'ES91' },
        ],
      },
    })
    expect(JSON.stringify(request({ do: 'remove', at: 'born' })?.body)).not.toContain('id of')
  })

  test('a new key for a property is a PUT with its value under the new key', () => {
    const sent = request({ do: 'set key', at: 'name', key: 'full name' })
    expect(sent?.method).toBe('PUT')
    expect(sent?.body.properties.map(({ key, value }) => [key, value])).toEqual([
      ['full name', 'Ana'],
      ['born', '1984-02-29'],
      ['iban', 'ES91'],
    ])
  })

  test('another type of the entity alone is a PATCH without properties', () => {
    const draft = change(entityDraftOf(person), { do: 'set type', type: 'contact' })
    expect(requestOf(draft)).toMatchObject({ method: 'PATCH', body: { type: 'contact', properties: [] } })
  })

  test('marking and unmarking as sensitive sends that property', () => {
    expect(request({ do: 'set sensitive', at: 'iban', sensitive: false })?.body.properties).toEqual([
      { key: 'iban', type: 'TEXT', sensitive: false, value: 'ES91' },
    ])
  })

  test('a blank replacement of a sensitive value changes nothing; "no value" does', () => {
    expect(request({ do: 'replace value', at: 'iban' })).toBeUndefined()
    expect(request({ do: 'replace value', at: 'iban' }, type('iban', ' '))).toBeUndefined()
    expect(request({ do: 'replace value', at: 'iban' }, type('iban', 'FR76'))?.body.properties).toMatchObject(
      [{ key: 'iban', value: 'FR76' }],
    )
    expect(request({ do: 'empty value', at: 'iban' })?.body.properties).toMatchObject([
      { key: 'iban', value: null },
    ])
    expect(request({ do: 'empty value', at: 'iban' }, { do: 'keep value', at: 'iban' })).toBeUndefined()
  })

  test('a value that the caller never saw is sent as kept, not made up', () => {
    const draft = entityDraftOf(entity(property('name', 'TEXT', 'Ana'), createMasked('iban')))
    expect(requestOf(edit(draft, { do: 'remove', at: 'name' }))?.body.properties).toEqual([
      { key: 'iban', type: 'TEXT', sensitive: true, masked: true },
    ])
    expect(
      requestOf(edit(draft, { do: 'set sensitive', at: 'iban', sensitive: false }))?.body.properties,
    ).toEqual([{ key: 'iban', type: 'TEXT', sensitive: false }])
  })

  test('a PUT sends members and values of another service unchanged', () => {
    const foreign = {
      ...entity(
        property('name', 'TEXT', 'Ana'),
        property('born', 'DATE', 'about 1984', { source: 'import', sensitive: null }),
        property('tint', 'COLOUR', { r: 1.5, g: [null] }),
        property('score', 'DECIMAL', 12.5),
      ),
      label: 'VIP',
    }
    expect(requestOf(edit(entityDraftOf(foreign), { do: 'remove', at: 'name' }))?.body).toEqual({
      type: 'person',
      label: 'VIP',
      properties: [
        { key: 'born', type: 'DATE', sensitive: null, value: 'about 1984', source: 'import' },
        { key: 'tint', type: 'COLOUR', sensitive: false, value: { r: 1.5, g: [null] } },
        { key: 'score', type: 'DECIMAL', sensitive: false, value: 12.5 },
      ],
    })
  })

  test('another type sends the value in its new form', () => {
    const draft = entityDraftOf(entity(property('n', 'TEXT', '12')))
    expect(
      requestOf(edit(draft, { do: 'set property type', at: 'n', type: 'NUMBER' }))?.body.properties,
    ).toEqual([{ key: 'n', type: 'NUMBER', sensitive: false, value: 12 }])
  })

  test('a new entity is a POST of what was filled in', () => {
    const draft = edit(
      change(newEntityDraft(), { do: 'set type', type: 'car' }),
      { do: 'set key', at: '', key: 'brand' },
      type('brand', 'Seat'),
      { do: 'add' },
    )
    expect(requestOf(draft)).toMatchObject({
      method: 'POST',
      body: { type: 'car', properties: [{ key: 'brand', type: 'TEXT', sensitive: false, value: 'Seat' }] },
    })
  })
})

describe('issues that keep a draft from being sent', () => {
  const issues = (draft: EntityDraft) => {
    const found = issuesOf(draft)
    return draft.rows.map(({ id }) => Object.keys(found.rows.get(id) ?? {}).join())
  }

  test('a value that does not fit, a key twice, a key missing, each at its row', () => {
    const draft = edit(
      entityDraftOf(person),
      type('born', 'soon'),
      { do: 'add' },
      { do: 'set key', at: '', key: 'name' },
      { do: 'add' },
      type('', 'without a key'),
    )
    expect(issues(draft)).toEqual(['', 'value', '', 'key', 'key'])
  })

  test('an invalid loaded value is no issue until its property gets another type', () => {
    const start = entityDraftOf(
      entity(property('born', 'DATE', 'about 1984'), property('name', 'TEXT', 'Ana')),
    )
    expect(issues(edit(start, type('name', 'Bea')))).toEqual(['', ''])
    expect(issues(edit(start, { do: 'set sensitive', at: 'born', sensitive: true }))).toEqual(['', ''])
    expect(issues(edit(start, { do: 'set property type', at: 'born', type: 'TIME' }))).toEqual(['value', ''])
    expect(issues(edit(start, { do: 'set property type', at: 'born', type: 'TEXT' }))).toEqual(['', ''])
  })

  test('the key of a removed property is free again', () => {
    const draft = edit(
      entityDraftOf(person),
      { do: 'remove', at: 'born' },
      { do: 'add' },
      { do: 'set key', at: '', key: 'born' },
    )
    expect(issues(draft)).toEqual(['', '', '', ''])
  })

  test('the type of the entity, where it was written here', () => {
    expect(issuesOf(newEntityDraft()).type).toBeDefined()
    expect(issuesOf(change(entityDraftOf(person), { do: 'set type', type: 'Two words' })).type).toBeDefined()
    expect(issuesOf(entityDraftOf({ ...person, type: 'Two words' })).type).toBeUndefined()
  })

  test('keys that another service stored twice are known', () => {
    const twice = entity(property('a', 'TEXT', '1'), property('a', 'TEXT', '2'), property('b', 'TEXT', ''))
    expect([...keysLoadedTwice(twice)]).toEqual(['a'])
  })
})

describe('somebody else wrote during the edit', () => {
  const now = (...properties: Property[]) => entity(...properties)
  const [name, born, iban] = person.properties as [Property, Property, Property]
  const shape = ({ rows }: EntityDraft) =>
    rows.map(({ key, concurrentChange, removed, loaded }) => [
      key,
      concurrentChange ?? (removed ? 'removed here' : ''),
      loaded?.value,
    ])

  test('another key: both changes hold', () => {
    const mine = edit(entityDraftOf(person), type('name', 'Bea'))
    const { draft, conflicts } = rebaseOn(
      mine,
      now(name, { ...born, value: '1984-03-01' }, iban, property('new', 'TEXT', 'x')),
    )
    expect(conflicts).toBe(false)
    expect(requestOf(draft)).toMatchObject({
      method: 'PATCH',
      body: { properties: [{ key: 'name', value: 'Bea' }] },
    })
    expect(draft.rows.map(({ key }) => key)).toEqual(['name', 'born', 'iban', 'new'])
  })

  test('a replacement carries what they wrote', () => {
    const mine = edit(entityDraftOf(person), { do: 'remove', at: 'name' })
    const { draft, conflicts } = rebaseOn(
      mine,
      now(name, { ...born, value: '1984-03-01' }, iban, property('new', 'TEXT', 'x')),
    )
    expect(conflicts).toBe(false)
    expect(requestOf(draft)?.body.properties).toMatchObject([
      { key: 'born', value: '1984-03-01' },
      { key: 'iban', value: 'ES91' },
      { key: 'new', value: 'x' },
    ])
  })

  test('a key written on both sides keeps mine, shows theirs, and needs a decision', () => {
    const mine = edit(entityDraftOf(person), type('name', 'Bea'))
    const { draft, conflicts } = rebaseOn(mine, now({ ...name, value: 'Cleo' }, born, iban))
    expect(conflicts).toBe(true)
    expect(shape(draft)[0]).toEqual(['name', 'changed', 'Cleo'])
    expect(requestOf(draft)?.body.properties).toMatchObject([{ value: 'Bea' }])
    // An undecided conflict remains after another rebase; a decided one is settled.
    const again = now({ ...name, value: 'Cleo' }, born, iban)
    expect(rebaseOn(draft, again).conflicts).toBe(true)
    const mineKept = decideAll(draft, 'mine')
    expect(hasConflicts(mineKept)).toBe(false)
    expect(rebaseOn(mineKept, again).conflicts).toBe(false)
    expect(requestOf(mineKept)?.body.properties).toMatchObject([{ value: 'Bea' }])
    expect(requestOf(decideAll(draft, 'theirs'))).toBeUndefined()
    // A third edit is a new conflict, compared with the state that all edits started from.
    const third = rebaseOn(draft, now({ ...name, value: 'Dora' }, born, iban))
    expect(third.draft.rows[0]).toMatchObject({ loaded: { value: 'Dora' }, before: { value: 'Ana' } })
    expect(rebaseOn(mineKept, now({ ...name, value: 'Dora' }, born, iban)).conflicts).toBe(true)
  })

  test('two identical changes are no conflict', () => {
    const mine = edit(entityDraftOf(person), type('name', 'Bea'), { do: 'remove', at: 'born' })
    const { draft, conflicts } = rebaseOn(mine, now({ ...name, value: 'Bea' }, iban))
    expect(conflicts).toBe(false)
    expect(requestOf(draft)).toBeUndefined()
  })

  test('removed there, changed here', () => {
    const mine = edit(entityDraftOf(person), type('name', 'Bea'))
    const { draft, conflicts } = rebaseOn(mine, now(born, iban))
    expect(conflicts).toBe(true)
    expect(shape(draft)[0]).toEqual(['name', 'removed', undefined])
    expect(draft.rows[0]?.before).toEqual(name)
    expect(requestOf(decideAll(draft, 'mine'))).toMatchObject({
      method: 'PATCH',
      body: { properties: [{ key: 'name', value: 'Bea' }] },
    })
    expect(requestOf(decideAll(draft, 'theirs'))).toBeUndefined()
  })

  test('changed there, removed here', () => {
    const mine = edit(entityDraftOf(person), { do: 'remove', at: 'name' })
    const { draft, conflicts } = rebaseOn(mine, now({ ...name, value: 'Cleo' }, born, iban))
    expect(conflicts).toBe(true)
    expect(requestOf(decideAll(draft, 'mine'))?.body.properties.map(({ key }) => key)).toEqual([
      'born',
      'iban',
    ])
    expect(decideAll(draft, 'theirs').rows[0]).toMatchObject({ key: 'name', loaded: { value: 'Cleo' } })
    expect(requestOf(decideAll(draft, 'theirs'))).toBeUndefined()
  })

  test('properties that only they wrote are listed by key', () => {
    const mine = edit(entityDraftOf(person), type('name', 'Bea'))
    const first = rebaseOn(mine, now(name, iban, property('new', 'TEXT', 'x')))
    expect(first.draft.concurrentChanges?.theirs).toEqual(['born', 'new'])
    const second = rebaseOn(first.draft, now(name, { ...iban, value: 'FR76' }, property('new', 'TEXT', 'x')))
    expect(second.draft.concurrentChanges?.theirs).toEqual(['born', 'new', 'iban'])
    expect(second.conflicts).toBe(false)
  })

  test('a key added on both sides is a conflict', () => {
    const mine = edit(
      entityDraftOf(person),
      { do: 'add' },
      { do: 'set key', at: '', key: 'nick' },
      type('nick', 'Ani'),
    )
    const { draft, conflicts } = rebaseOn(mine, now(name, born, iban, property('nick', 'TEXT', 'Anita')))
    expect(conflicts).toBe(true)
    expect(shape(draft)[3]).toEqual(['nick', 'added', 'Anita'])
    expect(draft.rows[3]?.before).toBeUndefined()
    expect(requestOf(decideAll(draft, 'mine'))).toMatchObject({
      method: 'PATCH',
      body: { properties: [{ value: 'Ani' }] },
    })
    expect(requestOf(decideAll(draft, 'theirs'))).toBeUndefined()
  })

  test('a key that I gave to another property and they to a new one', () => {
    const mine = edit(entityDraftOf(person), { do: 'set key', at: 'name', key: 'nick' })
    const { draft, conflicts } = rebaseOn(mine, now(name, born, iban, property('nick', 'TEXT', 'Anita')))
    expect(conflicts).toBe(true)
    expect(issuesOf(draft).rows.size).toBe(1)
    const mineKept = decideAll(draft, 'mine')
    expect(issuesOf(mineKept).rows.size).toBe(0)
    expect(requestOf(mineKept)?.body.properties.map(({ key, value }) => [key, value])).toEqual([
      ['nick', 'Ana'],
      ['born', '1984-02-29'],
      ['iban', 'ES91'],
    ])
    expect(requestOf(decideAll(draft, 'theirs'))).toBeUndefined()
  })

  test('a key that I gave to another property than the one they removed', () => {
    const mine = edit(
      entityDraftOf(person),
      { do: 'remove', at: 'born' },
      { do: 'set key', at: 'name', key: 'born' },
    )
    const { draft, conflicts } = rebaseOn(mine, now(name, iban))
    expect(conflicts).toBe(true)
    expect(requestOf(decideAll(draft, 'mine'))?.body.properties).toMatchObject([
      { key: 'born', value: 'Ana' },
      { key: 'iban' },
    ])
    expect(requestOf(decideAll(draft, 'theirs'))).toBeUndefined()
  })

  test('a key that I gave to a new property, having renamed the one that had it', () => {
    const mine = edit(
      entityDraftOf(person),
      { do: 'set key', at: 'name', key: 'full name' },
      { do: 'add' },
      { do: 'set key', at: '', key: 'name' },
      type('name', 'A.'),
    )
    expect(rebaseOn(mine, now(name, { ...born, value: null }, iban)).conflicts).toBe(false)
    const { draft, conflicts } = rebaseOn(mine, now(born, iban))
    expect(conflicts).toBe(true)
    expect(shape(draft).filter(([, concurrentChange]) => concurrentChange === 'removed')).toHaveLength(2)
  })

  test('a property renamed alike on both sides conflicts only if the values differ', () => {
    const mine = edit(entityDraftOf(person), { do: 'set key', at: 'name', key: 'nick' })
    const same = rebaseOn(mine, now(property('nick', 'TEXT', 'Ana'), born, iban))
    expect(same.conflicts).toBe(false)
    expect(requestOf(same.draft)).toBeUndefined()
    const other = rebaseOn(mine, now(property('nick', 'TEXT', 'Anita'), born, iban))
    expect(other.conflicts).toBe(true)
    expect(requestOf(decideAll(other.draft, 'mine'))?.body.properties).toMatchObject([
      { key: 'nick', value: 'Ana' },
    ])
    expect(requestOf(decideAll(other.draft, 'theirs'))).toBeUndefined()
  })

  test('the type of the entity merges or conflicts like a property', () => {
    const mine = change(entityDraftOf(person), { do: 'set type', type: 'contact' })
    expect(rebaseOn(mine, person).conflicts).toBe(false)
    const { draft, conflicts } = rebaseOn(mine, { ...person, type: 'lead' })
    expect(conflicts).toBe(true)
    expect(draft).toMatchObject({ type: 'contact', concurrentChanges: { typeBefore: 'person' } })
    expect(rebaseOn(draft, { ...person, type: 'lead' }).conflicts).toBe(true)
    expect(requestOf(decide(draft, new Map([['type', 'mine']])))?.body.type).toBe('contact')
    expect(requestOf(decide(draft, new Map([['type', 'theirs']])))).toBeUndefined()
    expect(rebaseOn(entityDraftOf(person), { ...person, type: 'lead' })).toMatchObject({
      draft: { type: 'lead' },
    })
  })

  test('new ids after a replacement elsewhere are no change', () => {
    const mine = edit(entityDraftOf(person), type('name', 'Bea'))
    const renewed = person.properties.map((each) => ({ ...each, id: 'another' as never }))
    expect(rebaseOn(mine, now(...renewed)).conflicts).toBe(false)
  })
})

describe('a value that the service keeps to itself', () => {
  const hidden = (version: string, more: Partial<Property> = {}): Property => ({
    ...createMasked('iban'),
    version,
    ...more,
  })
  const base = entity(property('name', 'TEXT', 'Ana'), hidden('v1'))
  const [name] = base.properties as [Property]

  test('is known by its version to be another one', () => {
    const mine = edit(entityDraftOf(base), { do: 'replace value', at: 'iban' }, type('iban', 'FR76'))
    expect(rebaseOn(mine, entity(name, hidden('v1'))).conflicts).toBe(false)
    const { draft, conflicts } = rebaseOn(mine, entity(name, hidden('v2')))
    expect(conflicts).toBe(true)
    expect(draft.rows[1]).toMatchObject({ concurrentChange: 'changed', before: { version: 'v1' } })
    expect(requestOf(decideAll(draft, 'mine'))?.body.properties).toMatchObject([
      { key: 'iban', value: 'FR76' },
    ])
    expect(requestOf(decideAll(draft, 'theirs'))).toBeUndefined()
  })

  test('which they wrote and I did not touch is theirs', () => {
    const mine = edit(entityDraftOf(base), type('name', 'Bea'))
    const { draft, conflicts } = rebaseOn(mine, entity(name, hidden('v2')))
    expect(conflicts).toBe(false)
    expect(draft.concurrentChanges?.theirs).toEqual(['iban'])
  })

  test('and which they removed takes an edit without a value along, once that is known', () => {
    const mine = edit(entityDraftOf(base), { do: 'set sensitive', at: 'iban', sensitive: false })
    const { draft, conflicts } = rebaseOn(mine, entity(name))
    expect(conflicts).toBe(true)
    expect(draft.concurrentChanges?.lost).toEqual(['iban'])
    const known = decide(draft, new Map())
    expect(hasConflicts(known)).toBe(false)
    expect(requestOf(known)).toBeUndefined()
  })

  test('moves to another key with a new value only', () => {
    const renamed = edit(entityDraftOf(base), { do: 'set key', at: 'iban', key: 'account' })
    expect([...issuesOf(renamed).rows.values()]).toEqual([
      { value: [{ path: [], detail: expect.stringContaining('while its value is hidden') }] },
    ])
    const replaced = edit(renamed, { do: 'replace value', at: 'account' }, type('account', 'FR76'))
    expect(issuesOf(replaced).rows.size).toBe(0)
    expect(requestOf(replaced)).toMatchObject({
      method: 'PUT',
      body: { properties: [{ key: 'name' }, { key: 'account', value: 'FR76' }] },
    })
  })

  test('leaves its version at home', () => {
    const removed = edit(entityDraftOf(base), { do: 'remove', at: 'name' })
    expect(requestOf(removed)?.body.properties).toEqual([
      { key: 'iban', type: 'TEXT', sensitive: true, masked: true },
    ])
  })

  test('tells after a lost answer that it was not written', () => {
    const mine = edit(entityDraftOf(base), { do: 'replace value', at: 'iban' }, type('iban', 'FR76'))
    expect(fateOf(mine, base)).toBe('not written')
    expect(fateOf(mine, entity(name, hidden('v2')))).toBe('unclear')
  })
})

// Model of the service's store, a map from keys to values, which two people edit concurrently.
describe('two editors at once', () => {
  const keys = ['a', 'b', 'c', 'd']
  const text = fc.constantFrom('1', '2', '3')
  const state = fc.uniqueArray(fc.tuple(fc.constantFrom(...keys), text), { selector: ([key]) => key })
  const edit = fc.record({
    key: fc.constantFrom(...keys),
    to: fc.option(text),
    rename: fc.option(fc.constantFrom('e', 'f')),
  })
  const createStored = (pairs: readonly (readonly [string, string])[]) =>
    entity(...pairs.map(([key, value]) => property(key, 'TEXT', value)))
  const edits = (
    draft: EntityDraft,
    list: readonly { key: string; to: string | null; rename: string | null }[],
  ) => {
    let at = draft
    for (const { key, to, rename } of list) {
      const row: DraftRow | undefined = at.rows.find((each) => each.key === key && each.removed !== true)
      if (!row) {
        if (to === null) continue
        const id = `new ${key} ${at.rows.length}`
        at = change(change(at, { do: 'add', id }), { do: 'set key', id, key })
        at = change(at, { do: 'set value', id, draft: { text: to } })
      } else if (to === null) at = change(at, { do: 'remove', id: row.id })
      else if (rename !== null && !at.rows.some((each) => each.key === rename))
        at = change(at, { do: 'set key', id: row.id, key: rename })
      else at = change(at, { do: 'set value', id: row.id, draft: { text: to } })
    }
    return at
  }
  /** Semantics of PATCH and PUT according to the API document. */
  const write = (before: Entity, request: ReturnType<typeof requestOf>): Entity => {
    if (!request) return before
    const sent = request.body.properties as unknown as Property[]
    if (request.method === 'PUT') return entity(...sent)
    const after = new Map(before.properties.map((each) => [each.key, each]))
    for (const each of sent) after.set(each.key, each)
    return entity(...after.values())
  }
  const contents = (of: Entity) => new Map(of.properties.map(({ key, value }) => [key, value]))

  test('a change of the other editor is never silently overwritten, and without a conflict both changes hold', () => {
    fc.assert(
      fc.property(
        state,
        fc.array(edit, { maxLength: 4 }),
        fc.array(edit, { maxLength: 4 }),
        (start, mine, theirs) => {
          const base = createStored(start)
          const their = edits(entityDraftOf(base), theirs)
          const my = edits(entityDraftOf(base), mine)
          if (issuesOf(my).rows.size > 0 || issuesOf(their).rows.size > 0) return
          const fresh = write(base, requestOf(their))
          const { draft, conflicts } = rebaseOn(my, fresh)
          const listTouched = (before: Entity, after: Entity) =>
            [...new Set([...contents(before).keys(), ...contents(after).keys()])].filter(
              (key) => contents(before).get(key) !== contents(after).get(key),
            )
          const theirKeys = new Set(listTouched(base, fresh))
          // A rename away from a key and back is reported as a conflict, even if the end state is the original one.
          const renamed = mine.some(({ rename }) => rename !== null)
          if (!renamed && listTouched(base, write(base, requestOf(my))).every((key) => !theirKeys.has(key)))
            expect(conflicts).toBe(false)
          if (conflicts) return
          const after = contents(write(fresh, requestOf(draft)))
          const was = contents(base)
          const theirsNow = contents(fresh)
          const wanted = contents(write(base, requestOf(my)))
          for (const key of new Set([
            ...was.keys(),
            ...theirsNow.keys(),
            ...wanted.keys(),
            ...after.keys(),
          ])) {
            if (theirsNow.get(key) !== was.get(key))
              expect([key, after.get(key)]).toEqual([key, theirsNow.get(key)])
            else expect([key, after.get(key)]).toEqual([key, wanted.get(key)])
          }
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('after a write, a new reading says that it happened; before it, that it did not', () => {
    fc.assert(
      fc.property(state, fc.array(edit, { minLength: 1, maxLength: 4 }), (start, mine) => {
        const base = createStored(start)
        const draft = edits(entityDraftOf(base), mine)
        const request = requestOf(draft)
        if (!request || issuesOf(draft).rows.size > 0) return
        expect(fateOf(draft, write(base, request))).toBe('written')
        expect(fateOf(draft, base)).toBe('not written')
      }),
    )
  })
})

describe('after a lost answer', () => {
  test('a filled-in status date is still what was sent', () => {
    const start = entity(property('news', 'PREFERENCE', null))
    const draft = edit(entityDraftOf(start), type('news', 'GRANTED'))
    const value = { status: 'GRANTED', statusDate: '2024-03-01T00:00:00.000Z' }
    expect(fateOf(draft, entity(property('news', 'PREFERENCE', value)))).toBe('written')
  })

  test('a value that stays hidden tells nothing', () => {
    const draft = edit(entityDraftOf(entity(createMasked('iban'))), type('iban', 'FR76'))
    expect(fateOf(draft, entity(createMasked('iban')))).toBe('unclear')
  })

  test('somebody else wrote as well', () => {
    const draft = edit(entityDraftOf(person), type('name', 'Bea'))
    const [, ...others] = person.properties
    expect(fateOf(draft, entity(property('name', 'TEXT', 'Cleo'), ...others))).toBe('unclear')
  })

  test('a write counts as done whatever else was added', () => {
    const draft = edit(entityDraftOf(person), type('name', 'Bea'))
    const [, ...others] = person.properties
    const now = entity(property('name', 'TEXT', 'Bea'), ...others, property('more', 'TEXT', 'x'))
    expect(fateOf(draft, now)).toBe('written')
  })
})

test("the service's errors find their rows, though the request left rows out", () => {
  const draft = edit(
    entityDraftOf(person),
    type('born', '2024-01-01'),
    { do: 'replace value', at: 'iban' },
    type('iban', 'x'),
  )
  const request = requestOf(draft)
  if (!request) throw new Error('nothing to send')
  const placed = assignToRows(
    [
      { pointer: '/properties/1/value', code: 'x', detail: 'Not an IBAN.' },
      { pointer: '/properties/0/type', code: 'x', detail: 'No such type.' },
      { pointer: '/properties/0/value/currency', code: 'x', detail: 'No such code.' },
      { pointer: '/type', code: 'x', detail: 'No such entity type.' },
      { pointer: '/properties', code: 'x', detail: 'Too many.' },
    ],
    request.rowIds,
  )
  const [, born, iban] = draft.rows
  expect(placed.rows.get(iban?.id ?? '')).toEqual({ value: [{ path: [], detail: 'Not an IBAN.' }] })
  expect(placed.rows.get(born?.id ?? '')).toEqual({
    type: 'No such type.',
    value: [{ path: ['currency'], detail: 'No such code.' }],
  })
  expect(placed.type).toBe('No such entity type.')
  expect(placed.rest).toEqual(['Too many.'])
})

test('the review lists what changes, in the order of the form', () => {
  const draft = edit(
    entityDraftOf(person),
    type('name', 'Bea'),
    { do: 'remove', at: 'born' },
    { do: 'set property type', at: 'name', type: 'EMAIL' },
    { do: 'add' },
    { do: 'set key', at: '', key: 'nick' },
  )
  const { changes, changedCount, removedCount } = differenceOf(draft)
  expect(changes.map(({ state, key, aspects }) => [state, key, aspects])).toEqual([
    ['edited', 'name', ['type', 'value']],
    ['removed', 'born', []],
    ['added', 'nick', []],
  ])
  expect([changedCount, removedCount]).toEqual([2, 1])
})
