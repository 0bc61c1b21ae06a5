import { type Dictionary, isKnownSensitive, type KnownKey } from '#contract/index.ts'

/** A key, as the properties that have it are. */
export interface KnownProperty {
  /** Absent: no entity of the type has had it. */
  readonly type?: string
  readonly sensitive: boolean
  /** How many users have one; absent: they have not been counted. */
  readonly users?: number
  /** None of them is in clear. */
  readonly isAll?: boolean
  /** Another type of entity, by which it is known alone. */
  readonly elsewhere?: string
}

/**
 * Suggests type and sensitivity for a property with this key, from those that exist. In doubt it is sensitive: without
 * counts, a single sensitive one is enough, and so is a sensitive one in another entity type.
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

/** A property as it is written in a form. */
export interface WrittenProperty {
  readonly key: string
  readonly type: string
  readonly sensitive: boolean
  /** Choices made by hand, which stay. */
  readonly chosen?: { readonly type?: true; readonly sensitive?: true }
  /** The row before its key was known. */
  readonly unsettled?: { readonly type: string; readonly sensitive: boolean }
}

/** With type and sensitivity as they are known, but for what was chosen by hand, and for a type in which a value stands. */
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

/** Under another key, or of another type of entity: that it is in clear was chosen for the one before. */
export function forgetOpening<Row extends WrittenProperty>(row: Row): Row {
  if (row.sensitive || row.chosen?.sensitive !== true) return row
  const { sensitive: _, ...chosen } = row.chosen
  return { ...row, chosen }
}
