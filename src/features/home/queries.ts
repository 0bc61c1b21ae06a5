import { queryOptions } from '@tanstack/react-query'

import type { EventType } from '#contract/index.ts'
import { api, q } from '../../api/index.ts'
import { localZone, type Zones } from '../../ui/time.ts'

export const activityKinds = {
  created: ['USER_CREATED'],
  changed: ['USER_UPDATED', 'DIRECT_DATA_CHANGE'],
  deleted: ['USER_DELETED'],
  segments: ['SEGMENT_CREATED', 'SEGMENT_UPDATED', 'SEGMENT_DELETED'],
  read: ['SENSITIVE_DATA_ACCESSED', 'SENSITIVE_DATA_CHECKED', 'SENSITIVE_DATA_SEARCHED'],
} as const satisfies Readonly<Record<string, readonly EventType[]>>
export type ActivityKind = keyof typeof activityKinds

export interface ActivityDay {
  readonly from: string
  readonly to: string
  readonly counts: Readonly<Record<ActivityKind, number>>
  /** Number of events that a webhook has not received and will not receive without intervention. */
  readonly failed: number
}

const homePollMs = 60_000

export function twoDaysQuery(zone: Zones['shown']) {
  return queryOptions({
    queryKey: ['countEvents', 'two days', zone],
    queryFn: async ({ signal }): Promise<{ today: ActivityDay; yesterday: ActivityDay }> => {
      const [before, start, end] = [-1, 0, 1].map((days) =>
        new Date(midnightMs(zone, days)).toISOString(),
      ) as [string, string, string]
      const tz = zone === 'utc' ? 'UTC' : localZone()
      const { series } = await api.countEvents({ query: { from: before, to: end, by: 'hour', tz }, signal })
      const of = (from: string, to: string) => sumDay(from, to, series)
      return { today: of(start, end), yesterday: of(before, start) }
    },
    staleTime: 0,
    refetchInterval: homePollMs,
  })
}

type Series = Awaited<ReturnType<typeof api.countEvents>>['series']

function sumDay(from: string, to: string, series: Series): ActivityDay {
  const hours = series.filter(({ start }) => start >= from && start < to)
  const sum = (count: (hour: Series[number]) => number) => hours.reduce((all, hour) => all + count(hour), 0)
  const counts = Object.fromEntries(
    Object.entries(activityKinds).map(([kind, types]) => [
      kind,
      sum((hour) => types.reduce((all, type) => all + (hour.types[type] ?? 0), 0)),
    ]),
  ) as Record<ActivityKind, number>
  return { from, to, counts, failed: sum(({ states }) => states.failed) }
}

function midnightMs(zone: Zones['shown'], days: number): number {
  const now = new Date()
  return zone === 'utc'
    ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days)
    : new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime()
}

/** Query for the latest changes of users and their entities, by anybody; the tile filters them by person. */
export function lastChangesQuery() {
  return queryOptions({
    ...q('listEvents', {
      query: { order: 'desc', type: [...activityKinds.created, ...activityKinds.changed].join(',') },
    }),
    staleTime: 0,
    refetchInterval: homePollMs,
  })
}

/** Query for the actors who accessed sensitive values today. Uses UTC days, since the service counts by UTC day. */
export function actorsOfTodayQuery() {
  return queryOptions({
    queryKey: ['listAuditActors', 'today'],
    queryFn: ({ signal }) =>
      api.listAuditActors({ query: { from: new Date(midnightMs('utc', 0)).toISOString() }, signal }),
    staleTime: 0,
    refetchInterval: homePollMs,
  })
}
