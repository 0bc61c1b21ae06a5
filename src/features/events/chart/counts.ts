import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'

import { deliveryStates, type Endpoints, type Query, type Reply } from '#contract/index.ts'
import { api } from '../../../api/index.ts'
import { dayMs, hourMs } from '../../../ui/moments.tsx'
import { localZone, type Zones } from '../../../ui/time.ts'
import type { EventFilter } from '../log/filter.ts'
import { bucketAt, type Buckets, countType, emptyBuckets, mostFrequent } from './buckets.ts'
import { edgesOf, type Unit } from './spans.ts'

/** Lengths of the time spans up to now. `month` is shown with the current day added, `year` with the current week. */
export const presets = {
  day: dayMs,
  week: 7 * dayMs,
  month: 29 * dayMs,
  year: 51 * 7 * dayMs,
} as const
export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

/** Bar sizes for counts: the service counts whole hours, and a year is shown in weeks. */
export const countedSteps = { leastMs: hourMs, most: 54 }

export interface Counting {
  readonly edges: readonly number[]
  readonly unit: Unit
  readonly query: Query<Endpoints['countEvents']>
}

/** Returns how to count the filtered events; undefined if the service cannot, or not finely enough. */
export function countingOf(
  filter: EventFilter,
  preset: Preset,
  nowMs: number,
  zone: Zones['shown'],
): Counting | undefined {
  if (filter.user !== undefined || filter.entity !== undefined) return undefined
  const { from, to, type, delivered, delivery } = filter
  const endMs = Math.ceil((to === undefined ? nowMs + 1 : Date.parse(to)) / hourMs) * hourMs
  const startMs =
    from === undefined ? endMs - presets[preset] : Math.floor(Date.parse(from) / hourMs) * hourMs
  if (endMs - startMs <= hourMs) return undefined
  const { edges, unit, by } = edgesOf(startMs, endMs - 1, zone, countedSteps)
  // The first bar begins and the last bar ends with the filtered period, in whole hours.
  if (from !== undefined) edges[0] = startMs
  if (to !== undefined) edges[edges.length - 1] = endMs
  const moment = (ms = endMs) => new Date(ms).toISOString()
  const tz = zone === 'utc' ? 'UTC' : localZone()
  return {
    edges,
    unit,
    query: { from: moment(edges[0]), to: moment(edges.at(-1)), by, tz, type, delivered, delivery },
  }
}

/** Query for bars counted by the service. The previous bars stay until the next ones load. */
export function countsQuery(counting: Counting | undefined) {
  return queryOptions({
    queryKey: ['countEvents', counting],
    queryFn: counting
      ? async ({ signal }) => barsOf(counting, await api.countEvents({ query: counting.query, signal }))
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: refreshMs,
    refetchOnWindowFocus: true,
  })
}

export const refreshMs = 60_000

function barsOf({ edges, unit }: Counting, { series }: Reply<Endpoints['countEvents']>): Buckets {
  const buckets = emptyBuckets(edges).map((bucket) =>
    Object.assign(bucket, { states: { delivered: 0, waiting: 0, failed: 0, none: 0 } }),
  )
  for (const { start, types, states } of series) {
    const bucket = bucketAt(buckets, Date.parse(start))
    if (!bucket) continue
    for (const [type, count] of Object.entries(types)) countType(bucket, type, count)
    for (const state of deliveryStates) bucket.states[state] += states[state]
    bucket.notDelivered = bucket.total - bucket.states.delivered
  }
  return { buckets, unit, types: mostFrequent(buckets) }
}
