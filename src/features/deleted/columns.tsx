import { Link } from 'react-router'

import type { Erasure } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { deletedText } from '../../messages/index.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { hint } from '../../ui/Hint.tsx'
import { ShortId, shortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { deletedPlaces } from './list-state.ts'

export interface DeletedRow extends Erasure {
  /** Whether the service makes the deletion final by itself. */
  readonly isByService: boolean
}

const renderDimmed = (words: string) => <span className="ds-dimmed">{words}</span>

function DeletionState({ state, due, final, isByService }: DeletedRow) {
  if (state !== 'waiting')
    return final === undefined
      ? deletedText.final
      : deletedText.finalSince.withElements({ time: <Timestamp value={final} /> })
  if (!isByService || due === undefined) return deletedText.operator
  return deletedText.finalAtLatest.withElements({ time: <Timestamp value={due} /> })
}

export const deletedColumns: readonly Column<DeletedRow>[] = [
  { ...deletedPlaces.user, header: deletedText.columns.user, cell: ({ user }) => <ShortId id={user} /> },
  {
    ...deletedPlaces.deleted,
    header: deletedText.columns.deleted,
    cell: ({ deleted }) => <Timestamp value={deleted} />,
  },
  {
    ...deletedPlaces.actor,
    header: deletedText.columns.actor,
    cell: ({ actor }) =>
      actor === undefined ? renderDimmed(deletedText.unknown) : <span {...hint(actor)}>{actor}</span>,
  },
  {
    ...deletedPlaces.reference,
    header: deletedText.columns.reference,
    cell: ({ reference }) =>
      reference === undefined ? (
        renderDimmed(deletedText.noReference)
      ) : (
        <span dir="auto" {...hint(reference)}>
          {reference}
        </span>
      ),
  },
  {
    ...deletedPlaces.state,
    header: deletedText.columns.state,
    hint: deletedText.stateHint,
    cell: (row) => <DeletionState {...row} />,
  },
  {
    ...deletedPlaces.receipt,
    header: deletedText.columns.receipt,
    headerHidden: true,
    cell: ({ user }) => (
      <Link to={links.deletionReceipt(user)} aria-label={deletedText.receiptOf({ id: shortId(user) })}>
        {deletedText.columns.receipt}
      </Link>
    ),
  },
]
