import { queryOptions } from '@tanstack/react-query'

import { api, offers } from '../../api/index.ts'
import { aboutUser } from '../queries/users.ts'

/** Who changed the user's own fields last, and when; nobody where the service does not tell. */
export function lastWriterQuery(id: string, etag: string | undefined) {
  return queryOptions({
    queryKey: [...aboutUser(id), 'writer', etag],
    queryFn: async ({ signal }) => {
      const query = { user: id, type: 'USER_UPDATED', order: 'desc' } as const
      const [last] = await api.listEvents({ query, signal })
      const changeset = last?.properties['changeset']
      if (typeof changeset !== 'string') return null
      const { actor, time } = await api.getChangeset({ params: { changeset_id: changeset }, signal })
      return typeof actor === 'string' ? { actor, time } : null
    },
    enabled: offers('events.filter') && offers('changesets'),
    gcTime: 0,
  })
}
