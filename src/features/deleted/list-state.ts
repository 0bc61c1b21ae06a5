import type { ColumnLayout } from '../../ui/ListSkeleton.tsx'

export const deletedStates = ['all', 'waiting', 'final'] as const

export interface DeletedListState {
  readonly state: (typeof deletedStates)[number]
  /** Opaque cursor from the previous page; undefined for the newest page. */
  readonly offset?: string | undefined
}

export function readListState(address: URLSearchParams): DeletedListState {
  return {
    state: deletedStates.find((state) => state === address.get('state')) ?? 'all',
    offset: address.get('offset') || undefined,
  }
}

export const deletedLayout = {
  user: { id: 'user', width: '168px' },
  deleted: { id: 'deleted', width: '112px' },
  actor: { id: 'actor', width: '20%' },
  reference: { id: 'reference' },
  state: { id: 'state', width: '200px' },
  receipt: { id: 'receipt', width: '80px' },
} satisfies Record<string, ColumnLayout>
