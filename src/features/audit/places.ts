import type { ColumnPlace } from '../../ui/ListSkeleton.tsx'

/** The columns of the list. */
export const places = {
  user: { id: 'user', width: '22%' },
  time: { id: 'time', width: '128px' },
  kind: { id: 'kind', width: '104px' },
  keys: { id: 'keys', width: '20%' },
  actor: { id: 'actor', width: '18%' },
  why: { id: 'why' },
} satisfies Record<string, ColumnPlace>
