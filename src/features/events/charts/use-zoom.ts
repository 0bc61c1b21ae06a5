import { type RefObject, useEffect, useRef, useState } from 'react'

import type { EventFilter } from '../log/filter.ts'
import type { Span } from './edges.ts'

type Moments = Pick<EventFilter, 'from' | 'to'>

export interface Zoom {
  /** Shows the events of a span alone. */
  readonly narrow: (span: Span) => void
  /** Absent: all of the log is shown. */
  readonly widen: (() => void) | undefined
  /** The button that widens: it has the focus once a span is narrowed to, since its bar is gone. */
  readonly widenRef: RefObject<HTMLButtonElement | null>
}

/** As a filter has them. */
export function momentsOf({ startMs, endMs }: Span) {
  return { from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() }
}

/** From the span that is shown to one within it, and back by the same steps; from one of an address to all of the log. */
export function useZoom({ from, to }: Moments, onChange: (moments: Moments) => void): Zoom {
  const [steps, setSteps] = useState<readonly { readonly to: Moments; readonly before: Moments }[]>([])
  const widenRef = useRef<HTMLButtonElement>(null)
  const isNarrowed = useRef(false)
  useEffect(() => {
    if (!isNarrowed.current || !widenRef.current) return
    isNarrowed.current = false
    widenRef.current.focus({ preventScroll: true })
  })

  const isShown = (moments: Moments) => moments.from === from && moments.to === to
  return {
    narrow: (span) => {
      const next = momentsOf(span)
      if (isShown(next)) return
      isNarrowed.current = true
      setSteps([...steps, { to: next, before: { from, to } }])
      onChange(next)
    },
    widen:
      from === undefined && to === undefined
        ? undefined
        : () =>
            onChange(
              steps.findLast((step) => isShown(step.to))?.before ?? { from: undefined, to: undefined },
            ),
    widenRef,
  }
}
