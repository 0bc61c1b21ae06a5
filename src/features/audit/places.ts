import type { ColumnPlace } from '../../ui/skeletons/ListSkeleton.tsx'

/** Widths of the columns of the list, for its skeleton too. */
export const auditPlaces = {
  user: { id: 'user', width: '17%' },
  time: { id: 'time', width: '156px' },
  kind: { id: 'kind', width: '104px' },
  keys: { id: 'keys', width: '17%' },
  actor: { id: 'actor', width: '15%' },
  why: { id: 'why' },
} satisfies Record<string, ColumnPlace>

/** Widths of the columns of the actors above it. */
export const actorPlaces = {
  actor: { id: 'actor', width: '24%' },
  mark: { id: 'mark', width: '112px' },
  people: { id: 'people', width: '88px', align: 'end', narrow: 'labelled' },
  reads: { id: 'reads', width: '88px', align: 'end', narrow: 'labelled' },
  checks: { id: 'checks', width: '88px', align: 'end', narrow: 'labelled' },
  changes: { id: 'changes', width: '88px', align: 'end', narrow: 'labelled' },
  busiest: { id: 'busiest', narrow: 'labelled' },
} satisfies Record<string, ColumnPlace>

/** Number of actors listed initially. */
export const shownActors = 5
