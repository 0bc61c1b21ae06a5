import type { QueryClient } from '@tanstack/react-query'

import type { Filter } from '#contract/index.ts'
import { recall, remember } from '../../api/index.ts'
import { links } from '../links.ts'
import type { UsersQuery } from '../queries/users.ts'
import { type PageAt, readVisited } from './paging.ts'
import type { UserSource } from './user-pages.ts'

export interface ListView {
  /** Conditions, all of which a user matches. */
  readonly conditions: readonly ListCondition[]
  /** Sort order; undefined for the service's own order. */
  readonly sort: UserSort | undefined
}

export interface ListCondition {
  /** Id that stays the same when this condition or an earlier one changes. */
  readonly id: string
  readonly filter: Filter
  /** Whether the condition contains the value of a property that is, or may be, sensitive. */
  readonly isSensitive: boolean
}

export type UserSort = NonNullable<NonNullable<UserSource['search']>['sort']>

/** State of the list for one history entry. */
export interface ListState extends ListView, PageAt {
  readonly segment: string
  readonly text: string
  /** Text of the current search; `''` for the plain list. */
  readonly q: string
  /** User that was opened from the list, and the scroll position at that time. */
  readonly left?: { readonly row: string; readonly top: number }
}

const firstPage = { offset: '', visited: [] } as const

export const wholeList: ListState = {
  segment: '',
  text: '',
  q: '',
  conditions: [],
  sort: undefined,
  ...firstPage,
}

export type ListAction =
  | { readonly is: 'type'; readonly text: string }
  | { readonly is: 'search'; readonly q: string }
  | { readonly is: 'show'; readonly view: Partial<ListView> }
  | { readonly is: 'turn'; readonly page: PageAt }
  | { readonly is: 'leave'; readonly row: string; readonly top: number }

/** Applies an action to the list's state. A new search, condition or sort order starts at the first page. */
export function reduceList(list: ListState, action: ListAction): ListState {
  switch (action.is) {
    case 'type':
      return action.text.trim() === ''
        ? { ...list, text: action.text, q: '', ...firstPage }
        : { ...list, text: action.text }
    case 'search':
      return { ...list, q: action.q, ...firstPage }
    case 'show':
      return { ...list, ...action.view, ...firstPage }
    case 'turn':
      return { ...list, ...action.page }
    case 'leave':
      return { ...list, left: { row: action.row, top: action.top } }
  }
}

/** Returns the search for this list; `undefined` if it is the plain list. */
export function searchOf({ segment, q, conditions, sort }: ListState): UserSource['search'] {
  if (q === '' && conditions.length === 0 && sort === undefined) return undefined
  return {
    ...(q !== '' && { q }),
    ...(conditions.length > 0 && { filter: joinFilters(filtersOf(conditions)) }),
    // The results of a text search are sorted by relevance, so the list's sort order is not sent.
    ...(q === '' && sort !== undefined && { sort }),
    ...(segment !== '' && { segment }),
  }
}

function joinFilters(filters: readonly Filter[]): Filter {
  const [only, ...others] = filters
  return only && others.length === 0 ? only : { all: [...filters] }
}

const filtersOf = (conditions: readonly ListCondition[]) => conditions.map(({ filter }) => filter)

/** Returns a segment filter for the users of the list. A segment cannot search by text, so the text is left out. */
export function segmentFilterOf({ segment, conditions }: ListState): Filter {
  return joinFilters([...(segment === '' ? [] : [{ segment }]), ...filtersOf(conditions)])
}

/**
 * Returns the users of the list as the target of a bulk change: by conditions, or by segment. Returns `undefined` if
 * the list has neither or is also narrowed by a text search; callers must not take that to mean all users.
 */
export function audienceOf(list: ListState) {
  const { q, segment, conditions } = list
  if (q !== '') return undefined
  if (conditions.length > 0) return { filter: segmentFilterOf(list) }
  return segment === '' ? undefined : { segment }
}

// In-memory state of the session: the full state of the list by history entry.

/** Time after which the list's state is forgotten: longer than viewing a user usually takes. */
const rememberedMs = 30 * 60_000

export function readMemory(client: QueryClient, entryKey: string): ListState | undefined {
  return recall(client, 'list', entryKey) as ListState | undefined
}

export function writeMemory(client: QueryClient, entryKey: string, list: ListState): void {
  remember(client, ['list', entryKey], list, rememberedMs)
}

function originOf(historyState: unknown): string | undefined {
  return (historyState as { readonly listEntry?: string } | null | undefined)?.listEntry
}

/** Returns the list from which a page was opened, if it is still in memory. */
export function recallList(client: QueryClient, historyState: unknown): ListState | undefined {
  const origin = originOf(historyState)
  return origin === undefined ? undefined : readMemory(client, origin)
}

/** Whether a page was opened from the list, even if the list's state has been forgotten. */
export function isFromList(historyState: unknown): boolean {
  return originOf(historyState) !== undefined
}

/**
 * Returns a link target for the list with a text in its search box. The text is personal data, so it is passed in
 * memory.
 */
export function listWithText(client: QueryClient, text: string) {
  const listEntry = crypto.randomUUID()
  // The segment is left out, so that the list starts with a fresh state and searches at once.
  remember(client, ['list', listEntry], { text } satisfies Partial<ListState>, rememberedMs)
  return { to: links.users(), state: { listEntry } }
}

// Part of the state kept in the history entry: view and page, which survive a reload and appear in no URL. If a
// condition may be sensitive, nothing is kept, since the browser may write history entries to disk.

interface KeptList extends ListView, PageAt {
  /** Subject who created the entry: another person who signs in in this tab must not see it. */
  readonly by: string
}

/** Returns the list's state for a history entry; `undefined` if there is no view to keep, or if it must not be kept. */
export function toHistory(list: ListState, by: string): { readonly list: KeptList } | undefined {
  const { conditions, sort, q } = list
  if (conditions.length === 0 && sort === undefined) return undefined
  if (conditions.some(({ isSensitive }) => isSensitive)) return undefined
  // Pages of a search are useless without its text.
  const { offset, visited } = q === '' ? list : firstPage
  return { list: { by, conditions, sort, offset, visited } }
}

export function readHistory(historyState: unknown, by: string): (ListView & PageAt) | undefined {
  const { list } = (historyState ?? {}) as { readonly list?: KeptList }
  if (list?.by !== by) return undefined
  const { conditions, sort, offset } = list
  return { conditions, sort, offset, visited: readVisited(list) }
}

/**
 * Returns the state of a link to the list that shows the users matching a filter. `by`: subject of the person who
 * follows the link.
 */
export function listWithFilter(by: string, filter: Filter) {
  const conditions = [{ id: crypto.randomUUID(), filter, isSensitive: false }]
  return toHistory({ ...wholeList, conditions }, by)
}

/**
 * Page of the list from which a user was opened. It is kept in the history entry of the user's page and survives a
 * reload. A search text does not: it is personal data and stays in memory with the list.
 */
export interface ListPlace extends PageAt {
  /** Subject who opened the user: another person who signs in in this tab must not see the place. */
  readonly by: string
  readonly listEntry: string
  /** Parameters of the list; undefined if they are kept only in memory. */
  readonly query: Omit<UsersQuery, 'offset'> | undefined
}

export function placeState(place: ListPlace | undefined) {
  return place && { place }
}

/** Returns a user's place in the list, which the tabs of their page need: links between them carry no state. */
export const recallPlace = (client: QueryClient, userId: string) =>
  recall(client, 'place', userId) as ListPlace | undefined

export function rememberPlace(client: QueryClient, userId: string, place: ListPlace): void {
  remember(client, ['place', userId], place, rememberedMs)
}

/**
 * Returns the parameters of a place's page; `undefined` if its search has been forgotten or belongs to another person.
 */
export function readPlaceQuery(
  client: QueryClient,
  place: ListPlace,
  subject: string,
): UsersQuery | undefined {
  const { by, listEntry, query, offset } = place
  if (by !== subject) return undefined
  if (query) return { ...query, offset }
  const list = readMemory(client, listEntry)
  return list && { segment: list.segment, ...searchOf(list), offset }
}
