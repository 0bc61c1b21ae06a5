import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { use } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import { q } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { ConditionChips, type LogCondition } from '../../domain/log-page/ConditionChips.tsx'
import { ExportButton, FilterButton } from '../../domain/log-page/LogButtons.tsx'
import { spanConditions } from '../../domain/log-page/moments.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { auditFilterText, auditText, shellText } from '../../messages/index.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { Actors } from './Actors.tsx'
import { AuditFilterForm } from './AuditFilterForm.tsx'
import classes from './AuditPage.module.css'
import { auditColumns, type NamedAuditRow } from './columns.tsx'
import {
  type AuditFilter,
  type AuditQuery,
  isAuditFiltered,
  readAuditQuery,
  toAuditFilter,
} from './filter.ts'

const AuditExport = lazyPart(async () => (await import('./AuditExport.tsx')).AuditExport)

/** Audit log of reads, checks and changes of sensitive values. The filter is kept in the URL. */
export function AuditPage() {
  const [address] = useSearchParams()
  const query = readAuditQuery(address)
  const filter = toAuditFilter(query)
  const navigate = useNavigate()
  const { data } = useSuspenseQuery(q('listAudit', { query }))
  // Users who are deleted, or whom the caller may not read, have no name.
  const users = new Set([...data.rows.map(({ user }) => user), filter.user].filter((user) => user != null))
  const people = new Map<string, NamedAuditRow['person']>(
    usePeople([...users]).map((person) => [person.id, person]),
  )
  const show = (next: AuditFilter) => void navigate(links.audit(next), { preventScrollReset: true })
  const rows = data.rows.map((row): NamedAuditRow => ({ ...row, person: people.get(row.user ?? '') }))
  return (
    <>
      <PageHeader
        title={auditText.title}
        below={auditText.lead}
        actions={
          <>
            <Button variant="default" component={Link} to={links.deletedUsers()}>
              {shellText.pages.deletedUsers}
            </Button>
            <FilterButton>
              {(close) => (
                <AuditFilterForm
                  filter={filter}
                  onChange={(next) => {
                    close()
                    show(next)
                  }}
                />
              )}
            </FilterButton>
            <ExportButton code={AuditExport}>
              {(close) => <AuditExport filter={filter} onClose={close} />}
            </ExportButton>
          </>
        }
      />
      <AuditConditions filter={filter} person={people.get(filter.user ?? '')} onChange={show} />
      <Actors filter={filter} />
      <section aria-label={auditText.list} className={classes.list}>
        <DataTable
          label={auditText.list}
          columns={auditColumns}
          rows={rows}
          rowKey={({ id }) => id}
          empty={<NoRows query={query} onClear={() => show({})} />}
        />
      </section>
      <AuditPager query={query} rows={rows.length} next={data.next} />
    </>
  )
}

function NoRows({ query, onClear }: { readonly query: AuditQuery; readonly onClear: () => void }) {
  if (query.after !== undefined)
    return (
      <EmptyState
        title={auditText.noMore.title}
        action={
          <Button variant="default" component={Link} to={links.audit(toAuditFilter(query))}>
            {auditText.noMore.newest}
          </Button>
        }
      >
        {auditText.noMore.body}
      </EmptyState>
    )
  if (!isAuditFiltered(query))
    return <EmptyState title={auditText.empty.title}>{auditText.empty.body}</EmptyState>
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

interface AuditConditionsProps {
  readonly filter: AuditFilter
  /** User that the filter selects; undefined until loaded. */
  readonly person: NamedAuditRow['person']
  readonly onChange: (filter: AuditFilter) => void
}

function AuditConditions({ filter, person, onChange }: AuditConditionsProps) {
  const { shown } = use(ZonesContext)
  const { user, actor, key, kind } = filter
  const conditions: LogCondition[] = []
  const add = (label: string, without: AuditFilter) =>
    conditions.push({ label, onRemove: () => onChange({ ...filter, ...without }) })
  const { isUser, isActor, isKey } = auditFilterText
  if (user !== undefined)
    add(isUser({ name: (person && nameOf(person)) ?? shortId(user) }), { user: undefined })
  if (actor !== undefined) add(isActor({ actor }), { actor: undefined })
  if (key !== undefined) add(isKey({ property: keyLabel(key) }), { key: undefined })
  if (kind !== undefined) add(auditText.kinds[kind], { kind: undefined })
  conditions.push(...spanConditions(filter, shown, (change) => onChange({ ...filter, ...change })))
  return <ConditionChips conditions={conditions} onClear={() => onChange({})} />
}

/** Earlier pages, with the cursors of their URLs. Kept in the history entry. */
interface Trail {
  readonly trail?: readonly { readonly after: string; readonly rows: number }[]
}

interface AuditPagerProps {
  readonly query: AuditQuery
  readonly rows: number
  readonly next: string
}

function AuditPager({ query, rows, next }: AuditPagerProps) {
  const navigate = useNavigate()
  const { trail = [] } = (useLocation().state ?? {}) as Trail
  const isFirst = query.after === undefined
  if (isFirst && next === '') return null
  const go = (after: string, before: NonNullable<Trail['trail']>) =>
    void navigate(links.audit({ ...toAuditFilter(query), after }), {
      state: { trail: before } satisfies Trail,
    })
  const above = trail.reduce((sum, page) => sum + page.rows, 0)
  const isKnown = isFirst || trail.length > 0
  return (
    <Pager
      {...(isKnown && rows > 0 && { from: above + 1, to: above + rows })}
      onFirst={isFirst ? undefined : () => go('', [])}
      onPrevious={trail.length === 0 ? undefined : () => go(trail.at(-1)?.after ?? '', trail.slice(0, -1))}
      onNext={next === '' ? undefined : () => go(next, [...trail, { after: query.after ?? '', rows }])}
    />
  )
}
