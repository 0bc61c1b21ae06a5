import type { Filter, Judged } from '#contract/index.ts'

export type Match = 'all' | 'any' | 'not'

type Groups = { readonly all: unknown } | { readonly any: unknown } | { readonly not: unknown }

/** Returns the parts of a group and how they match. Accepts both a filter and an evaluated filter. */
export function groupOf<Of extends Filter | Judged>(group: Of & Groups) {
  const { all, any, not } = group as { readonly [match in Match]?: unknown }
  const match: Match = all ? 'all' : any ? 'any' : 'not'
  return { match, parts: (all ?? any ?? [not]) as readonly (Of extends Judged ? Judged : Filter)[] }
}
