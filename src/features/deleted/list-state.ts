import type { QueryClient } from '@tanstack/react-query'

import { q, recall, remember } from '../../api/index.ts'
import { momentIn } from '../../domain/log-page/moments.ts'
import type { ColumnLayout } from '../../ui/ListSkeleton.tsx'

export const deletedStates = ['all', 'waiting', 'final'] as const

export interface DeletedFilter {
  readonly state: (typeof deletedStates)[number]
  /** Part of the reference or of the actor, or the beginning of the id: no personal data of the user. */
  readonly q?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface DeletedListState extends DeletedFilter {
  /** Opaque cursor from the previous page; undefined for the newest page. */
  readonly offset?: string | undefined
}

export function readListState(address: URLSearchParams): DeletedListState {
  return {
    state: deletedStates.find((state) => state === address.get('state')) ?? 'all',
    from: momentIn(address, 'from'),
    to: momentIn(address, 'to'),
    offset: address.get('offset') || undefined,
  }
}

/** Query for a page of deletions. */
export const deletedQuery = (list: DeletedListState) => q('searchErasures', { body: list })

/** History state of a list that is narrowed by a text, which may be about a person: only the session remembers it. */
export interface Sought {
  /** Name under which the session remembers the text. */
  readonly sought?: string
  /** Cursor of the page. It belongs to the text, so the URL has none. */
  readonly after?: string
}

/** Returns the list of an address, and what the history entry says of it as long as the session remembers the text. */
export function findListState(
  client: QueryClient,
  address: URLSearchParams,
  state: unknown,
): DeletedListState {
  const { sought, after } = (state ?? {}) as Sought
  const text = sought === undefined ? undefined : (recall(client, 'sought', sought) as string | undefined)
  return text === undefined ? readListState(address) : { ...readListState(address), q: text, offset: after }
}

/** Remembers the text. Returns the history state of a list that it narrows. */
export function keepSought(client: QueryClient, text: string | undefined): Sought {
  if (text === undefined) return {}
  const sought = crypto.randomUUID()
  remember(client, ['sought', sought], text, Infinity)
  return { sought }
}

/** Whether the list is narrowed by more than the state. */
export function isDeletedFiltered({ q, from, to }: DeletedFilter): boolean {
  return q !== undefined || from !== undefined || to !== undefined
}

export const deletedLayout = {
  user: { id: 'user', width: '168px', tabletWidth: '146px' },
  deleted: { id: 'deleted', width: '112px', tabletWidth: '84px' },
  actor: { id: 'actor', width: '20%', tabletWidth: '16%' },
  reference: { id: 'reference' },
  state: { id: 'state', width: '220px', tabletWidth: '144px' },
} satisfies Record<string, ColumnLayout>
