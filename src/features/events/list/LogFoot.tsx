import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { links } from '../../../domain/links.ts'
import { Timestamp } from '../../../ui/Timestamp.tsx'
import { eventLogText } from '../../../messages/index.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { type EventLog, mostEvents } from '../log/log.ts'
import { type EventFilter, isFiltered } from '../log/filter.ts'
import type { LogState } from '../log/state.ts'

export interface LogFootProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
  readonly onFilter: (filter: EventFilter) => void
}

export function LogFoot({ log, state, filter, onFilter }: LogFootProps) {
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
