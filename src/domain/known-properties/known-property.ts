import { type Dictionary, fold, isKnownSensitive, type KnownKey } from '#contract/index.ts'

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

/**
 * Suggests a known key that the row's key is probably a typo of; or the same key with its usual type, if the row's
 * type differs.
 */
export function adviceOn({ key, type }: Pick<WrittenProperty, 'key' | 'type'>, known: readonly KnownKey[]) {
  const same = known.filter((each) => each.key === key)
  if (same.some((each) => each.type === type)) return undefined
  const [first] = same
  if (first) return { known: first, about: 'type' as const }
  const near = known.find((each) => isNear(plainKey(key), plainKey(each.key)))
  return near && { known: near, about: 'key' as const }
}

/** Normalizes a key by removing incidental differences: case and word separators. */
const plainKey = (key: string) => fold(key).replaceAll(/[\s._-]/g, '')

/**
 * Whether two keys are equal or one typo apart: in at least five letters, one is missing, added, different, or swapped
 * with its neighbour.
 */
function isNear(a: string, b: string): boolean {
  if (a === b) return a !== ''
  if (Math.min(a.length, b.length) < 4 || Math.max(a.length, b.length) < 5) return false
  let from = 0
  while (from < a.length && a[from] === b[from]) from += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - from && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [left, right] = [a.slice(from, a.length - end), b.slice(from, b.length - end)]
  const isSwapped = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
  return isSwapped || (left.length <= 1 && right.length <= 1)
}
