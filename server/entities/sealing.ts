import { blindTerms } from '../sealing/blind-index.ts'
import { openDataKey, type JoinedKey, type IndexKey } from '../sealing/data-keys.ts'
import { type Keyring, openValue, type SealedPlace, sealValue } from '../sealing/encryption.ts'
import { canonical, type StoredProperties, type StoredProperty } from './properties.ts'

/** A property as stored. A sensitive value is stored sealed elsewhere; this holds only its search terms. */
export interface PropertyAtRest extends Omit<StoredProperty, 'value'> {
  value?: unknown
  blind?: readonly string[]
}

/** An entity's properties as stored; `sealed` holds the sealed values by key. */
export interface AtRest {
  properties: Readonly<Record<string, PropertyAtRest>>
  sealed: Readonly<Record<string, string>>
}

/** Owner of sealed values, which open for no other user or entity. */
type EntityPlace = Pick<SealedPlace, 'user'> & { readonly id: string }

export function hasSensitive(properties: Readonly<Record<string, { readonly sensitive: boolean }>>): boolean {
  return Object.values(properties).some(({ sensitive }) => sensitive)
}

/** Returns the properties with their values. The data key is needed only if one is sensitive. */
export function openProperties(dataKey: Buffer | undefined, place: EntityPlace & AtRest): StoredProperties {
  const opened = Object.entries(place.properties).map(([key, row]) => {
    const { blind: _, ...property } = row
    const sealed = ownValue(place.sealed, key)
    const value =
      sealed === undefined
        ? (property.value ?? null)
        : openValue(dataKey, sealedPlaceOfProperty(place, key, property.type), sealed)
    return [key, { ...property, value }] as const
  })
  return Object.fromEntries(opened)
}

/**
 * Opens a row for reading. Requests the key only if something is sealed: if a master key is missing, all other rows
 * stay readable.
 */
export function openRow(keyring: Keyring, row: EntityPlace & AtRest & JoinedKey): StoredProperties {
  const isSealed = Object.keys(row.sealed).length > 0
  return openProperties(isSealed ? openDataKey(keyring, row) : undefined, row)
}

/**
 * Returns the properties as stored. A sealed value in `before` is reused if value and type are unchanged, except for
 * keys in `unseen`, whose new sealed text must reveal nothing.
 */
export function sealProperties(
  { dataKey, indexKey }: { readonly dataKey: Buffer | undefined; readonly indexKey: IndexKey },
  place: EntityPlace,
  properties: StoredProperties,
  before?: {
    readonly opened: StoredProperties
    readonly atRest: AtRest
    readonly unseen: ReadonlySet<string>
  },
): AtRest {
  const sealed: [string, string][] = []
  const atRest = Object.entries(properties).map(([key, property]): [string, PropertyAtRest] => {
    const { fold: _, value, ...rest } = property
    if (!rest.sensitive) return [key, property]
    const old = before && ownValue(before.opened, key)
    const isSame =
      before?.unseen.has(key) === false &&
      old?.type === rest.type &&
      canonical(old.value) === canonical(value)
    const kept = isSame ? ownValue(before.atRest.sealed, key) : undefined
    sealed.push([key, kept ?? sealValue(dataKey, sealedPlaceOfProperty(place, key, rest.type), value)])
    const blind = kept !== undefined ? before?.atRest.properties[key]?.blind : undefined
    return [key, { ...rest, blind: blind ?? blindTerms(indexKey(), key, rest.type, value) }]
  })
  return { properties: Object.fromEntries(atRest), sealed: Object.fromEntries(sealed) }
}

const sealedPlaceOfProperty = ({ user, id }: EntityPlace, key: string, type: string): SealedPlace => ({
  user,
  entity: id,
  key,
  type,
})

/** Returns an own member of a record: users choose keys freely, and may choose `constructor`. */
function ownValue<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
