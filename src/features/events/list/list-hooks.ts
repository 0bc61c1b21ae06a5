import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { NavigationType, useLoaderData, useLocation, useNavigationType } from 'react-router'

import type { Event } from '#contract/index.ts'
import { links } from '../../../domain/links.ts'
import { rereadEvents } from '../../../domain/queries/event-log.ts'
import type { loadLog, LogView } from '../log/use-event-log.ts'

type Scroller = RefObject<HTMLElement | null>

/** Row heights by width class; passed to the style sheet. */
export const rowPx = { wide: 36, middle: 36, tight: 36, narrow: 56 } as const
/** Interval at which the visible events are refetched, since their delivery status may have changed. */
const rereadMs = 10_000
const nearEndRows = 40
/** Maximum number of events in a list, so that it stays fast; beyond that it links to a list of older events. */
export const mostRows = 100_000

/** Reports the width class of the list, which is narrower beside an open event and on small screens. */
export function useWidth(scroller: Scroller): keyof typeof rowPx {
  const [width, setWidth] = useState<keyof typeof rowPx>('wide')
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const { clientWidth } = element
      // Before the first layout the width is 0; assume a wide screen.
      if (clientWidth === 0 || clientWidth > 900) setWidth('wide')
      else setWidth(clientWidth > 700 ? 'middle' : clientWidth > 540 ? 'tight' : 'narrow')
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  return width
}

/** Row at the top of a list that was left, and how far the list was scrolled beyond its upper edge, in rows. */
interface Place {
  readonly id: string | undefined
  readonly beyond: number
}

/** Places in lists that were left, by session and history entry. The shell restores only the document's. */
const places = new WeakMap<QueryClient, Map<string, Place>>()

/**
 * Returns in pixels where the list begins: at the row where its history entry was left, otherwise at its top. The row
 * counts rather than the distance, because the list may have begun again since.
 */
export function useScrollPosition({ rows }: LogView, rowHeight: number, scroller: Scroller) {
  const client = useQueryClient()
  const { key } = useLocation()
  const [left] = useState(() => {
    const known = places.get(client) ?? new Map<string, Place>()
    places.set(client, known)
    return known
  })
  const [place] = useState(() => left.get(key))
  const [initialOffset] = useState(() => {
    const index = place ? rows.findIndex(({ id }) => id === place.id) : -1
    return place && index !== -1 ? (index + place.beyond) * rowHeight : 0
  })
  const shown = useRef({ rows, rowHeight })
  useEffect(() => {
    shown.current = { rows, rowHeight }
  }, [rows, rowHeight])
  useLayoutEffect(() => {
    const element = scroller.current
    return () => {
      if (!element) return
      const inRows = element.scrollTop / shown.current.rowHeight
      const index = Math.floor(inRows)
      left.set(key, { id: shown.current.rows[index]?.id, beyond: inRows - index })
    }
  }, [key, left, scroller])
  return { initialOffset, isReturn: place !== undefined }
}

/**
 * Begins a list again that an earlier visit has left in the cache, unless the reader came back to it, and a list whose
 * own link was followed.
 */
export function useFreshVisit({ restart }: LogView, isReturn: boolean, scroller: Scroller) {
  const { isKnown } = useLoaderData<Awaited<ReturnType<typeof loadLog>>>()
  const isFollowed = useNavigationType() !== NavigationType.Pop
  const { key, pathname } = useLocation()
  const before = useRef<{ readonly key: string; readonly pathname: string }>(undefined)
  const begin = useEffectEvent(() => {
    const { current } = before
    if (current?.key === key) return
    before.current = { key, pathname }
    if (!current && isKnown && !isReturn) void restart()
    // Opening and closing an event changes the path, and leaves the list alone.
    if (!current || !isFollowed || current.pathname !== pathname || pathname !== links.events()) return
    scroller.current?.scrollTo({ top: 0 })
    void restart()
  })
  useEffect(() => begin())
}

/** Focuses a list that has replaced the one whose row or button was pressed, since the focus would be lost. */
export function useFocusOnNewList(scroller: Scroller) {
  const isFollowed = useNavigationType() !== NavigationType.Pop
  const focus = useEffectEvent(() => {
    if (isFollowed && document.activeElement === document.body)
      scroller.current?.focus({ preventScroll: true })
  })
  useEffect(() => focus(), [])
}

/**
 * Keeps the rows in place when others come above them, and when their height changes with the width of the list. A list
 * that has begun again is shown from its top.
 */
export function useSteadyRows(
  { rows, query: { data } }: LogView,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  rowHeight: number,
  scroller: Scroller,
) {
  const firstId = rows[0]?.id
  const isContinued = data?.pageParams[0] !== undefined
  const before = useRef({ firstId, rowHeight })
  useLayoutEffect(() => {
    const { firstId: idBefore, rowHeight: heightBefore } = before.current
    before.current = { firstId, rowHeight }
    if (heightBefore !== rowHeight) virtualizer.measure()
    const { scrollTop = 0 } = scroller.current ?? {}
    const above = idBefore === firstId ? 0 : isContinued ? rows.findIndex(({ id }) => id === idBefore) : -1
    const top = above === -1 ? 0 : (scrollTop / heightBefore + above) * rowHeight
    if (top !== scrollTop) scroller.current?.scrollTo({ top })
  }, [rows, firstId, isContinued, virtualizer, rowHeight, scroller])
}

/** Loads older events as the list nears its end, and refetches the visible ones. */
export function useLoadMore(
  { rows, query, asked, total }: LogView,
  range: Virtualizer<HTMLElement, Element>['range'],
) {
  const client = useQueryClient()
  const { startIndex: first = -1, endIndex: last = -1 } = range ?? {}
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query
  useEffect(() => {
    // Before the first layout, the visible range is not known.
    const isNear = last !== -1 && last >= rows.length - nearEndRows
    if (isNear && hasNextPage && !isFetching && !isFetchNextPageError && rows.length < mostRows)
      void fetchNextPage()
  }, [last, rows.length, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])

  const reread = useEffectEvent(async () => {
    const lowest = rows.findLastIndex((event, index) => index >= first && index <= last && mayChange(event))
    if (document.visibilityState !== 'visible' || lowest === -1) return
    // A page begins after an event that is not in it. The oldest loaded event has none, unless the log begins with it.
    const index = hasNextPage ? Math.min(lowest, rows.length - 2) : lowest
    const before =
      total === undefined ? { after: rows[index + 1]?.id } : { offset: String(total - 1 - index) }
    // The events keep their last status until the next attempt.
    await rereadEvents(client, asked, before).catch(() => undefined)
  })
  useEffect(() => {
    const timer = setInterval(() => void reread(), rereadMs)
    return () => clearInterval(timer)
  }, [])
}

/** Whether the delivery status may still change: not if the event is delivered, or known to have no webhook. */
function mayChange({ delivered, delivery }: Event): boolean {
  return delivery ? delivery.state === 'waiting' || delivery.state === 'failed' : delivered === false
}
