import { type DeliveryState, deliveryStates } from '#contract/index.ts'
import { eventTypeName } from '../../../domain/event-type-name.ts'
import { eventChartText, eventFilterText } from '../../../messages/index.ts'
import type { EventFilter } from '../log/filter.ts'
import type { Bucket } from './buckets.ts'

/** Data series: one part of each stacked bar, one entry in the legend, and one column of the table. */
export interface Series {
  readonly name: string
  /** CSS colour; undefined to use the colour of the state. */
  readonly colour?: string
  readonly state?: DeliveryState
  readonly valueOf: (bucket: Bucket) => number
  readonly only?: string
  /** Selects the events of the series; undefined if no filter does. */
  readonly filter?: EventFilter
}

export const seriesByState: readonly Series[] = deliveryStates.map((state) => ({
  name: eventFilterText.states[state],
  state,
  valueOf: ({ states }) => states[state],
  only: eventChartText.onlyState({ state: eventFilterText.states[state] }),
  filter: { delivered: undefined, delivery: state },
}))

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
  DEFINITION_CHANGED: 'tone-4',
  JOB_FINISHED: 'tone-3',
  EXPORT_FETCHED: 'tone-3',
  ERASURES_CHECKED: 'tone-3',
  JOB_STOPPED: 'tone-3',
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
export function seriesByType(types: readonly string[]): readonly Series[] {
  const own = types.length > mostSeries ? types.slice(0, mostSeries - 1) : types
  const rest = types.slice(own.length)
  const foreign = own.filter((type) => typeTones[type] === undefined).toSorted()
  const series: Series[] = own.map((type) => ({
    name: eventTypeName(type) ?? type,
    colour: `var(--${typeTones[type] ?? `tone-${foreign.indexOf(type) + 1}`})`,
    valueOf: (bucket) => bucket.types.get(type) ?? 0,
    only: eventChartText.onlyType({ type }),
    filter: { type },
  }))
  if (rest.length > 0)
    series.push({
      name: eventChartText.otherTypes({ count: rest.length }),
      colour: 'var(--tone-rest)',
      valueOf: (bucket) => rest.reduce((sum, type) => sum + (bucket.types.get(type) ?? 0), 0),
    })
  return series
}
