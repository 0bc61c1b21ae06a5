import type { ColumnLayout } from '../../ui/ListSkeleton.tsx'

/** Layout of the columns of the segment list, shared by the table and its skeleton. */
export const segmentLayout = {
  name: { id: 'name', width: '28%' },
  who: { id: 'who' },
  usedBy: { id: 'usedBy', width: '15%', tabletWidth: '18%', narrow: 'labelled' },
  updated: { id: 'updated', width: '90px', narrow: 'labelled' },
  users: { id: 'users', width: '208px', tabletWidth: '112px', align: 'end', narrow: 'labelled' },
} satisfies Record<string, ColumnLayout>
