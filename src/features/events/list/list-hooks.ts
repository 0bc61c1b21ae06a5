import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { NavigationType, useNavigationType } from 'react-router'

import type { Virtualizer } from '@tanstack/react-virtual'

import { type EventLog, type LogState, mostEvents } from '../log/log.ts'

type Scroller = RefObject<HTMLElement | null>

/** Row heights by width class; passed to the style sheet. */
export const rowPx = { wide: 36, middle: 36, tight: 36, narrow: 56 } as const
/** Interval at which the visible events are refetched, since their delivery status may have changed. */
const rereadMs = 10_000
const nearEndRows = 40

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

/** Restores the scroll position on Back; otherwise starts at the moment that the list was opened at. */
export function useScrollPosition(log: EventLog, startIndex: number, scroller: Scroller) {
  const isBack = useNavigationType() === NavigationType.Pop
  const [initialOffset] = useState(() =>
    // Leave a few newer events visible above the moment.
    isBack && log.leftAt !== undefined ? log.leftAt : Math.max(0, startIndex - 3) * rowPx.wide,
  )
  useLayoutEffect(() => {
    const element = scroller.current
    return () => {
      log.leftAt = element?.scrollTop
    }
  }, [log, scroller])
  return initialOffset
}

interface ScrollAnchor {
  readonly arrived: number
  /** Whether new rows may push the others down while nobody is reading. */
  readonly isFollowing: boolean
  readonly scroller: Scroller
  readonly rowHeight: number
}

/**
 * Keeps the visible rows in place when rows arrive above them. If the list was at its top but held because the pointer
 * was over a row, the new rows appear once the pointer leaves.
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

/** Loads older and newer events as the list nears either end, and refetches the visible ones. */
export function useLoadMore(
  log: EventLog,
  state: LogState,
  range: Virtualizer<HTMLElement, Element>['range'],
) {
  const { startIndex: first = -1, endIndex: last = -1 } = range ?? {}
  const { rows, events, hasOlder, hasNewer, isPaused, older, newer } = state
  useEffect(() => {
    // The visible range is not known yet.
    if (last === -1) return
    if (last >= rows.length - nearEndRows && hasOlder && older === 'idle' && !log.isSearch)
      if (events.length < mostEvents) void log.readOlder()
    if (first < nearEndRows / 2 && hasNewer && !isPaused && newer === 'idle') void log.readNewer()
  }, [log, first, last, rows.length, events.length, hasOlder, older, hasNewer, isPaused, newer])
  const reread = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void log.reread(first, last)
  })
  useEffect(() => {
    const timer = setInterval(() => reread(), rereadMs)
    return () => clearInterval(timer)
  }, [])
}
