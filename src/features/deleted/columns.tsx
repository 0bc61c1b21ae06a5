import { Link } from 'react-router'

import type { Erasure } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { deletedText as text } from '../../messages/index.ts'
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
        {text.final} {final !== undefined && <Timestamp value={final} />}
      </>
    )
  if (!isByService || due === undefined) return text.operator
  return (
    <>
      {text.final} <Timestamp value={due} /> {text.latest}
    </>
  )
}

export const columns: readonly Column<Row>[] = [
  { ...places.user, header: text.columns.user, cell: ({ user }) => <ShortId id={user} /> },
  { ...places.deleted, header: text.columns.deleted, cell: ({ deleted }) => <Timestamp value={deleted} /> },
  {
    ...places.actor,
    header: text.columns.actor,
    cell: ({ actor }) => (actor === undefined ? dimmed(text.unknown) : <span {...hint(actor)}>{actor}</span>),
  },
  {
    ...places.reference,
    header: text.columns.reference,
    cell: ({ reference }) =>
      reference === undefined ? (
        dimmed(text.noReference)
      ) : (
        <span dir="auto" {...hint(reference)}>
          {reference}
        </span>
      ),
  },
  { ...places.state, header: text.columns.state, hint: text.stateHint, cell: (row) => <State {...row} /> },
  {
    ...places.receipt,
    header: text.columns.receipt,
    headerHidden: true,
    cell: ({ user }) => (
      <Link to={links.deletionReceipt(user)} aria-label={text.receiptOf(shortId(user))}>
        {text.columns.receipt}
      </Link>
    ),
  },
]
