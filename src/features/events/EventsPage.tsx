import { Box, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useEffect } from 'react'
import { Link, Outlet, useParams } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { eventTypeName } from '../../domain/event-type-name.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { ConditionChips, type LogCondition } from '../../domain/log-page/ConditionChips.tsx'
import { momentCondition, spanConditions } from '../../domain/log-page/moments.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { updateEventLogs } from '../../domain/queries/event-log.ts'
import { eventQuery } from '../../domain/queries/events.ts'
import { eventFilterText, eventLogText, jumpText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { Timestamp, ZonesContext } from '../../ui/Timestamp.tsx'
import { EventChart } from './chart/EventChart.tsx'
import { mostRows } from './list/list-hooks.ts'
import { LogList } from './list/LogList.tsx'
import { type EventFilter, isFiltered, typeParameter, typesOf } from './log/filter.ts'
import { type LogView, useEventLog } from './log/use-event-log.ts'
import { LogActions } from './LogActions.tsx'
import classes from './EventsPage.module.css'

/** Event log, newest first. Filter, moment and open event are kept in the URL. */
export function EventsPage() {
  const { eventId } = useParams()
  const view = useEventLog()
  const { isFull, listKey, rows, filter } = view
  useOpenEvent(eventId)
  return (
    <div className={classes.page}>
      <PageHeader
        title={eventLogText.title}
        below={<LogScope {...view} />}
        actions={<LogActions {...view} />}
      />
      <EventConditions {...view} />
      {isFull && (rows.length > 0 || isFiltered(filter)) && <EventChart {...view} />}
      <div className={classes.split} data-open={eventId !== undefined || undefined}>
        {rows.length > 0 ? (
          <LogList key={listKey} {...view} openId={eventId} foot={<OlderEvents {...view} />} />
        ) : (
          <NoRows key={listKey} {...view} />
        )}
        <Outlet context={view} />
      </div>
    </div>
  )
}

function EventConditions({ filter, at, show }: LogView) {
  const { shown } = use(ZonesContext)
  const { delivered, delivery, user, entity, actor, job, jobs } = filter
  const [person] = usePeople(user === undefined ? [] : [user])
  const name = person && nameOf(person)
  const change = (part: EventFilter) => show({ ...filter, ...part }, at)
  const { isType, isUser, isPerson, isEntity, isActor, isJob, states, notDelivered } = eventFilterText
  const conditions: LogCondition[] = []
  const add = (label: string, part: EventFilter) => conditions.push({ label, onRemove: () => change(part) })
  const types = typesOf(filter)
  for (const type of types)
    add(isType({ type: eventTypeName(type) ?? type }), {
      type: typeParameter(types.filter((other) => other !== type)),
    })
  if (delivered !== undefined)
    add(delivered === 'true' ? eventFilterText.delivered : notDelivered, { delivered: undefined })
  if (delivery !== undefined) add(states[delivery], { delivery: undefined })
  if (user !== undefined)
    add(name === undefined ? isUser({ id: shortId(user) }) : isPerson({ name }), { user: undefined })
  if (entity !== undefined) add(isEntity({ id: shortId(entity) }), { entity: undefined })
  if (actor !== undefined) add(isActor({ actor: shortId(actor) }), { actor: undefined })
  if (job !== undefined) add(isJob({ id: shortId(job) }), { job: undefined })
  if (jobs !== undefined) add(eventFilterText.eachOfJobs, { jobs: undefined })
  conditions.push(...spanConditions(filter, shown, change))
  if (at !== undefined) conditions.push(momentCondition(jumpText.start, at, shown, () => show(filter)))
  return <ConditionChips conditions={conditions} onClear={() => show({})} />
}

function NoRows({ query, filter, at, show }: LogView) {
  const { empty, failed } = eventLogText
  if (query.error && !query.data)
    return (
      <div>
        <InlineFailure title={failed} error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  return (
    <Box miw={0} style={{ borderTop: '1px solid var(--ds-border)', overflow: 'hidden' }}>
      {!query.data ? (
        <SkeletonRows rows={16} />
      ) : isFiltered(filter) || at !== undefined ? (
        <EmptyState title={empty.filteredTitle} button={{ label: empty.clear, onClick: () => show({}) }}>
          {empty.filteredBody}
        </EmptyState>
      ) : (
        <EmptyState title={empty.title}>{empty.body}</EmptyState>
      )}
    </Box>
  )
}

/** Shows the state of the open event in its row too. */
function useOpenEvent(eventId: string | undefined) {
  const client = useQueryClient()
  const { data } = useQuery({ ...eventQuery(eventId ?? ''), enabled: false })
  useEffect(() => {
    if (data) updateEventLogs(client, [data])
  }, [client, data])
}

/** Shows how much of the log the list covers, and for which period. */
function LogScope({ isFull, rows, total, at, filter }: LogView) {
  const seesIds = useDenied('users:read') !== undefined && isFull
  const { scope } = eventLogText
  if (rows.length === 0) return <span> </span>
  const counts = { count: rows.length, loaded: rows.length }
  const count = isFiltered(filter)
    ? scope.matching(counts)
    : total === undefined
      ? scope.loaded(counts)
      : scope.loadedOf({ ...counts, total })
  const oldest = <Timestamp value={rows.at(-1)?.eventtime} mode="minute" />
  const newest = <Timestamp value={rows[0]?.eventtime} mode="minute" />
  return (
    <>
      <span>
        {at === undefined
          ? scope.since.withElements({ scope: count, oldest })
          : scope.between.withElements({ scope: count, oldest, newest })}
      </span>
      {!isFull && <span>{scope.bare}</span>}
      {seesIds && <span>{scope.idsOnly}</span>}
    </>
  )
}

/** Tells how older events follow, or why none does. */
function OlderEvents({ isFull, query, rows, filter, at, show }: LogView) {
  const { older } = eventLogText
  if (query.isFetchNextPageError)
    return (
      <InlineFailure title={older.failed} error={query.error} onRetry={() => void query.fetchNextPage()} />
    )
  if (query.hasNextPage && rows.length < mostRows) return <p>{older.loading}</p>
  if (query.hasNextPage)
    return (
      <>
        <span>{older.full({ count: rows.length })}</span>
        {isFull && <Link to={links.events({ ...filter, at: rows.at(-1)?.eventtime })}>{older.continue}</Link>}
      </>
    )
  if (filter.from === undefined) return isFiltered(filter) ? older.noMore : older.begin
  return (
    <>
      <span>{older.span.withElements({ time: <Timestamp value={filter.from} mode="minute" /> })}</span>
      <Button variant="default" onClick={() => show({ ...filter, from: undefined }, at)}>
        {older.beyond}
      </Button>
    </>
  )
}
