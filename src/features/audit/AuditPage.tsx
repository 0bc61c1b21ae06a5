import { Box, Button, Group, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import type { AuditActor, AuditActors } from '#contract/index.ts'
import { q } from '../../api/index.ts'
import { QueryPart } from '../../domain/failures/InlineFailure.tsx'
import { propertyLabel } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import { ConditionChips, type LogCondition } from '../../domain/log-page/ConditionChips.tsx'
import { ExportButton, FilterButton } from '../../domain/log-page/LogButtons.tsx'
import { spanConditions } from '../../domain/log-page/moments.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { actorText, auditFilterText, auditText, shellText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { hint } from '../../ui/Hint.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { dayMs } from '../../ui/moments.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { dateOf, minuteOf, zonedMinute } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { AuditFilterForm } from './AuditFilterForm.tsx'
import { actorLayout, shownActors } from './column-layout.ts'
import { ActorLink, auditColumns, type NamedAuditRow } from './columns.tsx'
import {
  auditActorsQuery,
  type AuditFilter,
  type AuditQuery,
  isAuditFiltered,
  isNarrowed,
  readAuditQuery,
  toAuditFilter,
} from './queries.ts'
import classes from './AuditPage.module.css'

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
            <FilterButton onChange={show}>
              {(onChange) => <AuditFilterForm filter={filter} onChange={onChange} />}
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
    <EmptyState title={auditText.noMatch.title} button={{ label: auditText.noMatch.clear, onClick: onClear }}>
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
  if (key !== undefined) add(isKey({ property: propertyLabel(undefined, key) }), { key: undefined })
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

const alarmIcon = { size: 14, stroke: 2, style: { verticalAlign: '-2px' }, 'aria-hidden': true }

/** Activity of each colleague in the listed events, or in the days that the list covers; unusual activity first. */
function Actors({ filter }: { readonly filter: AuditFilter }) {
  const query = useQuery(auditActorsQuery(filter))
  return (
    <Box component="section" aria-label={actorText.title} pb="lg">
      <QueryPart query={query} title={actorText.failed} skeleton={<SkeletonRows rows={shownActors} />}>
        {(data) => <ActorList data={data} filter={filter} />}
      </QueryPart>
    </Box>
  )
}

function ActorList({ data, filter }: { readonly data: AuditActors; readonly filter: AuditFilter }) {
  const [isWhole, setWhole] = useState(false)
  const listed = data.actors.filter(({ actor }) => filter.actor === undefined || actor === filter.actor)
  const unusual = listed.filter((each) => each.unusual).length
  const least = Math.max(shownActors, unusual)
  const isLong = !isWhole && listed.length > least
  return (
    <>
      <Group align="baseline" gap="0 12px" pb={8}>
        <Title order={2} fz="md">
          {actorText.title}
        </Title>
        {(listed.length > 0 || data.cut === true) && (
          <span className="ds-dimmed">
            <FiguresSpan {...data} isNarrowed={isNarrowed(filter)} />
          </span>
        )}
      </Group>
      {unusual > 0 && (
        <Text fw={500} c="var(--ds-changed)" pb={8}>
          <IconAlertTriangle {...alarmIcon} /> {actorText.warning({ count: unusual })}
        </Text>
      )}
      <DataTable
        label={actorText.title}
        columns={actorColumns}
        rows={isLong ? listed.slice(0, least) : listed}
        rowKey={({ actor }) => actor}
        empty={<p className="ds-dimmed">{isNarrowed(filter) ? actorText.noneListed : actorText.none}</p>}
      />
      {isLong && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {actorText.more({ count: listed.length - least })}
        </Button>
      )}
      {!isLong && data.atLeast === true && <p className="ds-dimmed">{actorText.atLeast}</p>}
    </>
  )
}

interface FiguresSpanProps extends Pick<AuditActors, 'from' | 'to' | 'cut'> {
  readonly isNarrowed: boolean
}

/** Time span of the figures: in days if the figures are kept by day, otherwise to the minute. */
function FiguresSpan({ from, to, cut, isNarrowed }: FiguresSpanProps) {
  const { shown } = use(ZonesContext)
  const [first, end] = [Date.parse(from), Date.parse(to)]
  if (!isNarrowed) return actorText.days({ from: dateOf(first, 'utc'), to: dateOf(end - dayMs, 'utc') })
  const span = { from: zonedMinute(first, shown), to: zonedMinute(end, shown) }
  return cut === true ? actorText.cut(span) : actorText.span(span)
}

function BusiestCell({ busiest: { people, hour } }: AuditActor) {
  const { shown } = use(ZonesContext)
  const ms = Date.parse(hour)
  return (
    <span className={classes.busiest} {...hint(zonedMinute(ms, shown))}>
      {actorText.at.withElements({
        count: people,
        time: <time dateTime={hour}>{minuteOf(ms, shown)}</time>,
      })}
    </span>
  )
}

function UnusualMark({ unusual, busiest, usual }: AuditActor) {
  if (!unusual) return null
  const most = busiest.people
  const reason =
    usual === undefined ? actorText.unusualAlone({ most }) : actorText.unusualAmongDays({ most, usual })
  return (
    <Text inherit fw={500} c="var(--ds-changed)" {...hint(reason)}>
      <IconAlertTriangle {...alarmIcon} /> {actorText.unusual}
    </Text>
  )
}

function countColumn(id: 'people' | 'reads' | 'checks' | 'changes'): Column<AuditActor> {
  return { ...actorLayout[id], header: actorText[id], cell: (row) => number(row[id]) }
}

const actorColumns: readonly Column<AuditActor>[] = [
  {
    ...actorLayout.actor,
    header: actorText.actor,
    cell: (row) => (
      <>
        <ActorLink actor={row.actor} />
        <UnusualMark {...row} />
      </>
    ),
  },
  countColumn('people'),
  countColumn('reads'),
  countColumn('checks'),
  countColumn('changes'),
  { ...actorLayout.busiest, header: actorText.busiest, cell: (row) => <BusiestCell {...row} /> },
]
