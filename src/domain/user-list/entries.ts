import type { QueryClient } from '@tanstack/react-query'

import type { Filter } from '#contract/index.ts'
import { isFull } from '../../api/index.ts'
import { links } from '../links.ts'
import type { UserSource } from './user-pages.ts'

/**
 * Key of the remembered state of the list, by history entry. It is kept in the query cache, since it is as personal as
 * the answers there.
 */
export const listEntriesKey = ['users', 'list entry'] as const

/** Ids of the users who are selected, apart from the entries: selecting takes as long as it takes. */
export const selectionKey = ['users', 'selected'] as const

/** Conditions and order by which the list shows the users of a segment, or all users. */
export interface ListView {
  /** All of them hold. */
  readonly conditions: readonly ListCondition[]
  /** Absent: as the service lists them. */
  readonly sort: UserSort | undefined
}

export interface ListCondition {
  /** Stable id, whatever changes in the condition or before it. */
  readonly id: string
  readonly filter: Filter
  /** Whether it names the value of a property that is sensitive, or may be. */
  readonly isSensitive: boolean
}

export type UserSort = NonNullable<NonNullable<UserSource['search']>['sort']>

/** The part of the list's remembered state that other pages need. */
export interface ListEntry extends ListView {
  readonly segment: string
  /** Text in the search box. */
  readonly text: string
  /** Text of the search; `''`: no search, the plain list. */
  readonly q: string
}

export const wholeList: ListView = { conditions: [], sort: undefined }

/** State of a link to the list: it begins with users whom a filter finds. `by`: subject of the person who follows it. */
export function beginningWith(by: string, filter: Filter) {
  const conditions: readonly ListCondition[] = [{ id: crypto.randomUUID(), filter, isSensitive: false }]
  return { list: { by, conditions, offset: '', visited: [] } }
}

/** Returns the search that shows this list; `undefined`: the plain list needs none. */
export function searchOf({ segment, q, conditions, sort }: ListEntry): UserSource['search'] {
  const isSearch = q !== '' && isFull()
  if (!isSearch && conditions.length === 0 && sort === undefined) return undefined
  return {
    ...(isSearch && { q }),
    ...(conditions.length > 0 && { filter: filterOf(filtersOf(conditions)) }),
    // The best match comes first, whatever the order of the list.
    ...(!isSearch && sort !== undefined && { sort }),
    ...(segment !== '' && { segment }),
  }
}

/** One filter, of which all of these hold. */
function filterOf(filters: readonly Filter[]): Filter {
  const [only, ...others] = filters
  return only && others.length === 0 ? only : { all: [...filters] }
}

const filtersOf = (conditions: readonly ListCondition[]) => conditions.map(({ filter }) => filter)

/** The list as a segment would have it, without what is searched for. */
export function segmentFilterOf({ segment, conditions }: ListEntry): Filter {
  return filterOf([...(segment === '' ? [] : [{ segment }]), ...filtersOf(conditions)])
}

/**
 * Whom the list names by conditions, or by a segment alone; `undefined`: by nothing, or by a text that is searched for,
 * too. Nothing may take that for everybody.
 */
export function namedBy(entry: ListEntry) {
  const { q, segment, conditions } = entry
  if (q !== '') return undefined
  if (conditions.length > 0) return { filter: segmentFilterOf(entry) }
  return segment === '' ? undefined : { segment }
}

/** The list that a page was come to from, if it is still known: `state` names its entry of the history. */
export function listEntryOf(client: QueryClient, state: unknown): ListEntry | undefined {
  const { listEntry } = (state ?? {}) as { readonly listEntry?: string }
  return listEntry === undefined ? undefined : client.getQueryData([...listEntriesKey, listEntry])
}

/** Whether a page was come to from the list, though nobody may know any more what that showed. */
export function isFromList(state: unknown): boolean {
  return (state as { readonly listEntry?: string } | null)?.listEntry !== undefined
}

/** The way to the list with a text in its search box. The text is personal: it is handed over in memory. */
export function listWithText(client: QueryClient, text: string) {
  const listEntry = crypto.randomUUID()
  client.setQueryData([...listEntriesKey, listEntry], { text })
  return { to: links.users(), state: { listEntry } }
}
