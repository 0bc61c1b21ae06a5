import type { Entity } from '#contract/index.ts'

/** Returns the entity types to suggest: the common ones, and those of the user's entities. */
export function typeSuggestions(all: readonly Entity[]): readonly string[] {
  return [...new Set(['person', 'car', 'address', ...all.map(({ type }) => type)])]
}
