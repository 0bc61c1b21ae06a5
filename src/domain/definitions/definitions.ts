import {
  type Definitions,
  fold,
  type KnownDefinition,
  type KnownKey,
  type KnownType,
} from '#contract/index.ts'
import { language, pickerText } from '../../messages/index.ts'
import { readable } from '../labels.ts'

/** A thing with a name for people and one for programs, with both folded, so that a search need not do so again. */
export interface NamedEntry {
  readonly name: string
  readonly label: string
  /** Number of users who have it; undefined if that is not known. */
  readonly users: number | undefined
  /** Whether nobody has defined it, so that everything about it was inferred from its values. */
  readonly inferred: boolean
  readonly folded: { readonly name: string; readonly label: string }
}

export interface NamedProperty extends NamedEntry {
  /** Data type; undefined if none is defined and nobody has a value. */
  readonly type: string | undefined
  readonly sensitive: boolean
  /** Heading under which the record lists the property. */
  readonly group: string | undefined
  /** Place within the record, ascending; properties without one follow. */
  readonly order: number | undefined
  readonly description: string | undefined
  /** Unit of a number, such as "km". */
  readonly unit: string | undefined
  /** Values to choose from; undefined if any is allowed. */
  readonly choices: readonly NamedChoice[] | undefined
  readonly use: PropertyUse
}

/** Use of a property, as the data subject is told it. */
export type PropertyUse = Readonly<Pick<KnownDefinition, 'purpose' | 'basis' | 'recipients' | 'keptFor'>>

export interface NamedChoice {
  readonly value: string | number
  readonly label: string
}

export interface NamedType extends NamedEntry {
  /** In the order of the record. */
  readonly properties: readonly NamedProperty[]
}

const name = (
  key: string,
  label: string,
  { users, inferred }: Pick<KnownDefinition, 'users' | 'inferred'>,
) => ({
  name: key,
  label,
  users,
  inferred: inferred === true,
  folded: { name: fold(key), label: fold(label) },
})

/** Returns the text in the reader's language, or else the first one that was written. */
export function textOf(texts: Readonly<Record<string, string>> | undefined): string | undefined {
  const [base = language] = language.split('-')
  return texts && (texts[language] ?? texts[base] ?? Object.values(texts)[0])
}

const namedBefore = new WeakMap<Definitions, readonly NamedType[]>()

/** Names what definitions are of, once for each answer of the service, however many components ask. */
export function nameTypes(definitions: Definitions): readonly NamedType[] {
  const types = namedBefore.get(definitions) ?? definitions.entityTypes.map(nameType)
  namedBefore.set(definitions, types)
  return types
}

function nameType(definition: KnownType): NamedType {
  const { type, properties } = definition
  return {
    ...name(type, textOf(definition.label) ?? readable(type), definition),
    properties: properties.map(nameProperty),
  }
}

export function nameProperty(definition: KnownDefinition): NamedProperty {
  const { key, type, sensitive, group, order, unit, choices, purpose, basis, recipients, keptFor } =
    definition
  return {
    ...name(key, textOf(definition.label) ?? readable(key), definition),
    type,
    sensitive: sensitive === true,
    group,
    order,
    description: textOf(definition.description),
    unit,
    choices: choices?.map(({ value, label }) => ({ value, label: textOf(label) ?? String(value) })),
    use: { purpose, basis, recipients, keptFor },
  }
}

/** Infers nothing but the labels of entity types. */
export const inferTypes = (types: readonly string[]): Definitions => ({
  entityTypes: types.map((type) => ({ type, inferred: true, properties: [] })),
})

/** Adds keys that were noted since the values were counted. One that was ever sensitive is treated as sensitive. */
export function addNotedKeys(
  properties: readonly NamedProperty[],
  noted: readonly KnownKey[],
): readonly NamedProperty[] {
  const known = new Set(properties.map((each) => each.name))
  const added = Map.groupBy(
    noted.filter(({ key }) => !known.has(key)),
    ({ key }) => key,
  )
  if (added.size === 0) return properties
  return [
    ...properties,
    ...[...added].map(([key, ofKey]) => {
      const sensitive = ofKey.find((each) => each.sensitive === true)
      const { type } = sensitive ?? ofKey[0] ?? {}
      return nameProperty({
        key,
        ...(type !== undefined && { type }),
        sensitive: sensitive !== undefined,
        inferred: true,
      })
    }),
  ]
}

export interface RowGroup<Row> {
  /** Undefined if no row has a group. */
  readonly heading: string | undefined
  readonly rows: readonly Row[]
}

/**
 * Arranges the properties of an entity as their definitions say: by their order, those without one after them as they
 * are stored, and those of a group together at the place of its first one. Those of no group come last, under a heading
 * of their own if there are groups.
 */
export function arrange<Row extends { readonly key: string }>(
  rows: readonly Row[],
  properties: readonly NamedProperty[],
): readonly RowGroup<Row>[] {
  const known = new Map(properties.map((each) => [each.name, each]))
  const placeOf = ({ key }: Row) => known.get(key)?.order ?? Infinity
  const sorted = rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : Number(placeOf(a) > placeOf(b))))
  const { named = [], others = [] } = Object.groupBy(sorted, ({ key }) =>
    known.get(key)?.group === undefined ? 'others' : 'named',
  )
  if (named.length === 0) return [{ heading: undefined, rows: others }]
  const groups = [...Map.groupBy(named, ({ key }) => known.get(key)?.group)].map(([heading, ofGroup]) => ({
    heading,
    rows: ofGroup,
  }))
  return others.length === 0 ? groups : [...groups, { heading: pickerText.otherProperties, rows: others }]
}
