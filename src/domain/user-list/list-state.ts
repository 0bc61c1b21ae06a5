import type { QueryClient } from '@tanstack/react-query'

import type { Filter, User } from '#contract/index.ts'
import { links } from '../links.ts'
import type { UsersAsked } from '../queries/users.ts'
import { idle, type Work } from '../work/use-work.ts'
import type { UserSource } from './user-pages.ts'

/** Conditions and order by which the list shows the users of a segment, or all users. */
export interface ListView {
  /** A user matches all of them. */
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

/** The pages of a list before one of them, the earliest first. */
export type VisitedPages = readonly { readonly offset: string; readonly rows: number }[]

/** A page of the list, or of what a search finds: offsets only lead forward, so the way back is kept. */
export interface PageAt {
  readonly offset: string
  readonly visited: VisitedPages
}

/** State of the list for one history entry, beyond what its address holds. */
export interface ListState extends ListView, PageAt {
  readonly segment: string
  /** Text in the search box. */
  readonly text: string
  /** Text that the service searches for; `''`: no search, the plain list. */
  readonly q: string
  /** Search of a service that cannot search. */
  readonly local: LocalSearch | undefined
  /** The user that was opened, and how far the window was scrolled then. */
  readonly left?: { readonly row: string; readonly top: number }
}

/** A text that is opened as an id, or looked for in all pages. */
export interface LocalSearch {
  readonly text: string
  readonly isId: boolean
  readonly scan: Work<Scan, void>
}

/** Progress of a search through all pages of a segment. */
export interface Scan {
  readonly searched: number
  /** Number of users to search; undefined if the service does not report it. */
  readonly total: number | undefined
  readonly matches: readonly User[]
  /** More matches were found than are kept, so the search has stopped. */
  readonly isCutOff: boolean
  /** Offset of the next page to search; absent behind the last one. */
  readonly next: string | undefined
}

const firstPage = { offset: '', visited: [], local: undefined } as const

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
  | { readonly is: 'search locally'; readonly text: string; readonly isId: boolean }
  | { readonly is: 'scan'; readonly change: (before: LocalSearch['scan']) => LocalSearch['scan'] }
  | { readonly is: 'show'; readonly view: Partial<ListView> }
  | { readonly is: 'turn'; readonly page: PageAt }
  | { readonly is: 'leave'; readonly row: string; readonly top: number }

/** Results of another text, view or order begin with their first page. */
export function reduceList(list: ListState, action: ListAction): ListState {
  switch (action.is) {
    case 'type':
      return action.text.trim() === ''
        ? { ...list, text: action.text, q: '', ...firstPage }
        : { ...list, text: action.text }
    case 'search':
      return { ...list, q: action.q, ...firstPage }
    case 'search locally': {
      const { text, isId } = action
      return { ...list, ...firstPage, local: { text, isId, scan: idle } }
    }
    case 'scan':
      return list.local ? { ...list, local: { ...list.local, scan: action.change(list.local.scan) } } : list
    case 'show':
      return { ...list, ...action.view, ...firstPage }
    case 'turn':
      return { ...list, ...action.page }
    case 'leave':
      return { ...list, left: { row: action.row, top: action.top } }
  }
}

/** Returns the search that shows this list; `undefined`: the plain list needs none. */
export function searchOf({ segment, q, conditions, sort }: ListState): UserSource['search'] {
  if (q === '' && conditions.length === 0 && sort === undefined) return undefined
  return {
    ...(q !== '' && { q }),
    ...(conditions.length > 0 && { filter: joinFilters(filtersOf(conditions)) }),
    // The best match comes first, whatever the order of the list.
    ...(q === '' && sort !== undefined && { sort }),
    ...(segment !== '' && { segment }),
  }
}

/** One filter that asks for all of these. */
function joinFilters(filters: readonly Filter[]): Filter {
  const [only, ...others] = filters
  return only && others.length === 0 ? only : { all: [...filters] }
}

const filtersOf = (conditions: readonly ListCondition[]) => conditions.map(({ filter }) => filter)

/** Filter of a segment with the users of the list. A segment cannot search, so the text is left out. */
export function segmentFilterOf({ segment, conditions }: ListState): Filter {
  return joinFilters([...(segment === '' ? [] : [{ segment }]), ...filtersOf(conditions)])
}

/**
 * Users of the list as a bulk change names them: by conditions, or by a segment alone. `undefined`: the list has neither,
 * or is narrowed by a search too; a caller must not take that for all users.
 */
export function audienceOf(list: ListState) {
  const { q, segment, conditions } = list
  if (q !== '') return undefined
  if (conditions.length > 0) return { filter: segmentFilterOf(list) }
  return segment === '' ? undefined : { segment }
}

// Memory of the session: the whole state, by history entry. Search text is personal data; it is kept next to the cached
// responses and cleared with them at sign-out, and never enters an address, history.state or storage.

const memoryKey = ['users', 'list entry'] as const

/** Time until what was typed is forgotten: longer than a look at a user takes. */
const rememberedMs = 30 * 60_000

export function readMemory(client: QueryClient, entryKey: string): ListState | undefined {
  return client.getQueryData([...memoryKey, entryKey])
}

export function writeMemory(client: QueryClient, entryKey: string, list: ListState): void {
  const queryKey = [...memoryKey, entryKey]
  client.setQueryDefaults(memoryKey, { gcTime: rememberedMs })
  // The entry is created again, because its lifetime counts from creation.
  client.removeQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, list)
}

/** Key of the history entry of the list that a page was opened from. */
function originOf(historyState: unknown): string | undefined {
  return (historyState as { readonly listEntry?: string } | null | undefined)?.listEntry
}

/** The list that a page was opened from, if it is still known. */
export function recallList(client: QueryClient, historyState: unknown): ListState | undefined {
  const origin = originOf(historyState)
  return origin === undefined ? undefined : readMemory(client, origin)
}

/** Whether a page was opened from the list, though what that showed may have been forgotten. */
export function isFromList(historyState: unknown): boolean {
  return originOf(historyState) !== undefined
}

/** The way to the list with a text in its search box. The text is personal: it is handed over in memory. */
export function listWithText(client: QueryClient, text: string) {
  const listEntry = crypto.randomUUID()
  // No segment, so that the list begins a state of its own and searches at once.
  client.setQueryData<Partial<ListState>>([...memoryKey, listEntry], { text })
  return { to: links.users(), state: { listEntry } }
}

/** Key of the ids of selected users. They are no part of an entry, since a selection has no time limit. */
export const selectionKey = ['users', 'selected'] as const

/** A deleted user is no longer selected, and no longer among the matches of a search through all pages. */
export function removeFromLists(client: QueryClient, userId: string): void {
  client.setQueryData<ReadonlySet<string>>(
    selectionKey,
    (selected) => selected && new Set([...selected].filter((id) => id !== userId)),
  )
  client.setQueriesData<Partial<ListState>>({ queryKey: memoryKey }, (list) => {
    const progress = list?.local?.scan.progress
    if (!list?.local || !progress) return undefined
    const matches = progress.matches.filter(({ id }) => id !== userId)
    const scan = { ...list.local.scan, progress: { ...progress, matches } }
    return { ...list, local: { ...list.local, scan } }
  })
}

// History entry: view and page, which a reload keeps and no address shows. Conditions on sensitive properties stay out
// of it, since the browser may write an entry to the disk.

interface KeptList extends ListView, PageAt {
  /** Subject who made the entry: another person who signs in in this tab must not see it. */
  readonly by: string
}

/** State of a history entry for the list; `undefined`: it has no view to keep, or must not keep it. */
export function toHistory(list: ListState, by: string): { readonly list: KeptList } | undefined {
  const { conditions, sort, q, local } = list
  if (conditions.length === 0 && sort === undefined) return undefined
  if (conditions.some(({ isSensitive }) => isSensitive)) return undefined
  // Pages of a search are of no use without its text.
  const { offset, visited } = q === '' && !local ? list : firstPage
  return { list: { by, conditions, sort, offset, visited } }
}

export function readHistory(historyState: unknown, by: string): (ListView & PageAt) | undefined {
  const { list } = (historyState ?? {}) as { readonly list?: KeptList }
  if (list?.by !== by) return undefined
  const { conditions, sort, offset } = list
  return { conditions, sort, offset, visited: readVisited(list) }
}

/**
 * Pages before this one, from the state of a history entry. An entry that was opened by an address of somebody else has
 * none.
 */
export function readVisited(historyState: unknown): VisitedPages {
  const { visited } = (historyState ?? {}) as { visited?: unknown }
  return Array.isArray(visited) && visited.every(isVisited) ? visited : []
}

function isVisited(value: unknown): value is VisitedPages[number] {
  const { offset, rows } = (value ?? {}) as Record<string, unknown>
  return typeof offset === 'string' && typeof rows === 'number'
}

/** State of a link to the list: it begins with users whom a filter finds. `by`: subject of the person who follows it. */
export function listWithFilter(by: string, filter: Filter) {
  const conditions = [{ id: crypto.randomUUID(), filter, isSensitive: false }]
  return toHistory({ ...wholeList, conditions }, by)
}

/**
 * A page of the list from which a user was opened. It is kept in the history entry of the user's page and survives a
 * reload. A search text does not: it is personal, and stays in memory with the list.
 */
export interface ListPlace extends PageAt {
  /** Subject who opened the user: another person who signs in in this tab must not see the place. */
  readonly by: string
  /** The history entry of the list. */
  readonly listEntry: string
  /** Which users; absent: only the memory of the list knows. */
  readonly asked: Omit<UsersAsked, 'offset'> | undefined
}

export function placeState(place: ListPlace | undefined) {
  return place && { place }
}

/** Key of the place of a user, for the tabs of their page: these lead to each other without a state. */
export const placeKey = (userId: string) => [...memoryKey, 'place', userId]

/** Returns the query for the page of a place; `undefined`: its search is forgotten, or another person's. */
export function askedAt(client: QueryClient, place: ListPlace, subject: string): UsersAsked | undefined {
  const { by, listEntry, asked, offset } = place
  if (by !== subject) return undefined
  if (asked) return { ...asked, offset }
  const list = readMemory(client, listEntry)
  return list && { segment: list.segment, ...searchOf(list), offset }
}
