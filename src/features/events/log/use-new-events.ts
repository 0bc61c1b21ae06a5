import { useDebouncedCallback, useDocumentVisibility } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'

import type { Endpoints, Event, Query } from '#contract/index.ts'
import { readEventStream } from '../../../api/event-stream.ts'
import { invalidate } from '../../../api/index.ts'
import { wait } from '../../../api/wait.ts'
import { eventsEndQuery } from '../../../domain/queries/event-log.ts'

const pollMs = 5000
/** Delay before the first retry after a failure; doubled after each further one. */
const retryMs = 2000
const longestRetryMs = 60_000
/** Pause after which a change of a user is looked up, so that a burst of them is one request. */
const namesMs = 200
/** Number of new events beyond which none is counted any more. */
export const mostAnnounced = 1000

interface Followed {
  readonly filter: Query<Endpoints['listEvents']>
  /** Newest event of the list. */
  readonly newestId: string | undefined
  /** Number of events in the log up to the newest one, on a service that only counts up. */
  readonly count: number | undefined
  /** Whether new events may belong to the list. */
  readonly isFollowed: boolean
}

/** Counts the matching events since the newest one of the list, while the page is visible. */
export function useNewEvents({ filter, newestId, count, isFollowed }: Followed) {
  const client = useQueryClient()
  const visibility = useDocumentVisibility()
  const [isFailing, setFailing] = useState(false)
  const [found, setFound] = useState({ filter, newestId, lastId: newestId, count: 0 })
  const isOfList = found.filter === filter && found.newestId === newestId
  // On a return to the tab, counting goes on after the event that was counted last.
  const counted = useEffectEvent(() => (isOfList ? found : { lastId: newestId, count: 0 }))
  const outdateNames = useDebouncedCallback(
    () => void invalidate(client, 'lookUpUsers', 'lookUpChangesets'),
    namesMs,
  )
  const isWatched = isFollowed && visibility === 'visible'
  useEffect(() => {
    if (!isWatched || newestId === undefined) return undefined
    const leave = new AbortController()
    const { signal } = leave
    let { lastId: last = newestId, count: streamed } = counted()
    if (streamed >= mostAnnounced) return undefined
    const announce = (next: number) =>
      setFound((before) =>
        before.filter === filter && before.newestId === newestId && before.count >= next
          ? before
          : { filter, newestId, lastId: last, count: next },
      )
    const onOpen = () => setFailing(false)
    const onEvent = (event: Event) => {
      last = event.id
      streamed += 1
      announce(streamed)
      if (event.type.startsWith('USER_')) outdateNames()
      if (streamed >= mostAnnounced) leave.abort()
    }
    const stream = async () => {
      await readEventStream({ ...filter, after: last }, onEvent, signal, onOpen)
      // Waits here too, in case the service ends the stream at once.
      await wait(retryMs / 2, signal)
    }
    const poll = async () => {
      const end = await client.query({ ...eventsEndQuery(), staleTime: 0 })
      onOpen()
      announce(end.count - (count ?? end.count))
      await wait(pollMs, signal)
    }
    // Only an abort rejects; every other failure is followed by another attempt.
    repeat(count === undefined ? stream : poll, () => setFailing(true), signal).catch(() => undefined)
    return () => leave.abort()
  }, [client, filter, newestId, count, isWatched, outdateNames])
  return { count: isOfList ? found.count : 0, isFollowed, isFailing }
}

async function repeat(step: () => Promise<void>, onFailing: () => void, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await step()
      failures = 0
    } catch {
      signal.throwIfAborted()
      failures += 1
      // A single failure is retried before it is shown.
      if (failures > 1) onFailing()
      await wait(Math.min(longestRetryMs, retryMs * 2 ** (failures - 1)), signal)
    }
  }
}
