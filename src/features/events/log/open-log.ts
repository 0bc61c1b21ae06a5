import type { QueryClient } from '@tanstack/react-query'

import { isFull } from '../../../api/index.ts'
import { readEventStream } from '../../../api/event-stream.ts'
import { EventLog } from './log.ts'
import { askedOf, filterIn, isFiltered, matcherOf, momentIn, parametersOf } from './filter.ts'
import { countedSource, filteredSource } from './sources.ts'

/** Longer than a look at what an event is about takes; then Back begins with the newest again. */
const rememberedMs = 30 * 60_000
/** An answer that comes sooner is shown without a skeleton before it. */
const patienceMs = 300

/** The log that an address asks for; the one that was left, where it is remembered. It may still be on its way. */
export async function openLog(client: QueryClient, address: URLSearchParams): Promise<EventLog> {
  const filter = filterIn(address)
  const at = momentIn(address, 'at')
  const queryKey = ['events', 'log', { ...parametersOf(filter), at }]
  const known = client.getQueryData<EventLog>(queryKey)
  const isKnown = known !== undefined && !(known.state().start instanceof Error)
  const log = isKnown ? known : makeLog(client, filter, at)
  // In memory, with the answers of the service, and gone with them.
  client.setQueryDefaults(queryKey, { gcTime: rememberedMs })
  client.setQueryData(queryKey, log)
  if (!isKnown) {
    const opened = log.open()
    await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, patienceMs))])
  }
  return log
}

function makeLog(client: QueryClient, filter: ReturnType<typeof filterIn>, at: string | undefined): EventLog {
  const timeMs = at === undefined ? undefined : Date.parse(at)
  if (!isFull())
    return new EventLog({
      source: countedSource(client),
      matches: isFiltered(filter) ? matcherOf(filter) : undefined,
      timeMs,
    })
  return new EventLog({
    source: filteredSource(filter),
    timeMs,
    stream: isFull()
      ? (after, onEvent, signal) => readEventStream({ ...askedOf(filter), after }, onEvent, signal)
      : undefined,
  })
}
