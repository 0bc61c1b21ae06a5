import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'

import {
  type DeliveryState,
  deliveryStates,
  type Endpoints,
  type Event,
  type Query,
  type Reply,
} from '#contract/index.ts'
import { api } from '../../../api/index.ts'
import { dayMs, hourMs } from '../../../ui/moments.tsx'
import { localZone, type Zones } from '../../../ui/time.ts'
import type { EventFilter } from '../log/filter.ts'
import { edgesOf, type Span, type Unit } from './spans.ts'

export interface Bucket extends Span {
  readonly total: number
  readonly types: ReadonlyMap<string, number>
  /** Delivery lag; undefined if no event of the bucket is delivered, or the service counted them. */
  readonly lag?: ReturnType<typeof lagOf>
  readonly notDelivered: number
  readonly states?: Readonly<Record<DeliveryState, number>>
}

export interface Buckets {
  /** Buckets, oldest first, including empty ones. */
  readonly buckets: readonly Bucket[]
  /** Codes of all occurring types, most frequent first. */
  readonly types: readonly string[]
  readonly unit: Unit
}

function emptyBuckets(edges: readonly number[]) {
  return edges.slice(1).map((endMs, index) => ({
    startMs: edges[index] ?? endMs,
    endMs,
    total: 0,
    types: new Map<string, number>(),
    notDelivered: 0,
  }))
}

/** Returns the bucket of a moment, or the first bucket if the moment is before all of them. */
function bucketAt<Found extends Span>(buckets: readonly Found[], ms: number): Found | undefined {
  return buckets.findLast(({ startMs }) => startMs <= ms) ?? buckets[0]
}

function countType(bucket: { total: number; types: Map<string, number> }, type: string, count = 1) {
  bucket.total += count
  bucket.types.set(type, (bucket.types.get(type) ?? 0) + count)
}

/** Groups events into consecutive time spans, aligned to the clock and calendar of the displayed zone. */
export function bucketsOf(rows: readonly Event[], zone: Zones['shown']): Buckets {
  const timed = rows
    .map((event) => ({ event, ms: Date.parse(event.eventtime) }))
    .filter(({ ms }) => !Number.isNaN(ms))
  const first = timed.reduce((least, { ms }) => Math.min(least, ms), Infinity)
  const last = timed.reduce((most, { ms }) => Math.max(most, ms), -Infinity)
  if (timed.length === 0) return { buckets: [], types: [], unit: 'minute' }

  const { edges, unit } = edgesOf(first, last, zone)
  const drafts = emptyBuckets(edges).map((bucket) => Object.assign(bucket, { lags: [] as number[] }))
  for (const { event, ms } of timed) {
    const draft = bucketAt(drafts, ms)
    if (!draft) continue
    countType(draft, event.type)
    const lag = typeof event.deliveredtime === 'string' ? Date.parse(event.deliveredtime) - ms : Number.NaN
    // If clocks disagree, a delivery may seem earlier than its event; count it as no lag.
    if (event.delivered === true && !Number.isNaN(lag)) draft.lags.push(Math.max(0, lag))
    else if (event.delivered === false) draft.notDelivered += 1
  }
  return {
    unit,
    types: mostFrequent(drafts),
    buckets: drafts.map(({ lags, ...bucket }) =>
      lags.length === 0 ? bucket : Object.assign(bucket, { lag: lagOf(lags) }),
    ),
  }
}

function mostFrequent(buckets: readonly Pick<Bucket, 'types'>[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { types } of buckets)
    for (const [type, count] of types) counts.set(type, (counts.get(type) ?? 0) + count)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([type]) => type)
}

/** Sums up the times from event to delivery of the `delivered` events of a bucket. */
function lagOf(lags: readonly number[]) {
  const sorted = lags.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
  return { delivered: sorted.length, halfMs: at(0.5), mostMs: at(0.95), slowestMs: at(1) }
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
