import { useEffect, useRef } from 'react'

import type { EventFilter } from '../log/filter.ts'
import type { Span } from './spans.ts'

type Moments = Pick<EventFilter, 'from' | 'to'>

export function momentsOf({ startMs, endMs }: Span) {
  return { from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() }
}

/** Span that was asked for, with the one that it was zoomed in from. */
interface Step extends Moments {
  readonly before?: Step
}

const isSameSpan = (one: Moments, other: Moments) => one.from === other.from && one.to === other.to

/** Zooms in by steps and out by the same steps; a span that came from a URL zooms out to the whole log. */
export function useZoom({ from, to }: Moments, onChange: (moments: Moments) => void) {
  /** Button that zooms out. It takes the focus after zooming in, because the pressed bar is gone. */
  const widenRef = useRef<HTMLButtonElement>(null)
  const isNarrowed = useRef(false)
  /** Span that is shown, or requested and not shown yet, so that a second click continues from there. */
  const asked = useRef<Step>({ from, to })
  useEffect(() => {
    if (!isSameSpan(asked.current, { from, to })) asked.current = { from, to }
  }, [from, to])
  useEffect(() => {
    if (!isNarrowed.current || !widenRef.current) return
    isNarrowed.current = false
    widenRef.current.focus({ preventScroll: true })
  })

  const ask = (step: Step) => {
    asked.current = step
    onChange({ from: step.from, to: step.to })
  }
  return {
    narrow: (span: Span) => {
      const next = momentsOf(span)
      if (isSameSpan(next, asked.current)) return
      isNarrowed.current = true
      ask({ ...next, before: asked.current })
    },
    widen: from === undefined && to === undefined ? undefined : () => ask(asked.current.before ?? {}),
    widenRef,
  }
}
