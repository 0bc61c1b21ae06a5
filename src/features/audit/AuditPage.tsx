import { Button } from '@mantine/core'
import { IconDownload, IconFilter } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import { links } from '../../domain/links.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { auditText, shellText } from '../../messages/index.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Actors } from './Actors.tsx'
import classes from './AuditPage.module.css'
import { columns, type Row } from './columns.tsx'
import { Conditions } from './Conditions.tsx'
import { askedIn, type AuditAsked, type AuditFilter, everything, filterOf, isFiltered } from './filter.ts'
import { auditQuery, hasActors } from './queries.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { FilterForm } from './FilterForm.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { isFull } from '../../api/index.ts'

/** Log of who read, checked or changed whose sensitive values. The filter is kept in the address. */
export function AuditPage() {
  const [address] = useSearchParams()
  const asked = askedIn(address)
  const filter = filterOf(asked)
  const navigate = useNavigate()
  const { data } = useSuspenseQuery(auditQuery(asked))
  const people = useNames(
    data.rows.flatMap(({ user }) => user ?? []),
    filter.user,
  )
  const show = (next: AuditFilter) => void navigate(links.audit(next), { preventScrollReset: true })
  const rows = data.rows.map((row): Row => ({ ...row, person: people.get(row.user ?? '') }))
  return (
    <>
      <PageHeader
        title={auditText.title}
        below={auditText.lead}
        actions={<AuditActions filter={filter} onFilter={show} />}
      />
      <Conditions filter={filter} person={people.get(filter.user ?? '')} onChange={show} />
      {hasActors(filter) && <Actors filter={filter} />}
      <section aria-label={auditText.list} className={classes.list}>
        <DataTable
          label={auditText.list}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          empty={<Nothing asked={asked} onClear={() => show(everything)} />}
        />
      </section>
      <Pages asked={asked} rows={rows.length} next={data.next} />
    </>
  )
}

/**
 * Names of the users on a page, fetched in one request. Users who were deleted, or whom the caller may not read, have
 * none.
 */
function useNames(
  users: readonly string[],
  filtered: string | undefined,
): ReadonlyMap<string, Row['person']> {
  const ids = [...new Set(filtered === undefined ? users : [...users, filtered])]
  return new Map(usePeople(ids).map((person) => [person.id, person]))
}

function Nothing({ asked, onClear }: { readonly asked: AuditAsked; readonly onClear: () => void }) {
  if (asked.after !== undefined)
    return (
      <EmptyState
        title={auditText.noMore.title}
        action={
          <Button variant="default" component={Link} to={links.audit(filterOf(asked))}>
            {auditText.noMore.newest}
          </Button>
        }
      >
        {auditText.noMore.body}
      </EmptyState>
    )
  if (!isFiltered(asked)) return <EmptyState title={auditText.empty.title}>{auditText.empty.body}</EmptyState>
  return (
    <EmptyState
      title={auditText.noMatch.title}
      action={
        <Button variant="default" onClick={onClear}>
          {auditText.noMatch.clear}
        </Button>
      }
    >
      {auditText.noMatch.body}
    </EmptyState>
  )
}

const ExportDialog = lazyPart(async () => (await import('./ExportDialog.tsx')).ExportDialog)
const icon = { size: 15, stroke: 1.75, 'aria-hidden': true }

interface AuditActionsProps {
  readonly filter: AuditFilter
  readonly onFilter: (next: AuditFilter) => void
}

/** Buttons of the page's header: deleted users, filter and export. */
function AuditActions({ filter, onFilter }: AuditActionsProps) {
  const [isExporting, setExporting] = useState(false)
  return (
    <>
      {isFull() && (
        <Button variant="default" component={Link} to={links.deletedUsers()}>
          {shellText.pages.deletedUsers}
        </Button>
      )}
      <FilterForm
        face={
          <Button variant="default" leftSection={<IconFilter {...icon} />}>
            {auditText.filter.button}
          </Button>
        }
        filter={filter}
        onChange={onFilter}
      />
      <Button
        variant="default"
        leftSection={<IconDownload {...icon} />}
        onPointerEnter={ExportDialog.readAhead}
        onFocus={ExportDialog.readAhead}
        onClick={() => setExporting(true)}
      >
        {auditText.export.button}
      </Button>
      {isExporting && <ExportDialog filter={filter} onClose={() => setExporting(false)} />}
    </>
  )
}

/** Earlier pages, as in their addresses; kept in the history entry. */
interface Trail {
  readonly trail?: readonly { readonly after: string; readonly rows: number }[]
}

interface PagesProps {
  readonly asked: AuditAsked
  readonly rows: number
  readonly next: string
}

/** Pager to the previous and the next page. */
function Pages({ asked, rows, next }: PagesProps) {
  const navigate = useNavigate()
  const { trail = [] } = (useLocation().state ?? {}) as Trail
  const isFirst = asked.after === undefined
  if (isFirst && next === '') return null
  const go = (after: string, before: NonNullable<Trail['trail']>) =>
    void navigate(links.audit({ ...filterOf(asked), after }), { state: { trail: before } satisfies Trail })
  const above = trail.reduce((sum, page) => sum + page.rows, 0)
  const isKnown = isFirst || trail.length > 0
  return (
    <Pager
      {...(isKnown && rows > 0 && { from: above + 1, to: above + rows })}
      onFirst={isFirst ? undefined : () => go('', [])}
      onPrevious={trail.length === 0 ? undefined : () => go(trail.at(-1)?.after ?? '', trail.slice(0, -1))}
      onNext={next === '' ? undefined : () => go(next, [...trail, { after: asked.after ?? '', rows }])}
    />
  )
}
