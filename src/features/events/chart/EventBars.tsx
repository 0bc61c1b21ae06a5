import { deliveryStates } from '#contract/index.ts'
import { eventChartText, eventFilterText } from '../../../messages/index.ts'
import { number } from '../../../messages/format.ts'
import { duration } from '../../../ui/duration.ts'
import type { Zones } from '../../../ui/time.ts'
import type { EventFilter } from '../log/filter.ts'
import type { Bucket, Buckets } from './buckets.ts'
import type { Span } from './edges.ts'
import { Plot, type PlotContent, type PlottedSeries } from './Plot.tsx'
import { countInSeries, seriesOf } from './series.ts'

export type Division = (typeof divisions)[number]
export const divisions = ['type', 'delivery'] as const

export interface EventBarsProps {
  readonly data: Buckets
  readonly zone: Zones['shown']
  readonly onSpan: (span: Span) => void
  readonly onType: (type: string) => void
  /** Filters by delivery status; without `span`, within the time span shown. */
  readonly onDelivery: (status: Pick<EventFilter, 'delivered' | 'delivery'>, span?: Span) => void
}

/**
 * Bar chart over time, divided by type or by delivery: by delivery state if the service counts it, otherwise by lag.
 */
export function EventBars(props: EventBarsProps & { readonly division: Division }) {
  const { data, zone, division, onSpan, onType, onDelivery } = props
  const content =
    division === 'type'
      ? plotTypes(seriesByType(data.types, onType))
      : data.buckets[0]?.states
        ? plotStates(seriesByState(onDelivery))
        : plotLag(data.buckets)
  return <Plot {...content} data={data} zone={zone} onSpan={onSpan} />
}

export function seriesByType(
  types: Buckets['types'],
  onType: EventBarsProps['onType'],
): readonly PlottedSeries[] {
  return seriesOf(types).map((series) => {
    const [type = '', ...others] = series.types
    return {
      name: series.name,
      colour: series.colour,
      valueOf: (bucket) => countInSeries(bucket, series),
      only: eventChartText.onlyType({ type }),
      onPress: others.length === 0 ? () => onType(type) : undefined,
    }
  })
}

export function seriesByState(onDelivery: EventBarsProps['onDelivery']): readonly PlottedSeries[] {
  return deliveryStates.map((state) => ({
    name: eventFilterText.states[state],
    state,
    valueOf: ({ states }) => states?.[state] ?? 0,
    only: eventChartText.onlyState({ state: eventFilterText.states[state] }),
    onPress: (span) => onDelivery({ delivery: state }, span),
  }))
}

function linesOf(series: readonly PlottedSeries[], bucket: Bucket): string[] {
  return series.flatMap(({ name, valueOf }) =>
    valueOf(bucket) > 0 ? [eventChartText.line({ name, value: number(valueOf(bucket)) })] : [],
  )
}

function plotTypes(series: readonly PlottedSeries[]): PlotContent {
  return {
    title: eventChartText.byType,
    series,
    describe: (bucket) => [eventChartText.events({ count: bucket.total }), ...linesOf(series, bucket)],
  }
}

function plotStates(series: readonly PlottedSeries[]): PlotContent {
  return { title: eventChartText.byState, series, describe: (bucket) => linesOf(series, bucket) }
}

const lagSeries: readonly PlottedSeries[] = [
  { name: eventChartText.half, colour: 'var(--tone-1)', valueOf: ({ lag }) => lag?.halfMs ?? 0 },
  {
    name: eventChartText.most,
    colour: 'var(--tone-2)',
    valueOf: ({ lag }) => (lag ? lag.mostMs - lag.halfMs : 0),
  },
]

function plotLag(buckets: readonly Bucket[]): PlotContent {
  const isNone = buckets.every(({ lag }) => lag === undefined)
  return {
    title: eventChartText.lag,
    series: isNone ? [] : lagSeries,
    format: duration,
    describe: lagLines,
    ...(isNone && { instead: eventChartText.noneDelivered }),
  }
}

function lagLines({ lag, notDelivered }: Bucket): string[] {
  const line = (name: string, ms: number) => eventChartText.line({ name, value: duration(ms) })
  return [
    ...(lag
      ? [
          eventChartText.deliveredEvents({ count: lag.delivered }),
          line(eventChartText.half, lag.halfMs),
          line(eventChartText.most, lag.mostMs),
          line(eventChartText.slowest, lag.slowestMs),
        ]
      : []),
    ...(notDelivered > 0 ? [eventChartText.notDelivered({ count: notDelivered })] : []),
  ]
}
