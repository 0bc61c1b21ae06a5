import { SegmentedControl } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import { q } from '../../api/index.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { links } from '../../domain/links.ts'
import type { DeletedUser } from '../../domain/queries/erasures.ts'
import { deletedText, shellText } from '../../messages/index.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { hint } from '../../ui/Hint.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ShortId, shortId } from '../../ui/ShortId.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { readListState, type DeletedListState, deletedLayout, deletedStates } from './list-state.ts'

const emptyTexts = { all: deletedText.empty, waiting: deletedText.noneWaiting, final: deletedText.noneFinal }

/** List of deleted users, with who deleted each and under which reference. The list state is kept in the URL. */
export function DeletedUsersPage() {
  const [address] = useSearchParams()
  const listState = readListState(address)
  const navigate = useNavigate()
  const { erasures, finalBy, next = '' } = useSuspenseQuery(q('listErasures', { query: listState })).data
  const rows = erasures.map((erasure) => Object.assign({}, erasure, { isByService: finalBy === 'service' }))
  const { title, body } = emptyTexts[listState.state]
  return (
    <>
      <PageHeader
        above={<BackLink to={links.users()}>{shellText.pages.users}</BackLink>}
        title={shellText.pages.deletedUsers}
        below={deletedText.lead}
      />
      <SegmentedControl
        size="xs"
        mb={12}
        aria-label={deletedText.filter}
        data={deletedStates.map((state) => ({ value: state, label: deletedText.states[state] }))}
        value={listState.state}
        onChange={(state) => void navigate(links.deletedUsers({ state }), { preventScrollReset: true })}
      />
      <DataTable
        label={shellText.pages.deletedUsers}
        columns={deletedColumns}
        rows={rows}
        rowKey={({ user }) => user}
        empty={<EmptyState title={title}>{body}</EmptyState>}
      />
      <DeletedPager {...listState} rows={rows.length} next={next} />
    </>
  )
}

interface DeletedPagerProps extends DeletedListState {
  readonly rows: number
  readonly next: string
}

/** Pager of the list. Cursors lead forward only, so the previous page is reached by going back in the history. */
function DeletedPager({ state, offset, rows, next }: DeletedPagerProps) {
  const navigate = useNavigate()
  const { above = offset === undefined ? 0 : undefined } = (useLocation().state ?? {}) as { above?: number }
  if (offset === undefined && next === '') return null
  const to = above === undefined ? undefined : above + rows
  return (
    <Pager
      {...(above !== undefined && rows > 0 && { from: above + 1, to })}
      onFirst={offset === undefined ? undefined : () => void navigate(links.deletedUsers({ state }))}
      onPrevious={above === undefined || above === 0 ? undefined : () => void navigate(-1)}
      onNext={
        next === ''
          ? undefined
          : () => void navigate(links.deletedUsers({ state, offset: next }), { state: { above: to } })
      }
    />
  )
}

const renderDimmed = (words: string) => <span className="ds-dimmed">{words}</span>

function DeletionState({ state, due, final, isByService }: DeletedUser) {
  if (state !== 'waiting')
    return final === undefined
      ? deletedText.final
      : deletedText.finalSince.withElements({ time: <Timestamp value={final} /> })
  if (!isByService || due === undefined) return deletedText.operator
  return deletedText.finalBy.withElements({ time: <Timestamp value={due} mode="minute" /> })
}

const deletedColumns: readonly Column<DeletedUser>[] = [
  { ...deletedLayout.user, header: deletedText.columns.user, cell: ({ user }) => <ShortId id={user} /> },
  {
    ...deletedLayout.deleted,
    header: deletedText.columns.deleted,
    cell: ({ deleted }) => <Timestamp value={deleted} />,
  },
  {
    ...deletedLayout.actor,
    header: deletedText.columns.actor,
    cell: ({ actor }) =>
      actor === undefined ? renderDimmed(deletedText.unknown) : <span {...hint(actor)}>{actor}</span>,
  },
  {
    ...deletedLayout.reference,
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
    ...deletedLayout.state,
    header: deletedText.columns.state,
    hint: deletedText.stateHint,
    cell: (row) => <DeletionState {...row} />,
  },
  {
    ...deletedLayout.receipt,
    header: deletedText.columns.receipt,
    headerHidden: true,
    cell: ({ user }) => (
      <Link to={links.deletionReceipt(user)} aria-label={deletedText.receiptOf({ id: shortId(user) })}>
        {deletedText.columns.receipt}
      </Link>
    ),
  },
]
