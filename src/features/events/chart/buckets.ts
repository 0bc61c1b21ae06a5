import type { DeliveryState, Event } from '#contract/index.ts'
import type { Zones } from '../../../ui/time.ts'
import { edgesOf, type Span, type Unit } from './spans.ts'

export interface Bucket extends Span {
  readonly total: number
  readonly types: ReadonlyMap<string, number>
  /** Delivery lag; undefined if no event of the bucket is delivered, or the service counted them. */
  readonly lag?: Lag
  readonly notDelivered: number
  readonly states?: Readonly<Record<DeliveryState, number>>
}

/** Time from event to delivery, in milliseconds, over the `delivered` events of a bucket. */
export interface Lag {
  readonly delivered: number
  readonly halfMs: number
  readonly mostMs: number
  readonly slowestMs: number
}

export interface Buckets {
  /** Buckets, oldest first, including empty ones. */
  readonly buckets: readonly Bucket[]
  /** Codes of all occurring types, most frequent first. */
  readonly types: readonly string[]
  readonly unit: Unit
}

export function emptyBuckets(edges: readonly number[]) {
  return edges.slice(1).map((endMs, index) => ({
    startMs: edges[index] ?? endMs,
    endMs,
    total: 0,
    types: new Map<string, number>(),
    notDelivered: 0,
  }))
}

/** Returns the bucket of a moment, or the first bucket if the moment is before all of them. */
export function bucketAt<Found extends Span>(buckets: readonly Found[], ms: number): Found | undefined {
  return buckets.findLast(({ startMs }) => startMs <= ms) ?? buckets[0]
}

export function countType(bucket: { total: number; types: Map<string, number> }, type: string, count = 1) {
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

export function mostFrequent(buckets: readonly Pick<Bucket, 'types'>[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { types } of buckets)
    for (const [type, count] of types) counts.set(type, (counts.get(type) ?? 0) + count)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([type]) => type)
}

function lagOf(lags: readonly number[]): Lag {
  const sorted = lags.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
  return { delivered: sorted.length, halfMs: at(0.5), mostMs: at(0.95), slowestMs: at(1) }
}
