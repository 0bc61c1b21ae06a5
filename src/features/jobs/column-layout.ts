import type { ColumnLayout } from '../../ui/ListSkeleton.tsx'

/** Layout of the columns of the list of jobs, shared by the table and its skeleton. */
export const jobLayout = {
  what: { id: 'what' },
  state: { id: 'state', width: '152px' },
  result: { id: 'result', width: '20%', tabletWidth: '18%' },
  by: { id: 'by', width: '12%', tabletWidth: '80px', narrow: 'labelled' },
  // Exact, since jobs of one hour may look alike.
  time: { id: 'time', width: '144px', tabletWidth: '140px' },
} satisfies Record<string, ColumnLayout>
