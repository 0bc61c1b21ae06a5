import { type Dictionary, isKnownSensitive, type KnownKey } from '#contract/index.ts'

/** Type and sensitivity of the existing properties with a key. */
export interface KnownProperty {
  /** Undefined if no entity of the type has had the property. */
  readonly type?: string
  readonly sensitive: boolean
  /** Number of users with such a property; undefined if they have not been counted. */
  readonly users?: number
  /** Whether all properties with the key are sensitive. */
  readonly isAll?: boolean
  /** Another entity type that has the key, if the entity type itself does not. */
  readonly elsewhere?: string
}

/**
 * Suggests the type and sensitivity of a property from existing properties with its key. If in doubt, the property is
 * sensitive: without counts, a single sensitive property is enough. A key that the entity type does not have is
 * sensitive if nearly all properties with it in another entity type are.
 */
export function knownProperty(
  entity: string,
  key: string,
  { keys, dictionary }: { readonly keys: readonly KnownKey[]; readonly dictionary: Dictionary | undefined },
): KnownProperty | undefined {
  const entityTypes = dictionary?.entityTypes ?? []
  const countedIn = (type: string) =>
    entityTypes.find((each) => each.type === type)?.keys.find((each) => each.key === key)
  const counted = countedIn(entity)
  const [mostFrequent] = counted?.types ?? []
  if (counted && mostFrequent) {
    const isAll = counted.sensitive === counted.count
    return { type: mostFrequent.type, sensitive: isKnownSensitive(counted), users: counted.users, isAll }
  }
  const noted = keys.filter((each) => each.key === key)
  const [first] = noted
  const ever = noted.find(({ sensitive }) => sensitive === true)
  if (first) return { type: (ever ?? first).type, sensitive: ever !== undefined }
  const elsewhere = entityTypes.find(({ type }) => isKnownSensitive(countedIn(type) ?? nobody))?.type
  return elsewhere === undefined ? undefined : { sensitive: true, elsewhere }
}

const nobody = { count: 0, sensitive: 0 }

/** Property as edited in a form. */
export interface WrittenProperty {
  readonly key: string
  readonly type: string
  readonly sensitive: boolean
  /** Choices made by hand, which suggestions do not override. */
  readonly chosen?: { readonly type?: true; readonly sensitive?: true }
  /** Type and sensitivity of the row before suggestions were applied. */
  readonly unsettled?: { readonly type: string; readonly sensitive: boolean }
}

/**
 * Applies the suggested type and sensitivity to a row, except for choices made by hand. The type is also kept if a
 * value has been entered.
 */
export function applyKnown<Row extends WrittenProperty>(
  row: Row,
  known: KnownProperty | undefined,
  isTypeFree: boolean,
): Row {
  const { chosen, unsettled = { type: row.type, sensitive: row.sensitive } } = row
  const type = chosen?.type || !isTypeFree ? row.type : (known?.type ?? unsettled.type)
  const sensitive = chosen?.sensitive ? row.sensitive : unsettled.sensitive || known?.sensitive === true
  return type === row.type && sensitive === row.sensitive ? row : { ...row, type, sensitive, unsettled }
}

export const chooseType = <Row extends WrittenProperty>(row: Row, type: string): Row => ({
  ...row,
  type,
  chosen: { ...row.chosen, type: true },
})

export const chooseSensitivity = <Row extends WrittenProperty>(row: Row, sensitive: boolean): Row => ({
  ...row,
  sensitive,
  chosen: { ...row.chosen, sensitive: true },
})

/** Drops the choice to make a property non-sensitive, since it applied to the previous key or entity type. */
export function forgetOpening<Row extends WrittenProperty>(row: Row): Row {
  if (row.sensitive || row.chosen?.sensitive !== true) return row
  const { sensitive: _, ...chosen } = row.chosen
  return { ...row, chosen }
}
