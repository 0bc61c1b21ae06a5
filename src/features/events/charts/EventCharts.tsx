import { IconChevronRight, IconTable, IconZoomOut } from '@tabler/icons-react'
import { lazy, Suspense, use, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'

import type { Event } from '#contract/index.ts'
import { put, sharedStorage } from '../../../auth/storage.ts'
import { eventText } from '../../../messages/index.ts'
import { hint } from '../../../ui/Hint.tsx'
import { SkeletonBar } from '../../../ui/SkeletonRows.tsx'
import type { Zones } from '../../../ui/time.ts'
import { ZonesContext } from '../../../ui/Timestamp.tsx'
import type { EventFilter } from '../log/filter.ts'
import { type Buckets, bucketsOf } from './buckets.ts'
import { ChartTable } from './ChartTable.tsx'
import classes from './EventCharts.module.css'
import type { PlotsProps } from './Plots.tsx'
import { spanText } from './spans.ts'
import { momentsOf, useZoom, type Zoom } from './use-zoom.ts'

const text = eventText.charts

export interface EventChartsProps {
  /** Those that are loaded, in any order; `undefined` while the first of them are on their way. */
  readonly rows: readonly Event[] | undefined
  /** That the list is limited to. */
  readonly filter: EventFilter
  readonly onFilter: (change: Partial<EventFilter>) => void
}

// The chart library is five times the page: it comes after the rows, and where it does not come there is the table.
const Plots = lazy<(props: PlotsProps) => React.ReactNode>(() =>
  import('./Plots.tsx').then(
    (chunk) => ({ default: chunk.Plots }),
    () => ({ default: NotLoaded }),
  ),
)

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true }

type View = 'closed' | 'bars' | 'table'

// How somebody likes to read: no data about anybody.
const storageKey = 'data-store.event-charts'

/** As it was left; before that, where there is room above the list. */
function viewAtFirst(): View {
  const kept = sharedStorage?.getItem(storageKey)
  if (kept === 'closed' || kept === 'bars' || kept === 'table') return kept
  return matchMedia('(min-width: 769px) and (min-height: 840px)').matches ? 'bars' : 'closed'
}

/** Events by type, and how long their deliveries took, over time; as bars or as a table. Each bar is a filter. */
export function EventCharts({ rows = none, filter, onFilter }: EventChartsProps) {
  const [view, setView] = useState(viewAtFirst)
  const show = (next: View) => {
    setView(next)
    put(sharedStorage, storageKey, next)
  }
  const open = view !== 'closed'
  const bodyId = useId()
  const { shown: zone } = use(ZonesContext)
  // Rows come first, their bars after them.
  const charted = useDeferredValue(useCalm(rows))
  const data = useMemo(() => (open ? bucketsOf(charted, zone) : undefined), [open, charted, zone])

  const zoom = useZoom(filter, onFilter)
  const ways = {
    onSpan: zoom.narrow,
    onType: (type: string) => onFilter({ types: [type] }),
  }
  return (
    <section aria-label={text.label} className={classes.root}>
      <div className={classes.head}>
        <h2 className={classes.heading}>
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={open}
            aria-controls={bodyId}
            onClick={() => show(open ? 'closed' : 'bars')}
          >
            <IconChevronRight size={14} className={classes.chevron} aria-hidden />
            {text.title}
          </button>
        </h2>
        {data && data.buckets.length > 0 && (
          <>
            <span className={classes.span}>{wholeSpan(data, zone)}</span>
            <Tools view={view} zoom={zoom} onShow={show} />
          </>
        )}
      </div>
      <div id={bodyId} hidden={!open}>
        {data &&
          (data.buckets.length === 0 ? (
            <Skeleton />
          ) : view === 'table' ? (
            <ChartTable
              data={data}
              zone={zone}
              {...ways}
              onNotDelivered={(bucket) => onFilter({ ...momentsOf(bucket), delivered: false })}
            />
          ) : (
            <Suspense fallback={<Skeleton />}>
              <Plots data={data} zone={zone} {...ways} />
            </Suspense>
          ))}
      </div>
    </section>
  )
}

interface ToolsProps {
  readonly view: View
  readonly zoom: Zoom
  readonly onShow: (view: View) => void
}

function Tools({ view, zoom: { widen, widenRef }, onShow }: ToolsProps) {
  return (
    <>
      {widen && (
        <button
          ref={widenRef}
          type="button"
          className={classes.toggle}
          onClick={widen}
          {...hint(text.zoomOutHint)}
        >
          <IconZoomOut {...icon} />
          {text.zoomOut}
        </button>
      )}
      <button
        type="button"
        className={classes.toggle}
        aria-pressed={view === 'table'}
        onClick={() => onShow(view === 'table' ? 'bars' : 'table')}
        {...hint(text.asTableHint)}
      >
        <IconTable {...icon} />
        {text.asTable}
      </button>
    </>
  )
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

/** "Nov 21, 2026, 09:00 – 17:40 UTC": what the rows are of that the bars stand for. */
function wholeSpan({ buckets, unit }: Buckets, zone: Zones['shown']): string {
  const startMs = buckets[0]?.startMs ?? 0
  return spanText({ startMs, endMs: buckets.at(-1)?.endMs ?? startMs }, unit, zone)
}

/** As high as the charts, so that the list below stays where it is. */
function Skeleton() {
  return (
    <div className={classes.plots} aria-busy>
      <SkeletonBar height="var(--plot-block)" />
      <SkeletonBar height="var(--plot-block)" />
    </div>
  )
}

function NotLoaded() {
  return <p className="ds-dimmed">{text.notLoaded}</p>
}
