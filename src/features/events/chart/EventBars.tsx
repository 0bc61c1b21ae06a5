import { deliveryStates } from '#contract/index.ts'
import { eventChartText, eventFilterText } from '../../../messages/index.ts'
import { number } from '../../../messages/format.ts'
import { duration } from '../../../ui/duration.ts'
import type { EventFilter } from '../log/filter.ts'
import type { Bucket } from './buckets.ts'
import type { Span } from './spans.ts'
import { Plot, type PlotContent, type PlotProps, type PlottedSeries } from './Plot.tsx'
import { eventTypeName } from '../../../domain/event-type-name.ts'

export type Division = (typeof divisions)[number]
export const divisions = ['type', 'delivery'] as const

export interface EventBarsProps extends Pick<PlotProps, 'data' | 'zone' | 'onSpan'> {
  readonly onType: (type: string) => void
  /** Filters by delivery status; without `span`, within the time span shown. */
  readonly onDelivery: (status: Pick<EventFilter, 'delivered' | 'delivery'>, span?: Span) => void
}

/** Bars over time, divided by type or by delivery: by delivery state if the service counts it, otherwise by lag. */
export function EventBars(props: EventBarsProps & { readonly division: Division }) {
  const { data, zone, division, onSpan, onType, onDelivery } = props
  const plot = { data, zone, onSpan }
  if (division === 'type') {
    const series = seriesByType(data.types, onType)
    const describe = (bucket: Bucket) => [
      eventChartText.events({ count: bucket.total }),
      ...linesOf(series, bucket),
    ]
    return <Plot {...plot} title={eventChartText.byType} series={series} describe={describe} />
  }
  if (!data.buckets[0]?.states) return <Plot {...plot} {...plotLag(data.buckets)} />
  const series = seriesByState(onDelivery)
  const describe = (bucket: Bucket) => linesOf(series, bucket)
  return <Plot {...plot} title={eventChartText.byState} series={series} describe={describe} />
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
  const lines = lag
    ? [
        eventChartText.deliveredEvents({ count: lag.delivered }),
        line(eventChartText.half, lag.halfMs),
        line(eventChartText.most, lag.mostMs),
        line(eventChartText.slowest, lag.slowestMs),
      ]
    : []
  if (notDelivered > 0) lines.push(eventChartText.notDelivered({ count: notDelivered }))
  return lines
}

/** Number of series that stay distinguishable side by side and fit into one line of the legend. */
const mostSeries = 5

/** Fixed colour of each event type. Violet is reserved for sensitive data, as in the whole console. */
const typeTones: Readonly<Record<string, string>> = {
  DIRECT_DATA_CHANGE: 'tone-1',
  USER_CREATED: 'tone-2',
  USER_UPDATED: 'tone-3',
  USER_DELETED: 'tone-6',
  SEGMENT_CREATED: 'tone-5',
  SEGMENT_UPDATED: 'tone-4',
  SEGMENT_DELETED: 'tone-6',
  SENSITIVE_DATA_ACCESSED: 'tone-sensitive',
  SENSITIVE_DATA_CHECKED: 'tone-sensitive-2',
  SENSITIVE_DATA_SEARCHED: 'tone-sensitive-2',
  SUBSCRIPTION_CREATED: 'tone-5',
  SUBSCRIPTION_UPDATED: 'tone-4',
  SUBSCRIPTION_DELETED: 'tone-6',
  SUBSCRIPTION_SECRET_ROTATED: 'tone-4',
  WEBHOOK_TEST: 'tone-5',
}

/**
 * Returns a series for each type, and one for all types that are too rare for a colour of their own.
 * @param types Type codes, most frequent first.
 */
export function seriesByType(
  types: readonly string[],
  onType: EventBarsProps['onType'],
): readonly PlottedSeries[] {
  const own = types.length > mostSeries ? types.slice(0, mostSeries - 1) : types
  const rest = types.slice(own.length)
  const foreign = own.filter((type) => typeTones[type] === undefined).toSorted()
  const series: PlottedSeries[] = own.map((type) => ({
    name: eventTypeName(type) ?? type,
    colour: `var(--${typeTones[type] ?? `tone-${foreign.indexOf(type) + 1}`})`,
    valueOf: (bucket) => bucket.types.get(type) ?? 0,
    only: eventChartText.onlyType({ type }),
    onPress: () => onType(type),
  }))
  if (rest.length > 0)
    series.push({
      name: eventChartText.otherTypes({ count: rest.length }),
      colour: 'var(--tone-rest)',
      valueOf: (bucket) => rest.reduce((sum, type) => sum + (bucket.types.get(type) ?? 0), 0),
    })
  return series
}
