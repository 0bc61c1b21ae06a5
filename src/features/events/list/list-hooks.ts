import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { NavigationType, useNavigationType } from 'react-router'

import type { Virtualizer } from '@tanstack/react-virtual'

import { type EventLog, mostEvents } from '../log/log.ts'
import type { LogState } from '../log/state.ts'

/** Heights of a row, which the style sheet is given. */
export const rowPx = { wide: 36, middle: 36, tight: 36, narrow: 56 } as const
const rereadMs = 10_000
/** Older events are fetched when the end of the loaded ones is this near. */
const nearEndRows = 40

/** Reports the width class of the list, which is narrower beside an open event and on small screens. */
export function useWidth(scroller: RefObject<HTMLElement | null>, set: (width: keyof typeof rowPx) => void) {
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const { clientWidth } = element
      // Before the first layout the width is 0; assume a wide screen.
      if (clientWidth === 0 || clientWidth > 900) set('wide')
      else set(clientWidth > 700 ? 'middle' : clientWidth > 540 ? 'tight' : 'narrow')
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, set])
}

/** Restores the scroll position on going back; otherwise starts at the moment that the list was opened at. */
export function useScrollPosition(
  log: EventLog,
  startIndex: number,
  scroller: RefObject<HTMLElement | null>,
) {
  const isBack = useNavigationType() === NavigationType.Pop
  const [initialOffset] = useState(() =>
    // Some newer ones are seen above the moment.
    isBack && log.leftAt !== undefined ? log.leftAt : Math.max(0, startIndex - 3) * rowPx.wide,
  )
  useLayoutEffect(() => {
    const element = scroller.current
    const keep = () => (log.leftAt = element?.scrollTop)
    element?.addEventListener('scroll', keep, { passive: true })
    return () => element?.removeEventListener('scroll', keep)
  }, [log, scroller])
  return initialOffset
}

interface ScrollAnchor {
  readonly arrived: number
  /** New rows may push the others down while nobody reads them. */
  readonly isFollowing: boolean
  readonly scroller: RefObject<HTMLElement | null>
  readonly rowHeight: number
}

/**
 * Keeps the rows on screen in place when rows arrive above them. A list that was held at its top because the pointer was
 * over a row shows the new rows once the pointer leaves.
 */
export function useScrollAnchor({ arrived, isFollowing, scroller, rowHeight }: ScrollAnchor): void {
  const before = useRef(arrived)
  const heldAt = useRef<number>(undefined)
  useLayoutEffect(() => {
    const added = arrived - before.current
    before.current = arrived
    const element = scroller.current
    if (!element || added <= 0) return
    const { scrollTop } = element
    const isAtTop = scrollTop < rowHeight / 2 || scrollTop === heldAt.current
    const isRead = element.matches(':hover') || element.contains(document.activeElement)
    const isHeld = !isFollowing || !isAtTop || isRead
    element.scrollTo({ top: isHeld ? scrollTop + added * rowHeight : 0 })
    heldAt.current = isHeld && isFollowing && isAtTop ? element.scrollTop : undefined
  }, [arrived, isFollowing, scroller, rowHeight])
  useEffect(() => {
    const element = scroller.current
    const release = () => {
      if (!element || heldAt.current !== element.scrollTop || element.contains(document.activeElement)) return
      heldAt.current = undefined
      element.scrollTo({ top: 0 })
    }
    element?.addEventListener('pointerleave', release)
    return () => element?.removeEventListener('pointerleave', release)
  }, [scroller])
}

/** Reads the events on screen again from time to time, since they may have been delivered. */
function useRereading(log: EventLog, first: number, last: number) {
  const range = useRef({ first, last })
  useEffect(() => {
    range.current = { first, last }
  }, [first, last])
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void log.reread(range.current.first, range.current.last)
    }, rereadMs)
    return () => clearInterval(timer)
  }, [log])
}

type Scroller = RefObject<HTMLDivElement | null>

/** Keeps the top row in place when the row height changes. */
export function useSameRowAtTop(
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  rowHeight: number,
  scroller: Scroller,
) {
  const heightBefore = useRef<number>(rowPx.wide)
  useLayoutEffect(() => {
    const ratio = rowHeight / heightBefore.current
    heightBefore.current = rowHeight
    virtualizer.measure()
    if (ratio !== 1) scroller.current?.scrollTo({ top: scroller.current.scrollTop * ratio })
  }, [virtualizer, rowHeight, scroller])
}

/** Reads older and newer events as their end of the list comes near, and reads those on screen again. */
export function useLoadMore(
  log: EventLog,
  state: LogState,
  range: Virtualizer<HTMLElement, Element>['range'],
) {
  const { startIndex: first = -1, endIndex: last = -1 } = range ?? {}
  const { rows, events, hasOlder, hasNewer, older, newer } = state
  useEffect(() => {
    // The rows on screen are not known yet.
    if (last === -1) return
    if (last >= rows.length - nearEndRows && hasOlder && older === 'idle' && !log.isSearch)
      if (events.length < mostEvents) void log.readOlder()
    if (first < nearEndRows / 2 && hasNewer && newer === 'idle') void log.readNewer()
  }, [log, first, last, rows.length, events.length, hasOlder, older, hasNewer, newer])
  useRereading(log, first, last)
}
