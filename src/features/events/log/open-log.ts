import type { QueryClient } from '@tanstack/react-query'

import { isFull } from '../../../api/index.ts'
import { readEventStream } from '../../../api/event-stream.ts'
import { momentIn } from '../../../domain/log-page/moments.ts'
import { EventLog } from './log.ts'
import { createMatcher, isFiltered, readEventFilter, toEventQuery, toParameters } from './filter.ts'
import { countedSource, filteredSource } from './sources.ts'

/** Longer than a look at what an event is about takes; then Back begins with the newest again. */
const rememberedMs = 30 * 60_000
/** An answer within this time is shown without a skeleton before it. */
const skeletonDelayMs = 300

/** Returns the log of an address: the one that was left, if it is remembered. Its first page may still be loading. */
export async function openLog(client: QueryClient, address: URLSearchParams): Promise<EventLog> {
  const filter = readEventFilter(address)
  const at = momentIn(address, 'at')
  const queryKey = ['events', 'log', { ...toParameters(filter), at }]
  const known = client.getQueryData<EventLog>(queryKey)
  const isKnown = known !== undefined && !(known.state().start instanceof Error)
  const log = isKnown ? known : makeLog(client, filter, at)
  // In memory, with the answers of the service, and gone with them.
  client.setQueryDefaults(queryKey, { gcTime: rememberedMs })
  client.setQueryData(queryKey, log)
  if (!isKnown) {
    const opened = log.open()
    await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, skeletonDelayMs))])
  }
  return log
}

function makeLog(
  client: QueryClient,
  filter: ReturnType<typeof readEventFilter>,
  at: string | undefined,
): EventLog {
  const timeMs = at === undefined ? undefined : Date.parse(at)
  if (!isFull())
    return new EventLog({
      isFull: false,
      source: countedSource(client),
      matches: isFiltered(filter) ? createMatcher(filter) : undefined,
      timeMs,
    })
  return new EventLog({
    isFull: true,
    source: filteredSource(filter),
    timeMs,
    stream: (after, onEvent, signal) => readEventStream({ ...toEventQuery(filter), after }, onEvent, signal),
  })
}
