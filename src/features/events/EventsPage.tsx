import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import {
  NavigationType,
  Outlet,
  useLoaderData,
  useNavigate,
  useNavigationType,
  useParams,
  useSearchParams,
} from 'react-router'

import { links } from '../../domain/links.ts'
import { eventQuery } from '../../domain/queries/events.ts'
import { eventLogText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { EventCharts } from './charts/EventCharts.tsx'
import classes from './EventsPage.module.css'
import { Conditions } from './Conditions.tsx'
import type { EventLog } from './log/log.ts'
import type { LogState } from './log/state.ts'
import { type EventFilter, everything, filterIn, isFiltered, momentIn, parametersOf } from './log/filter.ts'
import { LogActions } from './LogActions.tsx'
import { LogFoot } from './list/LogFoot.tsx'
import { LogList } from './list/LogList.tsx'
import { isFull } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'

/** Event log, newest first. Filter, moment and open event are kept in the address. */
export function EventsPage() {
  const log = useLoaderData<EventLog>()
  const state = useSyncExternalStore(log.subscribe, log.state)
  const { eventId } = useParams()
  const [address] = useSearchParams()
  const navigate = useNavigate()
  const filter = filterIn(address)
  const at = momentIn(address, 'at')
  useWatch(log, state, filter)
  useOpenEvent(log, eventId)

  const show = (next: EventFilter, moment?: string) =>
    void navigate(links.events({ ...parametersOf(next), at: moment }), { preventScrollReset: true })
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
      <Conditions filter={filter} at={at} onChange={show} />
      {(isLoading || state.rows.length > 0 || isFiltered(filter)) && (
        <EventCharts
          rows={isLoading ? undefined : state.rows}
          filter={filter}
          isLive={state.tail !== 'off' && !state.isPaused}
          onFilter={(change) => show({ ...filter, ...change })}
        />
      )}
      <div className={classes.split} data-open={isOpen || undefined}>
        <Rows
          key={log.key}
          log={log}
          state={state}
          openId={eventId}
          filter={filter}
          onFilter={(next) => show(next, at)}
          onClear={() => show(everything)}
        />
        <Outlet />
      </div>
    </div>
  )
}

interface RowsProps {
  readonly log: EventLog
  readonly state: LogState
  readonly openId: string | undefined
  readonly filter: EventFilter
  readonly onFilter: (filter: EventFilter) => void
  readonly onClear: () => void
}

function Rows({ log, state, openId, filter, onFilter, onClear }: RowsProps) {
  const { start, rows, events, older, hasOlder } = state
  if (start instanceof Error)
    return (
      <div className={classes.instead}>
        <InlineFailure title={eventLogText.failed} error={start} onRetry={() => void log.open()} />
      </div>
    )
  if (start === 'loading' && rows.length === 0)
    return (
      <div className={classes.instead}>
        <SkeletonRows rows={16} />
      </div>
    )
  const foot = <LogFoot log={log} state={state} filter={filter} onFilter={onFilter} />
  if (rows.length > 0) return <LogList log={log} state={state} openId={openId} foot={foot} />
  if (!isFiltered(filter))
    return (
      <div className={classes.instead}>
        <EmptyState title={eventLogText.empty.title}>{eventLogText.empty.body}</EmptyState>
      </div>
    )
  // Older events may still match, so searching them is offered first; the chips above remove the filters.
  const isSearch = log.isSearch && (hasOlder || older === 'loading')
  return (
    <div className={classes.instead}>
      <EmptyState
        title={isSearch ? eventLogText.empty.searchedTitle(events.length) : eventLogText.empty.filteredTitle}
        action={
          isSearch ? (
            foot
          ) : (
            <Button variant="default" onClick={onClear}>
              {eventLogText.empty.clear}
            </Button>
          )
        }
      >
        {isSearch ? eventLogText.empty.searchedBody : eventLogText.empty.filteredBody}
      </EmptyState>
    </div>
  )
}

/** New events come in while the end of the log is shown, and may still match. */
function useWatch(log: EventLog, { start, hasNewer }: LogState, { to }: EventFilter) {
  const isBack = useNavigationType() === NavigationType.Pop
  const isReady = start === 'idle'
  useEffect(() => {
    // Come to by a link, a list that was left far behind begins with the newest.
    if (!isBack && log.isLeftBehind()) void log.open()
  }, [log, isBack])
  useEffect(() => {
    const isOver = to !== undefined && Date.parse(to) < Date.now()
    return isReady && !hasNewer && !isOver ? log.watch() : undefined
  }, [log, isReady, hasNewer, to])
}

/** Keeps the row of the open event up to date with the event. */
function useOpenEvent(log: EventLog, eventId: string | undefined) {
  const { data } = useQuery({ ...eventQuery(eventId ?? ''), enabled: false })
  useEffect(() => {
    if (data) log.seen(data)
  }, [log, data])
}

interface LogScopeProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
}

/** How much of the log is in the list, and of what time. */
function LogScope({ log, state, filter }: LogScopeProps) {
  const { start, rows, events, hasNewer } = state
  const seesIds = useDenied('users:read') !== undefined && isFull()
  if (start !== 'idle') return <span> </span>
  const total = log.total()
  const loaded = log.isSearch ? events : rows
  const oldest = loaded.at(-1)
  const newest = loaded[0]
  return (
    <>
      <span>
        {log.isSearch
          ? eventLogText.scope.searched(rows.length, events.length, total, !hasNewer)
          : isFiltered(filter)
            ? eventLogText.scope.matching(rows.length)
            : eventLogText.scope.loaded(rows.length, total)}
        {oldest && newest && (
          <>
            {`, ${hasNewer ? eventLogText.scope.from : eventLogText.scope.back} `}
            <Timestamp value={oldest.eventtime} mode="minute" />
            {hasNewer && (
              <>
                {` ${eventLogText.scope.to} `}
                <Timestamp value={newest.eventtime} mode="minute" />
              </>
            )}
          </>
        )}
      </span>
      {log.isSearch && <span>{eventLogText.scope.explain}</span>}
      {seesIds && <span>{eventLogText.scope.idsOnly}</span>}
    </>
  )
}
