import { type RefObject, useEffect, useRef, useState } from 'react'

import type { EventFilter } from '../log/filter.ts'
import type { Span } from './edges.ts'

type Moments = Pick<EventFilter, 'from' | 'to'>

export interface Zoom {
  /** Shows only the events of a span. */
  readonly narrow: (span: Span) => void
  /** Returns to the wider span; undefined if the whole log is shown. */
  readonly widen: (() => void) | undefined
  /** Button that zooms out. It takes the focus after zooming in, because the pressed bar is gone. */
  readonly widenRef: RefObject<HTMLButtonElement | null>
}

/** Converts a span to the moments of a filter. */
export function momentsOf({ startMs, endMs }: Span) {
  return { from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() }
}

/** Zooms in by steps and out by the same steps; a span that came from a URL zooms out to the whole log. */
export function useZoom({ from, to }: Moments, onChange: (moments: Moments) => void): Zoom {
  const [steps, setSteps] = useState<readonly { readonly to: Moments; readonly before: Moments }[]>([])
  const widenRef = useRef<HTMLButtonElement>(null)
  const isNarrowed = useRef(false)
  /** Span that is shown, or requested and not shown yet, so that a second click continues from there. */
  const asked = useRef<Moments>({ from, to })
  useEffect(() => {
    asked.current = { from, to }
  }, [from, to])
  useEffect(() => {
    if (!isNarrowed.current || !widenRef.current) return
    isNarrowed.current = false
    widenRef.current.focus({ preventScroll: true })
  })

  const isAsked = (moments: Moments) => moments.from === asked.current.from && moments.to === asked.current.to
  const ask = (moments: Moments) => {
    asked.current = moments
    onChange(moments)
  }
  return {
    narrow: (span) => {
      const next = momentsOf(span)
      if (isAsked(next)) return
      isNarrowed.current = true
      setSteps([...steps, { to: next, before: { from, to } }])
      ask(next)
    },
    widen:
      from === undefined && to === undefined
        ? undefined
        : () => ask(steps.findLast((step) => isAsked(step.to))?.before ?? { from: undefined, to: undefined }),
    widenRef,
  }
}
