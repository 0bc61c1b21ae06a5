import { type Entity, type EntityId, entityId as asEntityId } from '#contract/index.ts'

import { api, ApiError } from '../../api/index.ts'
import { bodyOf, fateOf, rebase, requestOf, type WriteRequest } from './change.ts'
import type { EntityDraft } from './draft.ts'

/** Where the user's entity is; without an entity it is to be created. */
export interface Place {
  readonly userId: string
  readonly entityId?: string | undefined
}

/** A draft on its way, kept for the question what became of it. */
export interface Attempt {
  readonly draft: EntityDraft
  readonly request: WriteRequest
  /** Entities that the user had before one was to be created. */
  readonly knownIds: readonly string[]
}

export type SaveResult =
  /** Written and read again. */
  | { readonly outcome: 'saved'; readonly entity: Entity }
  /** Written; reading it again failed. */
  | { readonly outcome: 'saved unread'; readonly id: EntityId | undefined; readonly error: unknown }
  /** Nothing was sent: somebody else wrote the same. The draft stands on the newer state now. */
  | { readonly outcome: 'conflict'; readonly draft: EntityDraft }
  /** Nothing was written. The request is absent where it was not even sent. */
  | { readonly outcome: 'failed'; readonly error: unknown; readonly request?: WriteRequest }
  /** It was sent, and nobody knows: not to be sent again before somebody has looked. */
  | { readonly outcome: 'unknown'; readonly attempt: Attempt; readonly error: unknown }
  /** As before, with a reading that does not settle it. The draft stands on that state now. */
  | { readonly outcome: 'unclear'; readonly draft: EntityDraft }

/**
 * Writes a draft without issues: on a fresh reading, so that what somebody else wrote meanwhile is merged or shown
 * and never overwritten, and once.
 */
export async function save(place: Place, draft: EntityDraft): Promise<SaveResult> {
  let attempt: Attempt
  try {
    const prepared = await prepare(place, draft)
    if ('outcome' in prepared) return prepared
    attempt = prepared
  } catch (error) {
    return { outcome: 'failed', error }
  }
  try {
    const id = await send(place, attempt)
    return await reread({ ...place, entityId: id }, attempt)
  } catch (error) {
    if (!mayHaveHappened(error)) return { outcome: 'failed', error, request: attempt.request }
    return await settle(place, attempt, error)
  }
}

async function prepare(place: Place, draft: EntityDraft): Promise<Attempt | SaveResult> {
  if (place.entityId === undefined) {
    const before = await api.listEntities({ params: { user_id: place.userId } })
    return { draft, request: requestOf(draft) as WriteRequest, knownIds: before.map(({ id }) => id) }
  }
  const fresh = await readEntity(place.userId, place.entityId)
  const rebased = rebase(draft, fresh)
  if (rebased.conflicts) return { outcome: 'conflict', draft: rebased.draft }
  const request = requestOf(rebased.draft)
  // Somebody else wrote exactly this.
  if (!request) return { outcome: 'saved', entity: fresh }
  return { draft: rebased.draft, request, knownIds: [] }
}

async function send({ userId, entityId }: Place, { request }: Attempt): Promise<string | undefined> {
  const body = bodyOf(request)
  if (entityId === undefined) return (await api.createEntity({ params: { user_id: userId }, body })).id
  const params = { user_id: userId, entity_id: entityId }
  await (request.method === 'PUT' ? api.replaceEntity({ params, body }) : api.patchEntity({ params, body }))
  return entityId
}

/** A write is done with its answer: whatever happens after that is no reason to send it again. */
async function reread({ userId, entityId }: Place, { knownIds }: Attempt): Promise<SaveResult> {
  try {
    const entity =
      entityId === undefined ? await newest(userId, knownIds) : await readEntity(userId, entityId)
    if (entity) return { outcome: 'saved', entity }
    return { outcome: 'saved unread', id: undefined, error: new ApiError({ status: 404 }) }
  } catch (error) {
    const id = entityId === undefined ? undefined : asEntityId.parse(entityId)
    return { outcome: 'saved unread', id, error }
  }
}

/** No answer, or one that a gateway or a crash gave in place of the service's own. */
function mayHaveHappened(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true
  return error.outcomeUnknown || (error.status >= 500 && error.status !== 501 && error.status !== 503)
}

/** Reads what is there now, to tell what became of a write whose answer was lost. */
export async function settle(place: Place, attempt: Attempt, error: unknown): Promise<SaveResult> {
  const { draft, request, knownIds } = attempt
  try {
    if (place.entityId === undefined) {
      const made = await newest(place.userId, knownIds, draft)
      return made ? { outcome: 'saved', entity: made } : { outcome: 'failed', error, request }
    }
    const now = await readEntity(place.userId, place.entityId)
    const fate = fateOf(draft, now)
    if (fate === 'written') return { outcome: 'saved', entity: now }
    if (fate === 'not written') return { outcome: 'failed', error, request }
    return { outcome: 'unclear', draft: rebase(draft, now).draft }
  } catch {
    return { outcome: 'unknown', attempt, error }
  }
}

/** The entity that was not there before, with what was sent where that is given. */
async function newest(
  userId: string,
  knownIds: readonly string[],
  like?: EntityDraft,
): Promise<Entity | undefined> {
  const all = await api.listEntities({ params: { user_id: userId } })
  return all.findLast(
    (entity) => !knownIds.includes(entity.id) && (!like || fateOf(like, entity) === 'written'),
  )
}

function readEntity(userId: string, entityId: string): Promise<Entity> {
  return api.getEntity({ params: { user_id: userId, entity_id: entityId } })
}
