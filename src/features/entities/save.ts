import { type Entity, type EntityId, type EntityWrite, entityId as asEntityId } from '#contract/index.ts'

import { api, ApiError, etagOf, keyedWrites, isFull } from '../../api/index.ts'
import { reading } from '../../domain/queries/entities.ts'
import {
  type WriteAttempt,
  type Guard,
  guardedWrite,
  type Merged,
} from '../../domain/writing/guarded-write.ts'
import { fateOf, requestOf, type WriteRequest } from './difference.ts'
import type { EntityDraft } from './entity-draft.ts'
import { hasConflicts, rebase } from './merge.ts'

/** User and id of the entity; without an id, the entity is to be created. */
export interface Place {
  readonly userId: string
  readonly entityId?: string | undefined
}

/** The writes of one form: the same request, sent again after a lost answer, has the same key. */
export type Write = ReturnType<typeof keyedWrites>

interface WritePlan {
  /** Draft as typed, on the reading that it was typed on. */
  readonly mine: EntityDraft
  /** Draft as sent, rebased on the newest reading. */
  readonly draft: EntityDraft
  readonly request: WriteRequest
  /** Why, where that was said. */
  readonly reason: string | undefined
  /** The service recognises a repeated request, so that sending it again does it once. */
  readonly isRepeatable: boolean
  /** Entities that the user had before one was to be created. */
  readonly knownIds: readonly string[]
}

/** Draft that was sent, kept until its outcome is known. */
export type Attempt = WriteAttempt<WritePlan>

export type EntitySaveResult =
  /** Written and read again. `theirs` has the keys that somebody else wrote meanwhile, which stay as they are. */
  | { readonly outcome: 'saved'; readonly entity: Entity; readonly theirs?: readonly string[] }
  /** Written; reading it again failed. */
  | { readonly outcome: 'saved unread'; readonly id: EntityId | undefined; readonly error: unknown }
  /** Not written, since somebody else wrote the same keys. The draft is rebased, and its conflicts are marked. */
  | { readonly outcome: 'conflict'; readonly draft: EntityDraft }
  /** Not written. `request` is absent if none was sent. */
  | { readonly outcome: 'failed'; readonly error: unknown; readonly request?: WriteRequest }
  /** The request was sent, and its outcome is unknown. */
  | { readonly outcome: 'unknown'; readonly attempt: Attempt; readonly error: unknown }
  /** The outcome is still unknown after reading the entity again. The draft is rebased on that reading. */
  | { readonly outcome: 'unclear'; readonly draft: EntityDraft }

/** Asking what became of a lost write: a network that has just lost one is not waited for as long as for the write. */
const lookTimeoutMs = 5000

interface SaveOptions {
  readonly reason?: string | undefined
  /** Sent again before anything else. */
  readonly lost?: Attempt
}

/** Writes a draft without issues. What became of a write whose answer was lost is found out by reading. */
export async function save(
  place: Place,
  mine: EntityDraft,
  write: Write = keyedWrites(),
  { reason, lost }: SaveOptions = {},
): Promise<EntitySaveResult> {
  const { userId, entityId } = place
  const isRepeatable = isFull()
  const written = await guardedWrite<
    Entity | readonly Entity[],
    WritePlan,
    string | undefined,
    EntitySaveResult
  >(
    {
      write,
      repeats: isRepeatable,
      base: mine.loaded,
      read: () => (entityId === undefined ? listEntities(userId) : readEntity(userId, entityId)),
      tag: (now) => ('id' in now && isRepeatable ? etagOf(now) : undefined),
      merge: (now) => planOf(mine, now, { reason, isRepeatable }),
      requestOf: ({ request, reason: why }) => [request.method, request.body, why],
      send: (plan, guard) => send(place, plan, guard),
    },
    lost,
  )
  switch (written.outcome) {
    case 'done':
      return written.result
    case 'written':
      return await reread({ userId, entityId: written.answer }, written.attempt)
    case 'refused': {
      const { error, attempt } = written
      return { outcome: 'failed', error, ...(attempt && { request: attempt.plan.request }) }
    }
    case 'lost':
      return await look(place, written.attempt, written.error)
  }
}

/**
 * Settles a write whose answer was lost. A service with idempotency keys gets the request again, which ensures that it
 * is done exactly once; otherwise the entity is only read.
 */
export async function settle(
  place: Place,
  attempt: Attempt,
  error: unknown,
  write: Write = keyedWrites(),
): Promise<EntitySaveResult> {
  const { mine, reason, isRepeatable } = attempt.plan
  if (!isRepeatable) return await look(place, attempt, error)
  return await save(place, mine, write, { reason, lost: attempt })
}

/** @param now The entity, or before it is created those that are there. */
function planOf(
  mine: EntityDraft,
  now: Entity | readonly Entity[],
  sending: Pick<WritePlan, 'reason' | 'isRepeatable'>,
): Merged<WritePlan, EntitySaveResult> {
  if (!('id' in now)) {
    const request = requestOf(mine) as WriteRequest
    return { send: { mine, draft: mine, request, ...sending, knownIds: now.map(({ id }) => id) } }
  }
  const draft = now === mine.loaded ? mine : rebase(mine, now)
  if (hasConflicts(draft)) return { done: { outcome: 'conflict', draft } }
  const request = requestOf(draft)
  // Somebody else wrote exactly this.
  if (!request) return { done: { outcome: 'saved', entity: now, theirs: theirsOf(draft) } }
  return { send: { mine, draft, request, ...sending, knownIds: [] } }
}

async function send(
  { userId, entityId }: Place,
  { request, reason }: WritePlan,
  guard: Guard,
): Promise<string | undefined> {
  // A foreign service's further members travel with it.
  const body = request.body as EntityWrite
  if (entityId === undefined)
    return (await api.createEntity({ params: { user_id: userId }, body, reason, ...guard })).id
  const call = { params: { user_id: userId, entity_id: entityId }, body, reason, ...guard }
  await (request.method === 'PUT' ? api.replaceEntity(call) : api.patchEntity(call))
  return entityId
}

/** A write is done with its answer: whatever happens after that is no reason to send it again. */
async function reread({ userId, entityId }: Place, { plan }: Attempt): Promise<EntitySaveResult> {
  try {
    const entity =
      entityId === undefined ? await findCreated(userId, plan.knownIds) : await readEntity(userId, entityId)
    const theirs = theirsOf(plan.draft)
    if (entity) return { outcome: 'saved', entity, ...(theirs.length > 0 && { theirs }) }
    return { outcome: 'saved unread', id: undefined, error: new ApiError({ status: 404 }) }
  } catch (error) {
    const id = entityId === undefined ? undefined : asEntityId.parse(entityId)
    return { outcome: 'saved unread', id, error }
  }
}

/** Reads what is there now. */
async function look(place: Place, attempt: Attempt, error: unknown): Promise<EntitySaveResult> {
  const { plan, ifMatch } = attempt
  const { draft, request, knownIds, isRepeatable } = plan
  const signal = AbortSignal.timeout(lookTimeoutMs)
  try {
    if (place.entityId === undefined) {
      const made = await findCreated(place.userId, knownIds, { like: draft, signal })
      return made ? { outcome: 'saved', entity: made, theirs: [] } : { outcome: 'failed', error, request }
    }
    const now = await readEntity(place.userId, place.entityId, signal)
    const fate = ifMatch !== undefined && etagOf(now) === ifMatch ? 'not written' : fateOf(draft, now)
    if (fate === 'written') return { outcome: 'saved', entity: now, theirs: theirsOf(draft) }
    if (fate === 'not written') return { outcome: 'failed', error, request }
    // Repeating the request unchanged settles the outcome; another look may not.
    if (isRepeatable) return { outcome: 'unknown', attempt, error }
    return { outcome: 'unclear', draft: rebase(draft, now) }
  } catch {
    return { outcome: 'unknown', attempt, error }
  }
}

/** The entity that was not there before, with what was sent where that is given. */
async function findCreated(
  userId: string,
  knownIds: readonly string[],
  { like, signal }: { readonly like?: EntityDraft; readonly signal?: AbortSignal } = {},
): Promise<Entity | undefined> {
  const all = await listEntities(userId, signal)
  return all.findLast(
    (entity) => !knownIds.includes(entity.id) && (!like || fateOf(like, entity) === 'written'),
  )
}

function theirsOf({ meanwhile }: EntityDraft): readonly string[] {
  return meanwhile?.theirs ?? []
}

function listEntities(userId: string, signal?: AbortSignal): Promise<Entity[]> {
  return api.listEntities({ params: { user_id: userId }, query: reading(), ...(signal && { signal }) })
}

export function readEntity(userId: string, entityId: string, signal?: AbortSignal): Promise<Entity> {
  const params = { user_id: userId, entity_id: entityId }
  return api.getEntity({ params, query: reading(), ...(signal && { signal }) })
}
