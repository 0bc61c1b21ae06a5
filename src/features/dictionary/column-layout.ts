import type { ColumnLayout } from '../../ui/ListSkeleton.tsx'

/** Columns of the table of keys of an entity type. */
export const dictionaryLayout = {
  key: { id: 'key', width: '26%', tabletWidth: '26%' },
  types: { id: 'types', width: '16%', tabletWidth: '17%' },
  users: { id: 'users', width: '164px', tabletWidth: '108px' },
  sensitive: { id: 'sensitive', width: '132px', tabletWidth: '108px' },
  segments: { id: 'segments' },
} satisfies Record<string, ColumnLayout>
