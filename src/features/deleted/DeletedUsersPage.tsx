import { Button, Group, SegmentedControl } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import { tellsErased } from '../../api/index.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { links } from '../../domain/links.ts'
import { ConditionChips } from '../../domain/log-page/ConditionChips.tsx'
import { ExportButton, FilterButton } from '../../domain/log-page/LogButtons.tsx'
import { spanConditions } from '../../domain/log-page/moments.ts'
import type { DeletedUser } from '../../domain/queries/erasures.ts'
import { deletedText, sharedText, shellText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { hint } from '../../ui/Hint.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ShortId, shortId } from '../../ui/ShortId.tsx'
import { fullMinuteAfter } from '../../ui/time.ts'
import { Timestamp, ZonesContext } from '../../ui/Timestamp.tsx'
import { DeletedFilterForm } from './DeletedFilterForm.tsx'
import {
  type DeletedFilter,
  deletedLayout,
  deletedQuery,
  type DeletedListState,
  deletedStates,
  findListState,
  isDeletedFiltered,
  keepSought,
  type Sought,
} from './list-state.ts'

const CheckDeleted = lazyPart(async () => (await import('./CheckDeleted.tsx')).CheckDeleted)
const DeletedExport = lazyPart(async () => (await import('./DeletedExport.tsx')).DeletedExport)

const emptyTexts = { all: deletedText.empty, waiting: deletedText.noneWaiting, final: deletedText.noneFinal }

/** List of deleted users, with who deleted each and under which reference. Its state but the text is kept in the URL. */
export function DeletedUsersPage() {
  const [address] = useSearchParams()
  const { state } = useLocation()
  const client = useQueryClient()
  const list = findListState(client, address, state)
  const { offset, ...filter } = list
  const navigate = useNavigate()
  const { erasures, finalBy, next = '' } = useSuspenseQuery(deletedQuery(list)).data
  const rows = erasures.map((erasure) => Object.assign({}, erasure, { isByService: finalBy === 'service' }))
  const show = (change: Partial<DeletedFilter>) =>
    void navigate(links.deletedUsers({ ...filter, ...change }), {
      preventScrollReset: true,
      state: keepSought(client, 'q' in change ? change.q : filter.q),
    })
  const clear = () => show({ q: undefined, from: undefined, to: undefined })
  return (
    <>
      <PageHeader
        above={<BackLink to={links.users()}>{shellText.pages.users}</BackLink>}
        title={shellText.pages.deletedUsers}
        below={deletedText.lead}
        actions={
          <>
            {tellsErased() && <CheckButton />}
            <FilterButton onChange={show}>
              {(onChange) => <DeletedFilterForm filter={filter} onChange={onChange} />}
            </FilterButton>
            <ExportButton code={DeletedExport}>
              {(close) => <DeletedExport filter={filter} onClose={close} />}
            </ExportButton>
          </>
        }
      />
      <SegmentedControl
        size="xs"
        mb={12}
        aria-label={deletedText.filter}
        data={deletedStates.map((state) => ({ value: state, label: deletedText.states[state] }))}
        value={filter.state}
        onChange={(state) => show({ state })}
      />
      <DeletedConditions filter={filter} onChange={show} onClear={clear} />
      <DataTable
        label={shellText.pages.deletedUsers}
        columns={deletedColumns}
        rows={rows}
        rowKey={({ user }) => user}
        empty={<NoDeletions filter={filter} onClear={clear} />}
      />
      <DeletedPager {...filter} offset={offset} rows={rows.length} next={next} />
    </>
  )
}

function CheckButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        onPointerEnter={CheckDeleted.prefetch}
        onFocus={CheckDeleted.prefetch}
        onClick={() => setOpen(true)}
      >
        {deletedText.check.button}
      </Button>
      {isOpen && <CheckDeleted onClose={() => setOpen(false)} />}
    </>
  )
}

interface ConditionsProps {
  readonly filter: DeletedFilter
  readonly onChange: (change: Partial<DeletedFilter>) => void
  readonly onClear: () => void
}

function DeletedConditions({ filter, onChange, onClear }: ConditionsProps) {
  const { shown } = use(ZonesContext)
  const conditions = [...spanConditions(filter, shown, onChange)]
  if (filter.q !== undefined)
    conditions.unshift({
      label: deletedText.filters.isQ({ text: filter.q }),
      onRemove: () => onChange({ q: undefined }),
    })
  return <ConditionChips conditions={conditions} onClear={onClear} />
}

function NoDeletions({ filter, onClear }: Omit<ConditionsProps, 'onChange'>) {
  const { title, body } = isDeletedFiltered(filter) ? deletedText.noMatch : emptyTexts[filter.state]
  return isDeletedFiltered(filter) ? (
    <EmptyState title={title} button={{ label: deletedText.noMatch.clear, onClick: onClear }}>
      {body}
    </EmptyState>
  ) : (
    <EmptyState title={title}>{body}</EmptyState>
  )
}

interface DeletedPagerProps extends DeletedListState {
  readonly rows: number
  readonly next: string
}

/** Pager of the list. Cursors lead forward only, so the previous page is reached by going back in the history. */
function DeletedPager({ offset, rows, next, ...filter }: DeletedPagerProps) {
  const navigate = useNavigate()
  const { above: rowsAbove, sought } = (useLocation().state ?? {}) as PageState
  const above = offset === undefined ? 0 : rowsAbove
  if (offset === undefined && next === '') return null
  const to = above === undefined ? undefined : above + rows
  const isSought = filter.q !== undefined
  return (
    <Pager
      {...(above !== undefined && rows > 0 && { from: above + 1, to })}
      onFirst={
        offset === undefined
          ? undefined
          : () => void navigate(links.deletedUsers(filter), { state: isSought ? { sought } : {} })
      }
      onPrevious={above === undefined || above === 0 ? undefined : () => void navigate(-1)}
      onNext={
        next === ''
          ? undefined
          : () =>
              void navigate(links.deletedUsers(isSought ? filter : { ...filter, offset: next }), {
                state: { above: to, ...(isSought && { sought, after: next }) },
              })
      }
    />
  )
}

interface PageState extends Sought {
  /** Number of rows on the pages before. */
  readonly above?: number
}

const renderDimmed = (words: string) => <span className="ds-dimmed">{words}</span>

function DeletionState({ state, due, final, isByService }: DeletedUser) {
  if (state !== 'waiting')
    return final === undefined
      ? deletedText.final
      : deletedText.finalSince.withElements({ time: <Timestamp value={final} /> })
  if (!isByService || due === undefined) return deletedText.operator
  return (
    <span data-wraps>
      {deletedText.finalBy.withElements({ time: <Timestamp value={fullMinuteAfter(due)} mode="minute" /> })}
    </span>
  )
}

const deletedColumns: readonly Column<DeletedUser>[] = [
  {
    ...deletedLayout.user,
    header: deletedText.columns.user,
    cell: ({ user }) => (
      <Group gap={4} wrap="nowrap">
        <Link
          to={links.deletionReceipt(user)}
          aria-label={deletedText.receiptOf({ id: shortId(user) })}
          {...rowLink}
        >
          <ShortId id={user} copy={false} />
        </Link>
        <CopyButton value={user} label={sharedText.copyId} />
      </Group>
    ),
  },
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
]
