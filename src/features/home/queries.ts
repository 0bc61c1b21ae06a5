import { queryOptions } from '@tanstack/react-query'

import type { EventType } from '#contract/index.ts'
import { api, fileUnder, q } from '../../api/index.ts'
import { localZone, type Zones } from '../../ui/time.ts'

export const activityKinds = {
  created: ['USER_CREATED'],
  changed: ['USER_UPDATED', 'DIRECT_DATA_CHANGE'],
  deleted: ['USER_DELETED'],
  jobs: ['JOB_FINISHED', 'JOB_STOPPED'],
  segments: ['SEGMENT_CREATED', 'SEGMENT_UPDATED', 'SEGMENT_DELETED'],
  read: ['SENSITIVE_DATA_ACCESSED', 'SENSITIVE_DATA_CHECKED', 'SENSITIVE_DATA_SEARCHED'],
} as const satisfies Readonly<Record<string, readonly EventType[]>>

/** `failed`: events that a webhook has not received and will not receive without intervention. */
export type ActivityKind = keyof typeof activityKinds | 'failed'

export interface ActivityDay {
  readonly from: string
  readonly to: string
  readonly counts: Readonly<Record<ActivityKind, number>>
}

/** Answer that is asked for on every visit, and again while the page is open. */
const current = { staleTime: 0, refetchInterval: 60_000 } as const

export function twoDaysQuery(zone: Zones['shown']) {
  return queryOptions({
    ...fileUnder('countEvents', { as: 'two days', zone }),
    queryFn: async ({ signal }): Promise<{ today: ActivityDay; yesterday: ActivityDay }> => {
      const [before, start, end] = [midnight(zone, -1), midnight(zone, 0), midnight(zone, 1)]
      const tz = zone === 'utc' ? 'UTC' : localZone()
      const span = { from: before, to: end, by: 'hour', tz } as const
      const [{ series }, { series: failed }] = await Promise.all([
        api.countEvents({ query: { ...span, jobs: 'one' }, signal }),
        // A webhook has to receive each change that a job made.
        api.countEvents({ query: { ...span, delivery: 'failed' }, signal }),
      ])
      return { today: sumDay(start, end, series, failed), yesterday: sumDay(before, start, series, failed) }
    },
    ...current,
  })
}

type Series = Awaited<ReturnType<typeof api.countEvents>>['series']

function sumDay(from: string, to: string, series: Series, failures: Series): ActivityDay {
  const sum = (counted: Series, count: (hour: Series[number]) => number) =>
    counted.filter(({ start }) => start >= from && start < to).reduce((all, hour) => all + count(hour), 0)
  const countTypes = (types: readonly EventType[]) =>
    sum(series, (hour) => types.reduce((all, type) => all + (hour.types[type] ?? 0), 0))
  const kinds = Object.entries(activityKinds).map(([kind, types]) => [kind, countTypes(types)])
  const counts = { ...Object.fromEntries(kinds), failed: sum(failures, ({ states }) => states.failed) }
  return { from, to, counts: counts as ActivityDay['counts'] }
}

/** Returns the instant at which the day begins that is `days` after today. */
function midnight(zone: Zones['shown'], days: number): string {
  const now = new Date()
  return zone === 'utc'
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days)).toISOString()
    : new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString()
}

/** Query for the latest changes of users and their entities that a person made; a job is one of them. */
export function lastChangesQuery(actor: string) {
  const type = [...activityKinds.created, ...activityKinds.changed, ...activityKinds.jobs].join(',')
  return queryOptions({
    ...q('listEvents', { query: { actor, order: 'desc', type, jobs: 'one' } }),
    ...current,
  })
}

/** Query for the actors who accessed sensitive values today. Uses UTC days, since the service counts by UTC day. */
export function actorsOfTodayQuery() {
  return queryOptions({
    ...fileUnder('listAuditActors', { as: 'today' }),
    queryFn: ({ signal }) => api.listAuditActors({ query: { from: midnight('utc', 0) }, signal }),
    ...current,
  })
}
