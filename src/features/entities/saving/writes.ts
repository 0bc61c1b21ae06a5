import { mutationOptions, type QueryClient } from '@tanstack/react-query'

import type { Entity } from '#contract/index.ts'
import { api, ApiError, put, refresh } from '../../../api/index.ts'
import { entitiesQuery, requestMasked } from '../../../domain/queries/entities.ts'
import type { EntityDraft, EntityPath } from '../draft/entity-draft.ts'
import { type Attempt, save, type EntitySaveResult, settle, type KeyedWrite } from './save.ts'

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
