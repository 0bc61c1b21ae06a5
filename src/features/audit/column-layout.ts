import type { ColumnLayout } from '../../ui/ListSkeleton.tsx'

/** Column widths of the list, shared with its skeleton. */
export const auditLayout = {
  user: { id: 'user', width: '17%' },
  time: { id: 'time', width: '160px' },
  kind: { id: 'kind', width: '104px' },
  keys: { id: 'keys', width: '17%' },
  actor: { id: 'actor', width: '15%' },
  why: { id: 'why' },
} satisfies Record<string, ColumnLayout>

/** Column widths of the table of actors above the list. */
export const actorLayout = {
  actor: { id: 'actor' },
  people: { id: 'people', width: '104px', tabletWidth: '76px', align: 'end', narrow: 'labelled' },
  reads: { id: 'reads', width: '104px', tabletWidth: '76px', align: 'end', narrow: 'labelled' },
  checks: { id: 'checks', width: '104px', tabletWidth: '76px', align: 'end', narrow: 'labelled' },
  changes: { id: 'changes', width: '104px', tabletWidth: '76px', align: 'end', narrow: 'labelled' },
  busiest: { id: 'busiest', width: '224px', tabletWidth: '204px', narrow: 'labelled' },
} satisfies Record<string, ColumnLayout>

export const shownActors = 5
