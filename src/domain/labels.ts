import { useSyncExternalStore } from 'react'

/** Label of an entity type or property. */
interface Labelled {
  readonly name: string
  readonly label: string
}

interface LabelledProperty extends Labelled {
  readonly unit?: string | undefined
  readonly choices?: readonly { readonly value: string | number; readonly label: string }[] | undefined
}

interface Defined {
  readonly types: ReadonlyMap<string, string>
  /** By `type.key`. */
  readonly properties: ReadonlyMap<string, LabelledProperty>
}

const none: Defined = { types: new Map(), properties: new Map() }

// Labels are texts of the console, as those of its catalogues are, except that they arrive after its code.
let defined = none
const watchers = new Set<() => void>()

/** Sets the labels that definitions give. What has none is labelled as its key reads. */
export function setLabels(
  types: readonly (Labelled & { readonly properties: readonly LabelledProperty[] })[],
): void {
  const properties = types.flatMap((type) =>
    type.properties.map((property) => [`${type.name}.${property.name}`, property] as const),
  )
  defined =
    types.length === 0
      ? none
      : { types: new Map(types.map(({ name, label }) => [name, label])), properties: new Map(properties) }
  for (const changed of watchers) changed()
}

function watch(changed: () => void) {
  watchers.add(changed)
  return () => void watchers.delete(changed)
}

const read = () => defined

/**
 * Renders the component again when the labels arrive or change. A page does so for everything that it renders, except
 * for components within `memo()`. Returns the labels, for the dependencies of a memoised value.
 */
export const useLabels = (): unknown => useSyncExternalStore(watch, read)

/** Returns the label of an entity type: as its definition says, or else "Car" for `car`. */
export function typeLabel(type: string): string {
  return defined.types.get(type) ?? readable(type)
}

/** Returns the label of an entity type for use within an English phrase: "car", "race horse". */
export const typeWithin = (type: string) => withSmallLetter(typeLabel(type))

/**
 * Returns the label of a property: as its definition says, or else "First registration" for `first_registration` and
 * `firstRegistration`.
 * @param type Type of its entity; undefined where the service tells the key alone, or as `car.plate`.
 */
export function propertyLabel(type: string | null | undefined, key: string): string {
  if (type !== undefined && type !== null)
    return defined.properties.get(`${type}.${key}`)?.label ?? readable(key)
  const at = key.indexOf('.')
  if (at > 0 && defined.properties.has(key)) return labelWithType(key.slice(0, at), key.slice(at + 1))
  return defined.properties.get(`person.${key}`)?.label ?? readable(key)
}

/** Labels a property among those of several entity types: "Birthday" for a person's own, else "Car plate". */
export function labelWithType(type: string, key: string): string {
  const label = propertyLabel(type, key)
  return type === 'person' ? label : `${typeLabel(type)} ${withSmallLetter(label)}`
}

/** Returns the label of a choice of a property, "German" for `de`; undefined if the value is not one of its choices. */
export const choiceLabel = (type: string, key: string, value: unknown) =>
  defined.properties.get(`${type}.${key}`)?.choices?.find((choice) => choice.value === value)?.label

/** Returns the unit of a number, "km"; undefined if its property has none. */
export const unitOf = (type: string, key: string) => defined.properties.get(`${type}.${key}`)?.unit

/** Labels a column of properties: "Birthday" for `person.birthday`, "Car plate" for `car.plate`. */
export function columnLabel(name: string): string {
  const at = name.indexOf('.')
  return at > 0 ? labelWithType(name.slice(0, at), name.slice(at + 1)) : propertyLabel(undefined, name)
}

/**
 * Lowercases a label for use within an English phrase: "first registration" for "First registration", but "IBAN" and
 * "VAT number" stay.
 */
export const withSmallLetter = (label: string) =>
  /^\p{Lu}(?!\p{Lu})/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

const initials = new Set('bic iban id nif pin sms ssn tin uk url us vat vin vip'.split(' '))

/** Returns a key as people would write it. */
export function readable(key: string): string {
  const words = key
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '')
    .map(spelt)
  const [first, ...rest] = words
  if (first === undefined) return key
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ')
}

function spelt(word: string): string {
  const lower = word.toLowerCase()
  if (initials.has(lower)) return lower.toUpperCase()
  // Words in capitals are kept, since their author meant them to be.
  return /^\p{Lu}{2,}\d*$/u.test(word) ? word : lower
}
