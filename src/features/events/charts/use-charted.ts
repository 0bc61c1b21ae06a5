import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'

import type { Event } from '#contract/index.ts'
import type { Zones } from '../../../ui/time.ts'
import { useNowMs } from '../../../ui/Timestamp.tsx'
import type { EventFilter } from '../log/filter.ts'
import { bucketsOf } from './buckets.ts'
import { countingOf, countsQuery, type Preset, refreshMs } from './counts.ts'
import { hourMs } from './edges.ts'

export interface ChartedOptions {
  readonly rows: readonly Event[] | undefined
  readonly filter: EventFilter
  readonly isLive: boolean
  readonly preset: Preset
  readonly zone: Zones['shown']
  readonly open: boolean
}

/** What is charted: what the service counts, or else the loaded rows. */
export function useCharted({ rows, filter, isLive, preset, zone, open }: ChartedOptions) {
  const hour = Math.floor(useNowMs() / hourMs) * hourMs
  const counting = countingOf(filter, preset, hour, zone)
  // Rows come first, their bars after them.
  const read = useQuery({
    ...countsQuery(counting),
    enabled: open && rows !== undefined && counting !== undefined,
    refetchInterval: isLive && refreshMs,
  })
  const charted = useDeferredValue(useCalm(rows ?? none))
  const isLoaded = open && counting === undefined
  const loaded = useMemo(() => (isLoaded ? bucketsOf(charted, zone) : undefined), [isLoaded, charted, zone])
  // What was counted before stays with the query that counts nothing.
  const isOld = counting !== undefined && read.isPlaceholderData
  return { counting, read, isOld, data: counting ? read.data : loaded }
}

const none: readonly Event[] = []

/** From here on counting takes more than a small part of a frame. */
const manyRows = 5000

/** The rows; of many that keep changing while somebody scrolls, those of a second ago at the most. */
function useCalm(rows: readonly Event[]): readonly Event[] {
  const [calm, setCalm] = useState(rows)
  const latest = useRef(rows)
  useEffect(() => {
    latest.current = rows
  }, [rows])
  if (calm !== rows && rows.length <= manyRows) setCalm(rows)
  const isBehind = calm !== rows
  useEffect(() => {
    if (!isBehind) return
    const timer = setTimeout(() => setCalm(latest.current), 1000)
    return () => clearTimeout(timer)
  }, [isBehind])
  return calm
}
