import type { ColumnLayout } from '../../ui/ListSkeleton.tsx'

/** Layout of the columns of the webhook list, shared by the table and its skeleton. */
export const subscriptionLayout = {
  url: { id: 'url' },
  state: { id: 'state', width: '160px', tabletWidth: '156px' },
  types: { id: 'types', width: '22%', tabletWidth: '15%', narrow: 'labelled' },
  last: { id: 'last', width: '184px', tabletWidth: '144px' },
  waiting: { id: 'waiting', width: '112px', tabletWidth: '74px', align: 'end', narrow: 'labelled' },
} satisfies Record<string, ColumnLayout>
