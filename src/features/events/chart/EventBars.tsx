import { deliveryStates } from '#contract/index.ts'
import { eventChartText, eventFilterText } from '../../../messages/index.ts'
import { number } from '../../../messages/format.ts'
import type { EventFilter } from '../filter.ts'
import type { Bucket } from './buckets.ts'
import type { Span } from './spans.ts'
import { Plot, type PlotProps, type PlottedSeries } from './Plot.tsx'
import { eventTypeName } from '../../../domain/event-type-name.ts'

export type Division = (typeof divisions)[number]
export const divisions = ['type', 'delivery'] as const

export interface EventBarsProps extends Pick<PlotProps, 'data' | 'zone' | 'onSpan'> {
  readonly onType: (type: string) => void
  /** Filters by delivery state; without `span`, within the time span shown. */
  readonly onDelivery: (delivery: EventFilter['delivery'], span?: Span) => void
}

/** Bars over time, divided by type or by delivery state. */
export function EventBars(props: EventBarsProps & { readonly division: Division }) {
  const { data, zone, division, onSpan, onType, onDelivery } = props
  const series = division === 'type' ? seriesByType(data.types, onType) : seriesByState(onDelivery)
  const describe = (bucket: Bucket) => [
    eventChartText.events({ count: bucket.total }),
    ...series.flatMap(({ name, valueOf }) =>
      valueOf(bucket) > 0 ? [eventChartText.line({ name, value: number(valueOf(bucket)) })] : [],
    ),
  ]
  const title = division === 'type' ? eventChartText.byType : eventChartText.byState
  return <Plot {...{ data, zone, onSpan, title, series, describe }} />
}

export function seriesByState(onDelivery: EventBarsProps['onDelivery']): readonly PlottedSeries[] {
  return deliveryStates.map((state) => ({
    name: eventFilterText.states[state],
    state,
    valueOf: ({ states }) => states[state],
    only: eventChartText.onlyState({ state: eventFilterText.states[state] }),
    onPress: (span) => onDelivery(state, span),
  }))
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
