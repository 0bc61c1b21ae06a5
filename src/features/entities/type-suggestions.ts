import type { Entity } from '#contract/index.ts'

/** Types of entity to offer: the usual ones, and those that the user has. */
export function typeSuggestions(all: readonly Entity[]): readonly string[] {
  return [...new Set(['person', 'car', 'address', ...all.map(({ type }) => type)])]
}
