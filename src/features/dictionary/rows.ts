import type { Definitions, Dictionary, DictionaryKey, KnownDefinition, KnownType } from '#contract/index.ts'
import { arrange, nameProperty, textOf } from '../../domain/definitions/definitions.ts'
import { readable } from '../../domain/labels.ts'
import { findSimilarKeys } from './similar-keys.ts'

/** Table row for one key of an entity type. */
export interface KeyRow extends DictionaryKey {
  readonly entityType: string
  readonly label: string
  /** Definition, written or inferred; undefined on a service without definitions. */
  readonly definition: KnownDefinition | undefined
  /** Commoner key of the same entity type that this one nearly is; undefined if there is none. */
  readonly similarTo: string | undefined
  /** Number of users who own an entity of this type. */
  readonly owners: number
  /** Heading under which the record lists the property; undefined if no property of the entity type has a group. */
  readonly group: string | undefined
}

export interface TypeRows extends Pick<Dictionary['entityTypes'][number], 'type' | 'entities' | 'users'> {
  readonly label: string
  /** Definition, written or inferred; undefined on a service without definitions. */
  readonly definition: KnownType | undefined
  readonly rows: readonly KeyRow[]
}

/** Joins what was counted with what is defined. A definition of a key that nobody has yet is a row too. */
export function joinDefinitions(
  counted: Dictionary['entityTypes'],
  defined: Definitions['entityTypes'] = [],
): readonly TypeRows[] {
  const definedTypes = new Map(defined.map((each) => [each.type, each]))
  const written = defined.filter(
    ({ inferred, properties }) => inferred !== true || properties.some((each) => each.inferred !== true),
  )
  const missing = written
    .filter(({ type }) => !counted.some((each) => each.type === type))
    .map(({ type }) => ({ type, entities: 0, users: 0, keys: [] }))
  return [...counted, ...missing].map(({ type, entities, users, keys }) => {
    const ofType = definedTypes.get(type)
    const definitions = new Map(ofType?.properties.map((each) => [each.key, each]))
    const countedKeys = new Set(keys.map(({ key }) => key))
    const uncounted = [...definitions.values()]
      .filter(({ key, inferred }) => inferred !== true && !countedKeys.has(key))
      .map(({ key }): DictionaryKey => ({ key, count: 0, users: 0, sensitive: 0, types: [] }))
    const similar = findSimilarKeys(keys)
    const toRow = (each: DictionaryKey, group: string | undefined): KeyRow => {
      const definition = definitions.get(each.key)
      const label = textOf(definition?.label) ?? readable(each.key)
      const similarTo = similar.get(each.key)
      return { ...each, entityType: type, label, definition, similarTo, owners: users, group }
    }
    // Keys without a place follow in the order in which they were counted.
    const groups = arrange([...keys, ...uncounted], ofType?.properties.map(nameProperty) ?? [])
    return {
      type,
      entities,
      users,
      label: textOf(ofType?.label) ?? readable(type),
      definition: ofType,
      rows: groups.flatMap(({ heading, rows }) => rows.map((each) => toRow(each, heading))),
    }
  })
}
