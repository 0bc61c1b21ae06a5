import { Box, Button, Group } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { use, useEffect, useSyncExternalStore } from 'react'
import {
  Link,
  NavigationType,
  Outlet,
  useLoaderData,
  useNavigate,
  useNavigationType,
  useParams,
  useSearchParams,
} from 'react-router'

import { isFull } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { eventTypeName } from '../../domain/event-type-name.ts'
import { links } from '../../domain/links.ts'
import { ConditionChips, type LogCondition } from '../../domain/log-page/ConditionChips.tsx'
import { momentCondition, momentIn, spanConditions } from '../../domain/log-page/moments.ts'
import { usePeople } from '../../domain/people/use-people.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { eventQuery } from '../../domain/queries/events.ts'
import { eventFilterText, eventLogText, jumpText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { shortId } from '../../ui/ShortId.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { Timestamp, ZonesContext } from '../../ui/Timestamp.tsx'
import { EventChart } from './chart/EventChart.tsx'
import classes from './EventsPage.module.css'
import { LogList } from './list/LogList.tsx'
import { type EventFilter, isFiltered, readEventFilter, typeParameter, typesOf } from './log/filter.ts'
import { type EventLog, type LogState, type LogView, mostEvents } from './log/log.ts'
import { LogActions } from './LogActions.tsx'

/** Event log, newest first. Filter, moment and open event are kept in the URL. */
export function EventsPage() {
  const log = useLoaderData<EventLog>()
  const state = useSyncExternalStore(log.subscribe, log.state)
  const { eventId } = useParams()
  const [address] = useSearchParams()
  const navigate = useNavigate()
  const filter = readEventFilter(address)
  const show: LogView['show'] = (next, at) =>
    void navigate(links.events({ ...next, at }), { preventScrollReset: true })
  const view: LogView = { log, state, filter, isFull: isFull(), at: momentIn(address, 'at'), show }
  useLiveTail(view)
  useOpenEvent(log, eventId)

  const isLoading = state.start === 'loading' && state.rows.length === 0
  return (
    <div className={classes.page}>
      <PageHeader
        title={eventLogText.title}
        below={<LogScope {...view} />}
        actions={<LogActions {...view} />}
      />
      <EventConditions {...view} />
      {(isLoading || state.rows.length > 0 || isFiltered(filter)) && (
        <EventChart {...view} rows={isLoading ? undefined : state.rows} />
      )}
      <div className={classes.split} data-open={eventId !== undefined || undefined}>
        {state.rows.length > 0 && !(state.start instanceof Error) ? (
          <LogList key={log.key} {...view} openId={eventId} foot={<LogFoot {...view} />} />
        ) : (
          <Box key={log.key} miw={0} style={{ borderTop: '1px solid var(--ds-border)', overflow: 'hidden' }}>
            <NoRows {...view} />
          </Box>
        )}
        <Outlet />
      </div>
    </div>
  )
}

function EventConditions({ filter, at, show }: LogView) {
  const { shown } = use(ZonesContext)
  const { delivered, delivery, user, entity } = filter
  const [person] = usePeople(user === undefined ? [] : [user])
  const name = person && nameOf(person)
  const change = (part: EventFilter) => show({ ...filter, ...part }, at)
  const { isType, isUser, isPerson, isEntity, states, notDelivered } = eventFilterText
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
  conditions.push(...spanConditions(filter, shown, change))
  if (at !== undefined) conditions.push(momentCondition(jumpText.around, at, shown, () => show(filter)))
  return <ConditionChips conditions={conditions} onClear={() => show({})} />
}

function NoRows(view: LogView) {
  const { log, state, filter, show } = view
  const { start, events, older, hasOlder } = state
  const { empty, failed } = eventLogText
  if (start instanceof Error)
    return <InlineFailure title={failed} error={start} onRetry={() => void log.open()} />
  if (start === 'loading') return <SkeletonRows rows={16} />
  if (!isFiltered(filter)) return <EmptyState title={empty.title}>{empty.body}</EmptyState>
  // Older events may still match, so searching them is offered first; the chips above remove the filters.
  if (log.isSearch && (hasOlder || older === 'loading'))
    return (
      <EmptyState title={empty.searchedTitle({ count: events.length })} action={<LogFoot {...view} />}>
        {empty.searchedBody}
      </EmptyState>
    )
  return (
    <EmptyState title={empty.filteredTitle} button={{ label: empty.clear, onClick: () => show({}) }}>
      {empty.filteredBody}
    </EmptyState>
  )
}

/** Follows new events while the page is visible, the list shows the end of the log, and the filter can match them. */
function useLiveTail({ log, state: { start, hasNewer }, filter: { to } }: LogView) {
  const isBack = useNavigationType() === NavigationType.Pop
  const visibility = useDocumentVisibility()
  const isReady = start === 'idle' && visibility === 'visible'
  useEffect(() => {
    // A list that has fallen far behind restarts with the newest events, unless the reader returned to it with Back.
    if (!isBack && log.isLeftBehind()) void log.open()
  }, [log, isBack])
  useEffect(() => {
    const isOver = to !== undefined && Date.parse(to) < Date.now()
    return isReady && !hasNewer && !isOver ? log.watch() : undefined
  }, [log, isReady, hasNewer, to])
}

/** Keeps the row of the open event in sync with the cached event. */
function useOpenEvent(log: EventLog, eventId: string | undefined) {
  const { data } = useQuery({ ...eventQuery(eventId ?? ''), enabled: false })
  useEffect(() => {
    if (data) log.update(data)
  }, [log, data])
}

/** Shows how much of the log the list covers, and for which period. */
function LogScope({ log, state, filter, isFull }: LogView) {
  const { start, rows, events, hasNewer } = state
  const seesIds = useDenied('users:read') !== undefined && isFull
  if (start !== 'idle') return <span> </span>
  const total = log.total()
  const loaded = log.isSearch ? events : rows
  const oldest = loaded.at(-1)
  const newest = loaded[0]
  const { scope } = eventLogText
  const count = log.isSearch
    ? describeSearch(log, state)
    : isFiltered(filter)
      ? scope.matching({ count: rows.length })
      : total === undefined
        ? scope.loaded({ loaded: rows.length })
        : scope.loadedOf({ loaded: rows.length, total })
  const oldestTime = oldest && <Timestamp value={oldest.eventtime} mode="minute" />
  const newestTime = newest && <Timestamp value={newest.eventtime} mode="minute" />
  return (
    <>
      <span>
        {oldestTime === undefined
          ? count
          : hasNewer
            ? scope.between.withElements({ scope: count, oldest: oldestTime, newest: newestTime })
            : scope.since.withElements({ scope: count, oldest: oldestTime })}
      </span>
      {log.isSearch && <span>{scope.explain}</span>}
      {seesIds && <span>{scope.idsOnly}</span>}
    </>
  )
}

function describeSearch(log: EventLog, { rows, events, hasNewer }: LogState): string {
  const { newest, newestOf, others, othersOf } = eventLogText.scope.searched
  const counts = { matching: rows.length, searched: events.length }
  const total = log.total()
  if (total === undefined) return (hasNewer ? others : newest)(counts)
  return (hasNewer ? othersOf : newestOf)({ ...counts, total })
}

function LogFoot(view: LogView) {
  return (
    <Group justify="center" gap="8px 16px" p="16px 8px" fz="sm" c="dimmed">
      <OlderEvents {...view} />
    </Group>
  )
}

/** Tells how older events follow, or why none does. */
function OlderEvents({ log, state, filter, at, show }: LogView) {
  const { events, older, newer, hasOlder } = state
  const { older: olderText } = eventLogText
  const failed = [older, newer].find((progress) => progress instanceof Error)
  const total = log.total()
  if (failed)
    return (
      <InlineFailure
        title={failed === older ? olderText.failed : olderText.newerFailed}
        error={failed}
        onRetry={() => void (failed === older ? log.readOlder() : log.readNewer())}
      />
    )
  if (hasOlder && events.length >= mostEvents)
    return (
      <>
        <span>{olderText.full({ count: events.length })}</span>
        <Link to={links.events({ at: events.at(-1)?.eventtime })}>{olderText.continue}</Link>
      </>
    )
  if (!hasOlder && filter.from === undefined) return isFiltered(filter) ? olderText.noMore : olderText.begin
  if (!hasOlder)
    return (
      <>
        <span>{olderText.span.withElements({ time: <Timestamp value={filter.from} mode="minute" /> })}</span>
        <Button variant="default" onClick={() => show({ ...filter, from: undefined }, at)}>
          {olderText.beyond}
        </Button>
      </>
    )
  if (!log.isSearch) return <output>{olderText.loading}</output>
  return (
    <>
      <output>
        {total === undefined
          ? olderText.searched({ searched: events.length })
          : olderText.searchedOf({ searched: events.length, total })}
      </output>
      {older === 'loading' ? (
        <>
          <progress
            style={{ flex: '0 1 200px' }}
            aria-label={olderText.progress}
            value={events.length}
            max={total ?? events.length}
          />
          <Button variant="default" onClick={log.stopSearch}>
            {olderText.stop}
          </Button>
        </>
      ) : (
        <Button variant="default" onClick={() => void log.readOlder()}>
          {olderText.search}
        </Button>
      )}
    </>
  )
}
