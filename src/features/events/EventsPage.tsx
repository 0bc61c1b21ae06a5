import { Box, Button, Group } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, use, useEffect, useSyncExternalStore } from 'react'
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
import { type EventFilter, isFiltered, noFilter, readEventFilter, toParameters } from './log/filter.ts'
import { type EventLog, mostEvents } from './log/log.ts'
import type { LogState } from './log/state.ts'
import { LogActions } from './LogActions.tsx'

/** Event log, newest first. Filter, moment and open event are kept in the URL. */
export function EventsPage() {
  const log = useLoaderData<EventLog>()
  const state = useSyncExternalStore(log.subscribe, log.state)
  const { eventId } = useParams()
  const [address] = useSearchParams()
  const navigate = useNavigate()
  const filter = readEventFilter(address)
  const at = momentIn(address, 'at')
  useLiveTail(log, state, filter)
  useOpenEvent(log, eventId)

  const show = (next: EventFilter, moment?: string) =>
    void navigate(links.events({ ...toParameters(next), at: moment }), { preventScrollReset: true })
  const isOpen = eventId !== undefined
  const isLoading = state.start === 'loading' && state.rows.length === 0
  return (
    <div className={classes.page}>
      <PageHeader
        title={eventLogText.title}
        below={<LogScope log={log} state={state} filter={filter} />}
        actions={
          <LogActions
            log={log}
            state={state}
            filter={filter}
            onFilter={(next) => show(next, at)}
            onJump={(moment) => show(filter, moment)}
            onNewest={() => (at === undefined ? void log.open('newest') : show(filter))}
          />
        }
      />
      <EventConditions filter={filter} at={at} onChange={show} />
      {(isLoading || state.rows.length > 0 || isFiltered(filter)) && (
        <EventChart
          isFull={log.isFull}
          rows={isLoading ? undefined : state.rows}
          filter={filter}
          isLive={state.tail !== 'off' && !state.isPaused}
          onFilter={(change) => show({ ...filter, ...change })}
        />
      )}
      <div className={classes.split} data-open={isOpen || undefined}>
        <LogContent
          key={log.key}
          log={log}
          state={state}
          openId={eventId}
          filter={filter}
          onFilter={(next) => show(next, at)}
          onClear={() => show(noFilter)}
        />
        <Outlet />
      </div>
    </div>
  )
}

interface EventConditionsProps {
  readonly filter: EventFilter
  /** Moment that the list was opened at. */
  readonly at: string | undefined
  readonly onChange: (filter: EventFilter, at: string | undefined) => void
}

function EventConditions({ filter, at, onChange }: EventConditionsProps) {
  const { shown } = use(ZonesContext)
  const { types, delivered, delivery, user, entity } = filter
  const [person] = usePeople(user === undefined ? [] : [user])
  const name = person && nameOf(person)
  const change = (part: Partial<EventFilter>) => onChange({ ...filter, ...part }, at)
  const { isType, isUser, isPerson, isEntity, states, notDelivered } = eventFilterText
  const conditions = types.map((type): LogCondition => ({
    label: isType({ type: eventTypeName(type) ?? type }),
    onRemove: () => change({ types: types.filter((other) => other !== type) }),
  }))
  const add = (label: string, part: Partial<EventFilter>) =>
    conditions.push({ label, onRemove: () => change(part) })
  if (delivered !== undefined)
    add(delivered ? eventFilterText.delivered : notDelivered, { delivered: undefined })
  if (delivery !== undefined) add(states[delivery], { delivery: undefined })
  if (user !== undefined)
    add(name === undefined ? isUser({ id: shortId(user) }) : isPerson({ name }), { user: undefined })
  if (entity !== undefined) add(isEntity({ id: shortId(entity) }), { entity: undefined })
  conditions.push(...spanConditions(filter, shown, change))
  if (at !== undefined)
    conditions.push(momentCondition(jumpText.around, at, shown, () => onChange(filter, undefined)))
  return <ConditionChips conditions={conditions} onClear={() => onChange(noFilter, undefined)} />
}

interface LogContentProps {
  readonly log: EventLog
  readonly state: LogState
  readonly openId: string | undefined
  readonly filter: EventFilter
  readonly onFilter: (filter: EventFilter) => void
  readonly onClear: () => void
}

function LogContent(props: LogContentProps) {
  const { log, state, openId, filter, onFilter } = props
  const foot = <LogFoot log={log} state={state} filter={filter} onFilter={onFilter} />
  if (state.rows.length > 0 && !(state.start instanceof Error))
    return <LogList log={log} state={state} openId={openId} foot={foot} />
  return (
    <Box miw={0} style={{ borderTop: '1px solid var(--ds-border)', overflow: 'hidden' }}>
      <NoRows {...props} foot={foot} />
    </Box>
  )
}

function NoRows({ log, state, filter, onClear, foot }: LogContentProps & { readonly foot: ReactNode }) {
  const { start, events, older, hasOlder } = state
  const { empty, failed } = eventLogText
  if (start instanceof Error)
    return <InlineFailure title={failed} error={start} onRetry={() => void log.open()} />
  if (start === 'loading') return <SkeletonRows rows={16} />
  if (!isFiltered(filter)) return <EmptyState title={empty.title}>{empty.body}</EmptyState>
  // Older events may still match, so searching them is offered first; the chips above remove the filters.
  if (log.isSearch && (hasOlder || older === 'loading'))
    return (
      <EmptyState title={empty.searchedTitle({ count: events.length })} action={foot}>
        {empty.searchedBody}
      </EmptyState>
    )
  return (
    <EmptyState
      title={empty.filteredTitle}
      action={
        <Button variant="default" onClick={onClear}>
          {empty.clear}
        </Button>
      }
    >
      {empty.filteredBody}
    </EmptyState>
  )
}

/** Follows new events while the page is visible, the list shows the end of the log, and the filter can match them. */
function useLiveTail(log: EventLog, { start, hasNewer }: LogState, { to }: EventFilter) {
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

interface LogScopeProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
}

/** Shows how much of the log the list covers, and for which period. */
function LogScope({ log, state, filter }: LogScopeProps) {
  const { start, rows, events, hasNewer } = state
  const seesIds = useDenied('users:read') !== undefined && log.isFull
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

interface LogFootProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
  readonly onFilter: (filter: EventFilter) => void
}

function LogFoot({ log, state, filter, onFilter }: LogFootProps) {
  const { events, older, newer, hasOlder } = state
  const failed = older instanceof Error ? older : newer instanceof Error ? newer : undefined
  const total = log.total()
  if (failed)
    return (
      <Foot>
        <InlineFailure
          title={failed === older ? eventLogText.older.failed : eventLogText.older.newerFailed}
          error={failed}
          onRetry={() => void (failed === older ? log.readOlder() : log.readNewer())}
        />
      </Foot>
    )
  if (hasOlder && events.length >= mostEvents)
    return (
      <Foot>
        <span>{eventLogText.older.full({ count: events.length })}</span>
        <Link to={links.events({ at: events.at(-1)?.eventtime })}>{eventLogText.older.continue}</Link>
      </Foot>
    )
  if (!hasOlder) return <LogEnd filter={filter} onFilter={onFilter} />
  if (!log.isSearch)
    return (
      <Foot>
        <output>{eventLogText.older.loading}</output>
      </Foot>
    )
  return (
    <Foot>
      <output>
        {total === undefined
          ? eventLogText.older.searched({ searched: events.length })
          : eventLogText.older.searchedOf({ searched: events.length, total })}
      </output>
      {older === 'loading' ? (
        <>
          <progress
            style={{ flex: '0 1 200px' }}
            aria-label={eventLogText.older.progress}
            value={events.length}
            max={total ?? events.length}
          />
          <Button variant="default" onClick={log.stopSearch}>
            {eventLogText.older.stop}
          </Button>
        </>
      ) : (
        <Button variant="default" onClick={() => void log.readOlder()}>
          {eventLogText.older.search}
        </Button>
      )}
    </Foot>
  )
}

/**
 * Explains why no older event follows: the log begins here, no more events match, or the filtered period begins here.
 */
function LogEnd({ filter, onFilter }: Pick<LogFootProps, 'filter' | 'onFilter'>) {
  if (filter.from === undefined)
    return <Foot>{isFiltered(filter) ? eventLogText.older.noMore : eventLogText.older.begin}</Foot>
  return (
    <Foot>
      <span>
        {eventLogText.older.span.withElements({ time: <Timestamp value={filter.from} mode="minute" /> })}
      </span>
      <Button variant="default" onClick={() => onFilter({ ...filter, from: undefined })}>
        {eventLogText.older.beyond}
      </Button>
    </Foot>
  )
}

function Foot({ children }: { readonly children: ReactNode }) {
  return (
    <Group justify="center" gap="8px 16px" p="16px 8px" fz="sm" c="dimmed">
      {children}
    </Group>
  )
}
