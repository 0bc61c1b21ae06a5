import type { ColumnLayout } from '../../ui/ListSkeleton.tsx'

/** Layout of the columns of the webhook list, shared by the table and its skeleton. */
export const subscriptionLayout = {
  url: { id: 'url' },
  state: { id: 'state', width: '160px', tabletWidth: '156px' },
  types: { id: 'types', width: '22%', tabletWidth: '15%', narrow: 'labelled' },
  lastSuccess: { id: 'lastSuccess', width: '104px', tabletWidth: '74px', narrow: 'labelled' },
  lastFailure: { id: 'lastFailure', width: '104px', tabletWidth: '74px', narrow: 'labelled' },
  waiting: { id: 'waiting', width: '104px', tabletWidth: '72px', align: 'end', narrow: 'labelled' },
} satisfies Record<string, ColumnLayout>
