import type { ColumnPlace } from '../../ui/skeletons/ListSkeleton.tsx'

/** Columns of the list of deleted users. */
export const deletedPlaces = {
  user: { id: 'user', width: '168px' },
  deleted: { id: 'deleted', width: '112px' },
  actor: { id: 'actor', width: '20%' },
  reference: { id: 'reference' },
  state: { id: 'state', width: '200px' },
  receipt: { id: 'receipt', width: '80px' },
} satisfies Record<string, ColumnPlace>
