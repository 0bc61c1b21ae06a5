import type { QueryClient } from '@tanstack/react-query'

import { isFull } from '../../../api/index.ts'
import { readEventStream } from '../../../api/event-stream.ts'
import { momentIn } from '../../../domain/log-page/moments.ts'
import { EventLog } from './log.ts'
import { createMatcher, type EventFilter, isFiltered, readEventFilter, toEventQuery } from './filter.ts'
import { countedSource, filteredSource } from './sources.ts'

/** Time within which Back finds the log as it was left, such as after a look at an event's subject. */
const rememberedMs = 30 * 60_000
/** A response within this time is shown without a skeleton first. */
const skeletonDelayMs = 300

/** Returns the log for a URL, or the remembered one. Its first page may still be loading. */
export async function openLog(client: QueryClient, address: URLSearchParams): Promise<EventLog> {
  const filter = readEventFilter(address)
  const at = momentIn(address, 'at')
  const queryKey = ['events', 'log', { ...filter, at }]
  const known = client.getQueryData<EventLog>(queryKey)
  const isKnown = known !== undefined && !(known.state().start instanceof Error)
  const log = isKnown ? known : makeLog(client, filter, at)
  // Kept in memory in the query cache, and dropped with it.
  client.setQueryDefaults(queryKey, { gcTime: rememberedMs })
  client.setQueryData(queryKey, log)
  if (!isKnown) {
    const opened = log.open()
    await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, skeletonDelayMs))])
  }
  return log
}

function makeLog(client: QueryClient, filter: EventFilter, at: string | undefined): EventLog {
  const timeMs = at === undefined ? undefined : Date.parse(at)
  if (!isFull())
    return new EventLog({
      source: countedSource(client),
      matches: isFiltered(filter) ? createMatcher(filter) : undefined,
      timeMs,
    })
  return new EventLog({
    source: filteredSource(filter),
    timeMs,
    stream: (after, onEvent, signal) => readEventStream({ ...toEventQuery(filter), after }, onEvent, signal),
  })
}
