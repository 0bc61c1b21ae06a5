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
    q: address.get('q') || undefined,
    from: momentIn(address, 'from'),
    to: momentIn(address, 'to'),
    offset: address.get('offset') || undefined,
  }
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
  state: { id: 'state', width: '200px', tabletWidth: '128px' },
  receipt: { id: 'receipt', width: '80px', tabletWidth: '72px' },
} satisfies Record<string, ColumnLayout>
