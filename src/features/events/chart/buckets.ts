import type { DeliveryState, Event } from '#contract/index.ts'
import type { Zones } from '../../../ui/time.ts'
import { dayMs } from '../../../ui/moments.tsx'
import { edgesOf, indexOf, type Span } from './edges.ts'

/** Events of one time span, shown as one bar. */
export interface Bucket extends Span {
  readonly total: number
  /** Number of events by type code. */
  readonly types: ReadonlyMap<string, number>
  /** Delivery lag; undefined if no event of the bucket is delivered. */
  readonly lag?: Lag
  readonly notDelivered: number
  /** Number of events by delivery state, as counted by the service. */
  readonly states?: Readonly<Record<DeliveryState, number>>
}

/** Time from the event to its delivery, in milliseconds. */
export interface Lag {
  readonly delivered: number
  readonly halfMs: number
  /** 95th percentile. */
  readonly mostMs: number
  readonly slowestMs: number
}

export interface Buckets {
  /** Buckets, oldest first, including empty ones. */
  readonly buckets: readonly Bucket[]
  /** Codes of all occurring types, most frequent first. */
  readonly types: readonly string[]
  /** Unit in which the buckets' times are best displayed. */
  readonly unit: 'second' | 'minute' | 'day' | 'month' | 'year'
}

/** Groups events into time spans of equal length, aligned to the clock of the displayed zone. */
export function bucketsOf(rows: readonly Event[], zone: Zones['shown']): Buckets {
  const instant = instantReader()
  const times = new Float64Array(rows.length)
  let first = Infinity
  let last = -Infinity
  rows.forEach(({ eventtime }, index) => {
    const ms = instant(eventtime)
    times[index] = ms
    if (ms < first) first = ms
    if (ms > last) last = ms
  })
  if (first > last) return { buckets: [], types: [], unit: 'minute' }

  const { edges, unit } = edgesOf(first, last, zone)
  const drafts = edges.slice(1).map((endMs, index) => ({
    startMs: edges[index] ?? endMs,
    endMs,
    total: 0,
    types: new Map<string, number>(),
    lags: [] as number[],
    notDelivered: 0,
  }))
  rows.forEach(({ type, delivered, deliveredtime }, index) => {
    const ms = times[index] ?? Number.NaN
    const draft = drafts[indexOf(edges, ms)]
    if (!draft || Number.isNaN(ms)) return
    draft.total += 1
    draft.types.set(type, (draft.types.get(type) ?? 0) + 1)
    const lag = typeof deliveredtime === 'string' ? instant(deliveredtime) - ms : Number.NaN
    // If clocks disagree, a delivery may seem earlier than its event; count it as no lag.
    if (delivered === true && !Number.isNaN(lag)) draft.lags.push(Math.max(0, lag))
    else if (delivered === false) draft.notDelivered += 1
  })
  return {
    unit,
    types: mostFrequent(drafts),
    buckets: drafts.map(({ lags, ...bucket }) =>
      lags.length === 0 ? bucket : Object.assign(bucket, { lag: lagOf(Float64Array.from(lags).sort()) }),
    ),
  }
}

/** Returns the codes of all types, most frequent first. */
export function mostFrequent(buckets: readonly Pick<Bucket, 'types'>[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { types } of buckets)
    for (const [type, count] of types) counts.set(type, (counts.get(type) ?? 0) + count)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([type]) => type)
}

/**
 * Returns a parser for times in the contract's format that reuses the last parsed day, since consecutive events are
 * mostly on the same day. Parsing 100,000 events takes 17 ms, compared with 42 ms with `Date.parse` (2 cores, Node
 * 24).
 */
function instantReader(): (text: string) => number {
  let day = ''
  let midnightMs = Number.NaN
  return (text) => {
    if (text.length !== 24 || text.charCodeAt(23) !== 90) return Date.parse(text)
    if (day === '' || !text.startsWith(day)) {
      const ms = Date.parse(text)
      if (!Number.isNaN(ms)) {
        day = text.slice(0, 11)
        midnightMs = Math.floor(ms / dayMs) * dayMs
      }
      return ms
    }
    const two = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528
    return (
      midnightMs +
      (two(11) * 60 + two(14)) * 60_000 +
      two(17) * 1000 +
      two(20) * 10 +
      text.charCodeAt(22) -
      48
    )
  }
}

function lagOf(sorted: Float64Array): Lag {
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
  return { delivered: sorted.length, halfMs: at(0.5), mostMs: at(0.95), slowestMs: at(1) }
}
