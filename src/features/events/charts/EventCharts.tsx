import { useQuery } from '@tanstack/react-query'
import { use, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'

import type { Event } from '#contract/index.ts'
import { isFull } from '../../../api/index.ts'
import { put, sharedStorage } from '../../../auth/storage.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { eventText } from '../../../messages/index.ts'
import { SkeletonBar } from '../../../ui/SkeletonRows.tsx'
import { useNowMs, ZonesContext } from '../../../ui/Timestamp.tsx'
import type { EventFilter } from '../log/filter.ts'
import { ChartTable } from './ChartTable.tsx'
import { countingOf, countsQuery, type Preset, presets, refreshMs } from './counts.ts'
import classes from './EventCharts.module.css'
import { Head, type View } from './Head.tsx'
import { Plots, type PlotsProps } from './Plots.tsx'
import { spanText } from './spans.ts'
import { momentsOf, useZoom } from './use-zoom.ts'
import type { Zones } from '../../../ui/time.ts'
import { bucketsOf } from './buckets.ts'
import { hourMs } from './edges.ts'

const chartsText = eventText.charts

export interface EventChartsProps {
  /** Loaded events, in any order; undefined while the first ones load. */
  readonly rows: readonly Event[] | undefined
  /** Filter of the list. */
  readonly filter: EventFilter
  /** New events come in. */
  readonly isLive: boolean
  readonly onFilter: (change: Partial<EventFilter>) => void
}

// Display preference; contains no personal data.
const storageKey = 'data-store.event-charts'
const timeKey = `${storageKey}.time`

/** Returns the view that was last chosen; without one, shows the bars only if the window is large enough. */
function viewAtFirst(): View {
  const kept = sharedStorage?.getItem(storageKey)
  if (kept === 'closed' || kept === 'bars' || kept === 'table') return kept
  return matchMedia('(min-width: 641px) and (min-height: 840px)').matches ? 'bars' : 'closed'
}

function presetAtFirst(): Preset {
  const kept = sharedStorage?.getItem(timeKey) ?? ''
  return Object.hasOwn(presets, kept) ? (kept as Preset) : 'month'
}

/** Events over time by type and by delivery state, as bars or as a table. Each bar is a filter. */
export function EventCharts({ rows, filter, isLive, onFilter }: EventChartsProps) {
  const [view, setView] = useState(viewAtFirst)
  const [preset, setPreset] = useState(presetAtFirst)
  const open = view !== 'closed'
  const bodyId = useId()
  const { shown: zone } = use(ZonesContext)
  const { counting, read, isOld, data } = useCharted({ rows, filter, isLive, preset, zone, open })
  const zoom = useZoom(filter, onFilter)
  const ways = useSteady({
    onSpan: zoom.narrow,
    onType: (type) => onFilter({ types: [type] }),
    onStanding: (standing, span) =>
      onFilter({ delivered: undefined, delivery: undefined, ...standing, ...(span && momentsOf(span)) }),
  })
  // An empty list has no chart, unless its zoom can be widened.
  if (rows?.length === 0 && !(counting && zoom.widen)) return null

  const [startMs, endMs] = counting
    ? [counting.edges[0], counting.edges.at(-1)]
    : [data?.buckets[0]?.startMs, data?.buckets.at(-1)?.endMs]
  const span =
    startMs === undefined || endMs === undefined
      ? ''
      : spanText({ startMs, endMs }, counting?.unit ?? data?.unit ?? 'day', zone)
  const total = data?.buckets.reduce((sum, bucket) => sum + bucket.total, 0)
  const isInstead = !counting && isFull()
  const choose = (next: Preset) => {
    setPreset(next)
    put(sharedStorage, timeKey, next)
    if (filter.from !== undefined) onFilter({ from: undefined, to: undefined })
  }
  return (
    <section aria-label={chartsText.label} className={classes.root}>
      <Head
        view={view}
        onShow={(next) => {
          setView(next)
          put(sharedStorage, storageKey, next)
        }}
        bodyId={bodyId}
        summary={
          span === '' || total === undefined || (!counting && !isInstead) || isOld
            ? span
            : (isInstead ? chartsText.ofLoaded : chartsText.counted)(total, span)
        }
        summaryHint={isInstead ? chartsText.ofLoadedHint : undefined}
        zoom={zoom}
        {...(counting && {
          times: { chosen: filter.from === undefined ? preset : undefined, onChoose: choose },
        })}
      />
      <div id={bodyId} hidden={!open} className={classes.body} aria-busy={isOld}>
        {counting && !data && read.error ? (
          <InlineFailure
            title={chartsText.failed}
            error={read.error}
            onRetry={() => void read.refetch()}
            retrying={read.isFetching}
          />
        ) : !data || data.buckets.length === 0 ? (
          open && <Skeleton />
        ) : total === 0 ? (
          <p className={classes.nothing}>{chartsText.nothing}</p>
        ) : view === 'table' ? (
          <ChartTable data={data} zone={zone} {...ways} />
        ) : (
          <Plots data={data} zone={zone} {...ways} />
        )}
      </div>
    </section>
  )
}

type Ways = Pick<PlotsProps, 'onSpan' | 'onType' | 'onStanding'>

/** Callbacks with a stable identity, so that the memoised plots render only for new data and not for each new row. */
function useSteady(ways: Ways): Ways {
  const latest = useRef(ways)
  useEffect(() => {
    latest.current = ways
  })
  return useMemo(
    () => ({
      onSpan: (span) => latest.current.onSpan(span),
      onType: (type) => latest.current.onType(type),
      onStanding: (standing, span) => latest.current.onStanding(standing, span),
    }),
    [],
  )
}

/** Placeholder of the charts' height, so that the list below does not move. */
function Skeleton() {
  return (
    <div className={classes.plots} aria-busy>
      <SkeletonBar height="var(--plot-block)" />
      <SkeletonBar height="var(--plot-block)" />
    </div>
  )
}

interface ChartedOptions {
  readonly rows: readonly Event[] | undefined
  readonly filter: EventFilter
  readonly isLive: boolean
  readonly preset: Preset
  readonly zone: Zones['shown']
  readonly open: boolean
}

/**
 * Returns the data to chart: counts of the service if it can count this filter, otherwise counts of the loaded rows.
 */
function useCharted({ rows, filter, isLive, preset, zone, open }: ChartedOptions) {
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
  // The disabled query still holds earlier counts as placeholder data; they are not stale data of this chart.
  const isOld = counting !== undefined && read.isPlaceholderData
  return { counting, read, isOld, data: counting ? read.data : loaded }
}

const none: readonly Event[] = []

/** Number of rows from which counting takes a noticeable part of a frame. */
const manyRows = 5000

/** Returns the rows; if there are many, at most one update per second. */
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
