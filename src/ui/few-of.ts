/**
 * The first few of a list that is folded; all of it where only one would be hidden, which takes no more room than the line
 * that says so.
 */
export function fewOf<Item>(all: readonly Item[], few: number): readonly Item[] {
  return all.length <= few + 1 ? all : all.slice(0, few)
}
