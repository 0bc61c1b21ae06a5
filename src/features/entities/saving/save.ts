import { type Entity, type EntityId, type EntityWrite, entityId as asEntityId } from '#contract/index.ts'
import { api, ApiError, etagOf, isRepeatable, keyedWrites } from '../../../api/index.ts'
import { requestMasked } from '../../../domain/queries/entities.ts'
import {
  type WriteAttempt,
  type Guard,
  guardedWrite,
  type Merged,
} from '../../../domain/writing/guarded-write.ts'
import { fateOf, requestOf, type WriteRequest } from '../draft/difference.ts'
import type { EntityPath, EntityDraft } from '../draft/entity-draft.ts'
import { hasConflicts, rebase } from '../draft/merge.ts'

/** Idempotency keys for the writes of one form. A request repeated after a lost response keeps its key. */
export type KeyedWrite = ReturnType<typeof keyedWrites>

interface WritePlan {
  /** Draft as typed, based on the version it was typed on. */
  readonly mine: EntityDraft
  /** Draft as sent, rebased on the newest version. */
  readonly draft: EntityDraft
  readonly request: WriteRequest
  readonly reason: string | undefined
  /** Ids of the user's entities before a new one was created. */
  readonly knownIds: readonly string[]
}

/** Draft that was sent, kept until its outcome is known. */
export type Attempt = WriteAttempt<WritePlan>

export type EntitySaveResult =
  /** Written, by this save or identically by somebody else. `theirs`: keys that somebody else wrote during the edit. */
  | { readonly outcome: 'saved'; readonly entity: Entity; readonly theirs?: readonly string[] }
  /** Written, but reading it again failed. */
  | { readonly outcome: 'saved unread'; readonly id: EntityId | undefined; readonly error: unknown }
  /** Not written, because somebody else wrote the same keys. The draft is rebased, and its conflicts are marked. */
  | { readonly outcome: 'conflict'; readonly draft: EntityDraft }
  /** Not written. `request` is undefined if none was sent. */
  | { readonly outcome: 'failed'; readonly error: unknown; readonly request?: WriteRequest }
  | { readonly outcome: 'unknown'; readonly attempt: Attempt; readonly error: unknown }
  /** Sent, and the outcome is still unknown after reading the entity again. The draft is rebased on that version. */
  | { readonly outcome: 'unclear'; readonly draft: EntityDraft }

/** Timeout of the read that checks on a lost write; short, because the network has just failed. */
const lookTimeoutMs = 5000

interface SaveOptions {
  readonly reason?: string | undefined
  /** Attempt whose response was lost; sent again before anything else. */
  readonly lost?: Attempt
}

/** Writes a draft without issues. If the response is lost, determines the outcome by reading the entity. */
export async function save(
  place: EntityPath,
  mine: EntityDraft,
  write: KeyedWrite = keyedWrites(),
  { reason, lost }: SaveOptions = {},
): Promise<EntitySaveResult> {
  const { userId, entityId } = place
  type Stored = Entity | readonly Entity[]
  const written = await guardedWrite<Stored, WritePlan, string | undefined, EntitySaveResult>(
    {
      write,
      repeats: true,
      base: mine.loaded,
      read: () => (entityId === undefined ? listEntities(userId) : readEntity(userId, entityId)),
      tag: (now) => ('id' in now ? etagOf(now) : undefined),
      merge: (now) => planOf(mine, now, reason),
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

/** Settles a lost write: sends it again under its key, so that it is applied once, or reads the entity without keys. */
export async function settle(place: EntityPath, attempt: Attempt, error: unknown, write = keyedWrites()) {
  const { mine, reason } = attempt.plan
  if (!isRepeatable(error)) return await look(place, attempt, error)
  return await save(place, mine, write, { reason, lost: attempt })
}

/** @param now Current entity; for one to be created, the user's existing entities. */
function planOf(
  mine: EntityDraft,
  now: Entity | readonly Entity[],
  reason: string | undefined,
): Merged<WritePlan, EntitySaveResult> {
  if (!('id' in now)) {
    const request = requestOf(mine) as WriteRequest
    return { send: { mine, draft: mine, request, reason, knownIds: now.map(({ id }) => id) } }
  }
  const draft = now === mine.loaded ? mine : rebase(mine, now)
  if (hasConflicts(draft)) return { done: { outcome: 'conflict', draft } }
  const request = requestOf(draft)
  // Somebody else wrote exactly the same changes.
  if (!request) return { done: { outcome: 'saved', entity: now, theirs: theirsOf(draft) } }
  return { send: { mine, draft, request, reason, knownIds: [] } }
}

async function send({ userId, entityId }: EntityPath, { request, reason }: WritePlan, guard: Guard) {
  // The body may also have undocumented members, which are sent back unchanged.
  const body = request.body as EntityWrite
  if (entityId === undefined)
    return (await api.createEntity({ params: { user_id: userId }, body, reason, ...guard })).id
  const call = { params: { user_id: userId, entity_id: entityId }, body, reason, ...guard }
  await (request.method === 'PUT' ? api.replaceEntity(call) : api.patchEntity(call))
  return entityId
}

/** Reads the written entity. A failed read is not a failed write, so it never causes a resend. */
async function reread({ userId, entityId }: EntityPath, { plan }: Attempt): Promise<EntitySaveResult> {
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

/** Reads the current state to determine the outcome of a write whose response was lost. */
async function look(place: EntityPath, attempt: Attempt, error: unknown): Promise<EntitySaveResult> {
  const { plan, ifMatch } = attempt
  const { draft, request, knownIds } = plan
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
    // Repeating the request unchanged settles the outcome; another read may not.
    if (isRepeatable(error)) return { outcome: 'unknown', attempt, error }
    return { outcome: 'unclear', draft: rebase(draft, now) }
  } catch {
    return { outcome: 'unknown', attempt, error }
  }
}

/** Finds the entity that did not exist before; with `like`, one that has the sent content. */
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

function theirsOf({ concurrentChanges }: EntityDraft): readonly string[] {
  return concurrentChanges?.theirs ?? []
}

function listEntities(userId: string, signal?: AbortSignal): Promise<Entity[]> {
  return api.listEntities({ params: { user_id: userId }, query: requestMasked(), ...(signal && { signal }) })
}

export function readEntity(userId: string, entityId: string, signal?: AbortSignal): Promise<Entity> {
  const params = { user_id: userId, entity_id: entityId }
  return api.getEntity({ params, query: requestMasked(), ...(signal && { signal }) })
}
