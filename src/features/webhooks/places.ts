import type { ColumnPlace } from '../../ui/skeletons/ListSkeleton.tsx'

/** The columns of the list of webhooks. */
export const webhookPlaces = {
  url: { id: 'url' },
  state: { id: 'state', width: '140px', tabletWidth: '108px' },
  types: { id: 'types', width: '22%', tabletWidth: '15%', narrow: 'labelled' },
  lastSuccess: { id: 'lastSuccess', width: '104px', tabletWidth: '92px', narrow: 'labelled' },
  lastFailure: { id: 'lastFailure', width: '104px', tabletWidth: '84px', narrow: 'labelled' },
  waiting: { id: 'waiting', width: '104px', tabletWidth: '76px', align: 'end', narrow: 'labelled' },
} satisfies Record<string, ColumnPlace>
