import { Link } from 'react-router'

import type { Erasure } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { deletedText } from '../../messages/index.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { hint } from '../../ui/Hint.tsx'
import { ShortId, shortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { places } from './places.ts'

export interface Row extends Erasure {
  /** The service finalises the deletion by itself. */
  readonly isByService: boolean
}

const dimmed = (words: string) => <span className="ds-dimmed">{words}</span>

function State({ state, due, final, isByService }: Row) {
  if (state !== 'waiting')
    return (
      <>
        {deletedText.final} {final !== undefined && <Timestamp value={final} />}
      </>
    )
  if (!isByService || due === undefined) return deletedText.operator
  return (
    <>
      {deletedText.final} <Timestamp value={due} /> {deletedText.latest}
    </>
  )
}

export const columns: readonly Column<Row>[] = [
  { ...places.user, header: deletedText.columns.user, cell: ({ user }) => <ShortId id={user} /> },
  {
    ...places.deleted,
    header: deletedText.columns.deleted,
    cell: ({ deleted }) => <Timestamp value={deleted} />,
  },
  {
    ...places.actor,
    header: deletedText.columns.actor,
    cell: ({ actor }) =>
      actor === undefined ? dimmed(deletedText.unknown) : <span {...hint(actor)}>{actor}</span>,
  },
  {
    ...places.reference,
    header: deletedText.columns.reference,
    cell: ({ reference }) =>
      reference === undefined ? (
        dimmed(deletedText.noReference)
      ) : (
        <span dir="auto" {...hint(reference)}>
          {reference}
        </span>
      ),
  },
  {
    ...places.state,
    header: deletedText.columns.state,
    hint: deletedText.stateHint,
    cell: (row) => <State {...row} />,
  },
  {
    ...places.receipt,
    header: deletedText.columns.receipt,
    headerHidden: true,
    cell: ({ user }) => (
      <Link to={links.deletionReceipt(user)} aria-label={deletedText.receiptOf(shortId(user))}>
        {deletedText.columns.receipt}
      </Link>
    ),
  },
]
