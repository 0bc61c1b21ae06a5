import { mutationOptions, type QueryClient } from '@tanstack/react-query'

import type { Entity, Property } from '#contract/index.ts'
import { api, ApiError, put, refresh } from '../../../api/index.ts'
import { entitiesQuery, requestMasked } from '../../../domain/queries/entities.ts'
import type { EntityDraft } from '../draft/entity-draft.ts'
import {
  type Attempt,
  type EntityPath,
  save,
  type EntitySaveResult,
  settle,
  type KeyedWrite,
} from './save.ts'

interface DraftToSave {
  readonly draft: EntityDraft
  readonly reason: string | undefined
}

/** Attempt whose response was lost. */
interface LostAttempt {
  readonly attempt: Attempt
  readonly error: unknown
}

/** Saves a draft, or settles what became of an attempt. */
export function saveEntity(place: EntityPath, write: KeyedWrite) {
  return mutationOptions({
    mutationFn: (asked: DraftToSave | LostAttempt) =>
      'attempt' in asked
        ? settle(place, asked.attempt, asked.error, write)
        : save(place, asked.draft, write, { reason: asked.reason }),
    onSuccess: (result, _asked, _result, { client }) => keep(client, place.userId, result),
  })
}

/** Puts a newer version of an entity into the cached list that the pages read. */
function keep(client: QueryClient, userId: string, result: EntitySaveResult): void {
  const entity: Entity | undefined =
    result.outcome === 'saved' ? result.entity : 'draft' in result ? result.draft.loaded : undefined
  if (!entity) return
  // A list that has been dropped meanwhile is read whole when it is next shown.
  put(
    client,
    entitiesQuery(userId),
    (all) =>
      all &&
      (all.some(({ id }) => id === entity.id)
        ? all.map((other) => (other.id === entity.id ? entity : other))
        : [...all, entity]),
  )
}

/** Deletes an entity. A missing one counts as deleted: by somebody else, or by this request if its answer was lost. */
export function deleteEntity({ userId, entityId }: Required<EntityPath>, reason?: string) {
  const params = { user_id: userId, entity_id: String(entityId) }
  return mutationOptions({
    mutationFn: async () => {
      try {
        await api.deleteEntity({ params, reason })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.status !== 404 && !(error.outcomeUnknown && (await isEntityGone(params)))) throw error
      }
    },
    onSettled: (_nothing, _error, _void, _result, { client }) => refresh(client, 'listEntities'),
  })
}

async function isEntityGone(params: Parameters<typeof api.getEntity>[0]['params']): Promise<boolean> {
  try {
    await api.getEntity({ params, query: requestMasked() })
    return false
  } catch (error) {
    return error instanceof ApiError && error.status === 404
  }
}

// The service records every reveal and check of a value as an event of the user.

/** Reads one sensitive value, for a reason that the service records. The response is not cached. */
export function revealProperty({ userId, entityId }: Required<EntityPath>) {
  return mutationOptions({
    mutationFn: async ({ key, reason }: { key: string; reason: string }): Promise<Property> => {
      const params = { user_id: userId, entity_id: String(entityId) }
      const { properties } = await api.revealProperties({ params, body: { keys: [key], reason } })
      const property = properties.find((each) => each.key === key)
      if (!property) throw new ApiError({ status: 200, code: 'unreadable' })
      return property
    },
  })
}

interface Said {
  readonly key: string
  readonly value: string
  readonly reason: string | undefined
}

/** Checks whether the user has this value under the key. The service records the check. */
export function checkValue(userId: string) {
  return mutationOptions({
    mutationFn: async ({ key, value, reason }: Said) => {
      const body = { keys: [key], value, ...(reason !== undefined && { reason }) }
      return (await api.checkValue({ params: { user_id: userId }, body })).matches
    },
  })
}
