import type { ListView } from '../../domain/user-list/entries.ts'
import { readTrail, type Trail } from './paging.ts'

/** What an entry of the history keeps of the list, for a reload. */
interface KeptView extends ListView, Trail {
  /** Whose it is: somebody else who signs in in this tab meets none of it. */
  readonly by: string
  readonly offset: string
}

/**
 * Conditions and order stand in the entry of the history itself, which a reload keeps and no address shows; but not
 * what is looked for in a sensitive property, which the browser may write to the disk with it.
 */
export function keepView(entryKey: string, { conditions, ...view }: KeptView): void {
  const state = history.state as { readonly key?: string; readonly usr?: object | null } | null
  // The router's own way of keeping the state of an entry, without a navigation; the first entry has no key yet.
  if ((state?.key ?? 'default') !== entryKey) return
  const isKept = conditions.length > 0 ? !conditions.some(({ isSensitive }) => isSensitive) : view.sort
  const { list, ...usr } = (state?.usr ?? {}) as { readonly list?: unknown }
  if (isKept) history.replaceState({ ...state, usr: { ...usr, list: { ...view, conditions } } }, '')
  else if (list !== undefined) history.replaceState({ ...state, usr }, '')
}

export function keptView(
  state: unknown,
  by: string,
): (ListView & Trail & { readonly offset: string }) | undefined {
  const { list } = (state ?? {}) as { readonly list?: KeptView }
  if (list?.by !== by) return undefined
  const { conditions, sort, offset } = list
  return { conditions, sort, offset, ...readTrail(list) }
}
