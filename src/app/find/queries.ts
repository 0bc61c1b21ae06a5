import { queryOptions } from '@tanstack/react-query'

import { ApiError } from '../../api/index.ts'
import { eventQuery } from '../../domain/queries/events.ts'
import { segmentQuery } from '../../domain/queries/segments.ts'
import { userQuery } from '../../domain/queries/users.ts'

/** Lifetime of unused lookups in the cache, in milliseconds: short, so that personal data does not linger. */
const forgottenMs = 10_000

/** Query for a recently opened segment. The cached copy never goes stale, since only its name is shown. */
export function keptSegmentQuery(id: string) {
  return queryOptions({ ...segmentQuery(id), staleTime: 'static' })
}

export interface Kinds {
  readonly user: boolean
  readonly segment: boolean
  readonly event: boolean
}

/** Query for the user, segment and event with this id, all requested at the same time. */
export function foundByIdQuery(id: string, may: Kinds) {
  return queryOptions({
    queryKey: ['found', id, may],
    queryFn: async ({ client }) => {
      const [user, segment, event] = await Promise.all([
        may.user ? present(client.query(userQuery(id))) : undefined,
        may.segment ? present(client.query(segmentQuery(id))) : undefined,
        may.event ? present(client.query(eventQuery(id))) : undefined,
      ])
      return { user, segment, event }
    },
    gcTime: forgottenMs,
  })
}

/** Statuses that mean an absence: a service may also call the id of something else malformed. */
const absences = new Set([400, 404, 410, 422])

async function present<Thing>(read: Promise<Thing>): Promise<Thing | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ApiError && absences.has(error.status)) return undefined
    throw error
  }
}
