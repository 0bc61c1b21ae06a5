import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'

import type { Entity } from '#contract/index.ts'

import { api } from '../../api/index.ts'
import type { EntityDraft } from './draft.ts'
import type { Attempt, Place, SaveResult } from './save.ts'

/** A user's entities with all their properties, oldest first. The one that is open is read from here too. */
export function entitiesQuery(userId: string) {
  return queryOptions({
    queryKey: ['entities', userId],
    queryFn: ({ signal }) => api.listEntities({ params: { user_id: userId }, signal }),
  })
}

/** The types that a property may have; they do not change while the service runs. */
export function dataTypesQuery() {
  return queryOptions({
    queryKey: ['datatypes'],
    queryFn: ({ signal }) => api.listDataTypes({ signal }),
    staleTime: Infinity,
  })
}

/** Apart from the reads: the list of users asks for entities ahead, and saves none. */
const saving = () => import('./save.ts')

// What was sent may be sensitive: no mutation is remembered once nobody looks at it.

export function saveEntity(place: Place) {
  return mutationOptions({
    mutationFn: async (draft: EntityDraft) => (await saving()).save(place, draft),
    onSuccess: (result, _draft, _result, { client }) => keep(client, place.userId, result),
    gcTime: 0,
  })
}

/** Asks what became of a write whose answer was lost; sends nothing. */
export function settleEntity(place: Place) {
  return mutationOptions({
    mutationFn: async ({ attempt, error }: { attempt: Attempt; error: unknown }) =>
      (await saving()).settle(place, attempt, error),
    onSuccess: (result, _lost, _result, { client }) => keep(client, place.userId, result),
    gcTime: 0,
  })
}

/** Puts a newer reading of an entity into the list that the pages read. */
function keep(client: QueryClient, userId: string, result: SaveResult): void {
  const { queryKey } = entitiesQuery(userId)
  const entity: Entity | undefined =
    result.outcome === 'saved' ? result.entity : 'draft' in result ? result.draft.loaded : undefined
  if (entity)
    client.setQueryData(queryKey, (all) => {
      const others = all ?? []
      return others.some(({ id }) => id === entity.id)
        ? others.map((other) => (other.id === entity.id ? entity : other))
        : [...others, entity]
    })
  // It has just been tried to read it again: the form offers the next try.
  else if (result.outcome === 'saved unread') void client.invalidateQueries({ queryKey, refetchType: 'none' })
}

export function deleteEntity({ userId, entityId }: Required<Place>) {
  return mutationOptions({
    mutationFn: () => api.deleteEntity({ params: { user_id: userId, entity_id: String(entityId) } }),
    // A lost answer may hide a success, so the list is read again after a failure too.
    onSettled: (_nothing, _error, _void, _result, { client }) =>
      client.invalidateQueries({ queryKey: entitiesQuery(userId).queryKey }),
  })
}
