import type { ColumnPlace } from '../../ui/ListSkeleton.tsx'

/** The columns of the keys of an entity type. */
export const places = {
  key: { id: 'key', width: '26%' },
  types: { id: 'types', width: '16%' },
  users: { id: 'users', width: '164px' },
  sensitive: { id: 'sensitive', width: '132px' },
  segments: { id: 'segments' },
} satisfies Record<string, ColumnPlace>
