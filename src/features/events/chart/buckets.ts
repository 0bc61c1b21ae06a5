import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'

import {
  type DeliveryState,
  deliveryStates,
  type Endpoints,
  type Query,
  type Reply,
} from '#contract/index.ts'
import { api, fileUnder } from '../../../api/index.ts'
import { dayMs, hourMs } from '../../../ui/moments.tsx'
import { localZone, type Zones } from '../../../ui/time.ts'
import { type EventFilter, queryOf } from '../log/filter.ts'
import { edgesOf, type Span, type Unit } from './spans.ts'

/** Events of a time span, as the service counts them. */
export interface Bucket extends Span {
  readonly total: number
  readonly types: ReadonlyMap<string, number>
  readonly states: Readonly<Record<DeliveryState, number>>
}

export interface Buckets {
  /** Buckets, oldest first, including empty ones. */
  readonly buckets: readonly Bucket[]
  /** Codes of all occurring types, most frequent first. */
  readonly types: readonly string[]
  readonly unit: Unit
}

/** Lengths of the time spans up to now. `month` is shown with the current day added, `year` with the current week. */
export const presets = {
  day: dayMs,
  week: 7 * dayMs,
  month: 29 * dayMs,
  year: 51 * 7 * dayMs,
} as const
export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

export interface Counting {
  readonly query: Query<Endpoints['countEvents']>
  /** Whether the period has ended, so that no event is added to it. */
  readonly isOver: boolean
  readonly edges: readonly number[]
  readonly unit: Unit
}

/** Returns how to count the filtered events, in whole hours; undefined if the service cannot. */
export function countingOf(
  filter: EventFilter,
  preset: Preset,
  nowMs: number,
  zone: Zones['shown'],
): Counting | undefined {
  if ([filter.user, filter.entity, filter.actor, filter.job].some((id) => id !== undefined)) return undefined
  const { from, to, type, delivered, delivery, jobs } = queryOf(filter)
  const endMs = Math.ceil((to === undefined ? nowMs + 1 : Date.parse(to)) / hourMs) * hourMs
  const startMs =
    from === undefined ? endMs - presets[preset] : Math.floor(Date.parse(from) / hourMs) * hourMs
  const { edges, unit, by } = edgesOf(startMs, endMs - 1, zone)
  // The first bar begins and the last bar ends with the filtered period, in whole hours.
  if (from !== undefined) edges[0] = startMs
  if (to !== undefined) edges[edges.length - 1] = endMs
  const moment = (ms = endMs) => new Date(ms).toISOString()
  const tz = zone === 'utc' ? 'UTC' : localZone()
  return {
    edges,
    unit,
    isOver: to !== undefined && Date.parse(to) < nowMs,
    query: { from: moment(edges[0]), to: moment(edges.at(-1)), by, tz, type, delivered, delivery, jobs },
  }
}

const recountMs = 60_000

/** Query for counts of events, as bars. The previous ones stay as they were until the next ones load. */
export function eventCountsQuery(counting: Counting | undefined) {
  return queryOptions({
    ...fileUnder('countEvents', { as: 'bars', ...counting }),
    queryFn: counting
      ? async ({ signal }) => barsOf(counting, await api.countEvents({ query: counting.query, signal }))
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: recountMs,
    refetchInterval: counting?.isOver === false && recountMs,
    refetchOnWindowFocus: true,
  })
}

export const totalOf = (buckets: readonly Bucket[]) => buckets.reduce((sum, { total }) => sum + total, 0)

/** Returns the bars for counts by the service. */
export function barsOf(
  { edges, unit }: Pick<Counting, 'edges' | 'unit'>,
  { series }: Reply<Endpoints['countEvents']>,
): Buckets {
  const buckets = edges.slice(1).map((endMs, index) => ({
    startMs: edges[index] ?? endMs,
    endMs,
    total: 0,
    types: new Map<string, number>(),
    states: { delivered: 0, waiting: 0, failed: 0, none: 0 },
  }))
  const totals = new Map<string, number>()
  for (const { start, types, states } of series) {
    // The first hour may begin before the first bar.
    const bucket = buckets.findLast(({ startMs }) => startMs <= Date.parse(start)) ?? buckets[0]
    if (!bucket) continue
    for (const [type, count] of Object.entries(types)) {
      bucket.total += count
      bucket.types.set(type, (bucket.types.get(type) ?? 0) + count)
      totals.set(type, (totals.get(type) ?? 0) + count)
    }
    for (const state of deliveryStates) bucket.states[state] += states[state]
  }
  const types = [...totals].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([type]) => type)
  return { buckets, unit, types }
}
