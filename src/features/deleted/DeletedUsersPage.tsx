import { SegmentedControl } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'

import { BackLink } from '../../domain/BackLink.tsx'
import { links } from '../../domain/links.ts'
import { deletedText as text, shellText } from '../../messages/index.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { columns } from './columns.tsx'
import { Pages } from './Pages.tsx'
import { askedIn, deletedQuery, states } from './queries.ts'

const nothing = { all: text.empty, waiting: text.noneWaiting, final: text.noneFinal }

/** Who was deleted, by whom and with which reference. What is shown stands in the address. */
export function DeletedUsersPage() {
  const [address] = useSearchParams()
  const asked = askedIn(address)
  const navigate = useNavigate()
  const { erasures, finalBy, next = '' } = useSuspenseQuery(deletedQuery(asked)).data
  const rows = erasures.map((erasure) => Object.assign({}, erasure, { isByService: finalBy === 'service' }))
  const { title, body } = nothing[asked.state]
  return (
    <>
      <PageHeader
        above={<BackLink to={links.users()}>{shellText.pages.users}</BackLink>}
        title={text.title}
        below={text.lead}
      />
      <SegmentedControl
        size="xs"
        mb={12}
        aria-label={text.filter}
        data={states.map((state) => ({ value: state, label: text.states[state] }))}
        value={asked.state}
        onChange={(state) => void navigate(links.deletedUsers({ state }), { preventScrollReset: true })}
      />
      <DataTable
        label={text.title}
        columns={columns}
        rows={rows}
        rowKey={({ user }) => user}
        empty={<EmptyState title={title}>{body}</EmptyState>}
      />
      <Pages asked={asked} rows={rows.length} next={next} />
    </>
  )
}
