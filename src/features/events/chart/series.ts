import { eventTypeName } from '../../../domain/event-type-name.ts'
import { eventChartText } from '../../../messages/index.ts'
import type { Bucket } from './buckets.ts'

/** Bars of one colour: one type, or all types too rare for a colour of their own. */
export interface Series {
  readonly name: string
  /** CSS colour, from EventChart.module.css. */
  readonly colour: string
  readonly types: readonly string[]
}

/** Number of series that stay distinguishable side by side and fit into one line of the legend. */
const mostSeries = 5

/**
 * Fixed colour of each event type, independent of the loaded events. Violet is reserved for sensitive data, as in the
 * whole console.
 */
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

/** @param types Type codes, most frequent first. */
export function seriesOf(types: readonly string[]): readonly Series[] {
  const own = types.length > mostSeries ? types.slice(0, mostSeries - 1) : types
  const rest = types.slice(own.length)
  const foreign = own.filter((type) => typeTones[type] === undefined).toSorted()
  const named = own.map((type) => ({
    name: eventTypeName(type) ?? type,
    colour: `var(--${typeTones[type] ?? `tone-${foreign.indexOf(type) + 1}`})`,
    types: [type],
  }))
  if (rest.length === 0) return named
  return [
    ...named,
    { name: eventChartText.otherTypes({ count: rest.length }), colour: 'var(--tone-rest)', types: rest },
  ]
}

export function countInSeries({ types }: Bucket, series: Series): number {
  return series.types.reduce((sum, type) => sum + (types.get(type) ?? 0), 0)
}
