import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

import { isFull } from '../../../api/index.ts'
import { links } from '../../../domain/links.ts'
import { momentIn } from '../../../domain/log-page/moments.ts'
import { eventLogQuery, loadEventLog, restartEventLog } from '../../../domain/queries/event-log.ts'
import { eventLogText } from '../../../messages/index.ts'
import { useNowMs } from '../../../ui/Timestamp.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type EventFilter, queryOf, readEventFilter } from './filter.ts'
import { useNewEvents } from './use-new-events.ts'

/** Reads from a URL what the page shows. The log of a bare service is neither filtered nor read from a moment. */
function readAddress(address: URLSearchParams) {
  const isFullLog = isFull()
  const filter: EventFilter = isFullLog ? readEventFilter(address) : {}
  const at = isFullLog ? momentIn(address, 'at') : undefined
  const query = isFullLog ? queryOf(filter) : {}
  return {
    isFull: isFullLog,
    filter,
    asked: query,
    at,
    options: eventLogQuery({ isFull: isFullLog, filter: query, at }),
  }
}

export const loadLog = (client: QueryClient, address: URLSearchParams, signal: AbortSignal) =>
  loadEventLog(client, readAddress(address).options, signal)

/** Interval at which a list without events is read again: a row that appears in it moves no other. */
const emptyMs = 5000

export type LogView = ReturnType<typeof useEventLog>

/** Returns the events of the page, with what its URL says of them. */
export function useEventLog() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [address] = useSearchParams()
  const { options, ...view } = useMemo(() => readAddress(address), [address])
  const { filter, asked, at } = view
  const nowMs = useNowMs()
  // No new event can fall into a period that has ended.
  const isOver = filter.to !== undefined && Date.parse(filter.to) < nowMs
  const query = useInfiniteQuery({
    ...options,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.every(({ events }) => events.length === 0) === true && !isOver ? emptyMs : false,
  })
  const { data, hasPreviousPage } = query
  const rows = useMemo(() => data?.pages.flatMap(({ events }) => events) ?? [], [data])
  const count = data?.pages[0]?.count
  const news = useNewEvents({
    filter: asked,
    newestId: rows[0]?.id,
    count,
    isFollowed: rows.length > 0 && !hasPreviousPage && !isOver,
  })

  const show = (next: EventFilter, nextAt?: string) =>
    void navigate(links.events({ ...next, at: nextAt }), { preventScrollReset: true })
  const restart = () =>
    restartEventLog(client, options).catch(() =>
      showToast({ tone: 'failure', message: eventLogText.newerFailed }),
    )
  return {
    /** Identifies the list: another one has rows and a scroll position of its own. */
    listKey: address.toString(),
    ...view,
    query,
    rows,
    /** Number of events in the log, from a service that counts up. */
    total: count,
    news,
    restart,
    /** Shows the log with another filter, from its end or from a moment. */
    show,
    showNewest: () => (at === undefined ? restart() : Promise.resolve(show(filter))),
  }
}
