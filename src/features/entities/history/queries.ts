import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'

import type { Event } from '#contract/index.ts'
import { api, fileUnder } from '../../../api/index.ts'
import { isRefused } from '../../../domain/page-route.ts'
import { changesetQuery } from '../../../domain/queries/changesets.ts'
import type { EntityChange } from './entries.ts'

/** Reading the changes of each write takes its own request, so a page has fewer writes than one of the log has events. */
const writesPerPage = 25

/** Query for the writes to an entity, newest first. Read again on opening, since a save may have added one. */
export function historyQuery(userId: string, entityId: string) {
  return infiniteQueryOptions({
    ...fileUnder('listEvents', { query: { user: userId, entity: entityId }, as: 'history' }),
    queryFn: async ({ client, signal, pageParam: after }) => {
      const query = { entity: entityId, type: 'DIRECT_DATA_CHANGE', order: 'desc', after } as const
      const events = await api.listEvents({ query, signal })
      const shown = events.slice(0, writesPerPage)
      const writes = await Promise.all(shown.map((event) => writeOf(client, userId, event)))
      return { writes, next: events.length > shown.length ? shown.at(-1)?.id : undefined }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 'static',
    gcTime: 0,
  })
}

async function writeOf(client: QueryClient, userId: string, event: Event): Promise<EntityChange> {
  const { changeset: id } = event.properties
  if (typeof id !== 'string') return { event, changeset: undefined }
  try {
    return { event, changeset: await client.query(changesetQuery(userId, id)) }
  } catch (error) {
    if (isRefused(error, 404)) return { event, changeset: undefined }
    throw error
  }
}
