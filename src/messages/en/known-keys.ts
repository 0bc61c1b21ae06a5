const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

/** Texts of a field for a key that other entities may have. */
export const knownKeyText = {
  list: 'Known keys',
  /** Said of a key that no entity of the chosen type has had. */
  unknown: 'No entity of this type has had this key.',
  otherType: (key: string, types: readonly string[]) =>
    `“${key}” has another type: ${alternatives.format(types)}.`,
  takeType: (type: string) => `Use ${type}`,
}
