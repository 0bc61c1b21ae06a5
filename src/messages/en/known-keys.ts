const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

/** Texts of a field for a key that other entities may have. */
export const knownKeyText = {
  list: 'Known properties',
  /** Said of a key that no entity of the chosen type has. */
  unknown: 'No entity of this type has this property.',
  otherType: ({ key, types }: { readonly key: string; readonly types: readonly string[] }) =>
    `“${key}” is stored as ${alternatives.format(types)}.`,
  takeType: (type: string) => `Use ${type}`,
}
