import { SegmentedControl } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

import { q } from '../../api/index.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { links } from '../../domain/links.ts'
import { deletedText, shellText } from '../../messages/index.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { columns } from './columns.tsx'
import { askedIn, type DeletedAsked, states } from './queries.ts'
import { Pager } from '../../ui/Pager.tsx'

const nothing = { all: deletedText.empty, waiting: deletedText.noneWaiting, final: deletedText.noneFinal }

/** List of deleted users: by whom, and with which reference. The state of the list is kept in the address. */
export function DeletedUsersPage() {
  const [address] = useSearchParams()
  const asked = askedIn(address)
  const navigate = useNavigate()
  const { erasures, finalBy, next = '' } = useSuspenseQuery(q('listErasures', { query: asked })).data
  const rows = erasures.map((erasure) => Object.assign({}, erasure, { isByService: finalBy === 'service' }))
  const { title, body } = nothing[asked.state]
  return (
    <>
      <PageHeader
        above={<BackLink to={links.users()}>{shellText.pages.users}</BackLink>}
        title={deletedText.title}
        below={deletedText.lead}
      />
      <SegmentedControl
        size="xs"
        mb={12}
        aria-label={deletedText.filter}
        data={states.map((state) => ({ value: state, label: deletedText.states[state] }))}
        value={asked.state}
        onChange={(state) => void navigate(links.deletedUsers({ state }), { preventScrollReset: true })}
      />
      <DataTable
        label={deletedText.title}
        columns={columns}
        rows={rows}
        rowKey={({ user }) => user}
        empty={<EmptyState title={title}>{body}</EmptyState>}
      />
      <Pages asked={asked} rows={rows.length} next={next} />
    </>
  )
}

interface PagesProps {
  readonly asked: DeletedAsked
  readonly rows: number
  readonly next: string
}

/** Pager to the next page and to the newest; the browser's Back leads to the previous one. */
function Pages({ asked: { state, offset }, rows, next }: PagesProps) {
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
