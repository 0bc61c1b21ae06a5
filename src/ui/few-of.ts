/**
 * Returns the first few items of a collapsed list. Returns all of them if only one would be hidden, because it takes
 * no more room than the line that says so.
 */
export function fewOf<Item>(all: readonly Item[], few: number): readonly Item[] {
  return all.length <= few + 1 ? all : all.slice(0, few)
}
