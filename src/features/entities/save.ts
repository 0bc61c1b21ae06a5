import { type Entity, type EntityId, entityId as asEntityId } from '#contract/index.ts'

import { api, ApiError, etagOf, keyedWrites, offers } from '../../api/index.ts'
import { bodyOf, fateOf, requestOf, type WriteRequest } from './change.ts'
import { type EntityDraft } from './draft.ts'
import { rebase, hasConflicts } from './merge.ts'
import { reading } from '../../domain/queries/entities.ts'

/** Where the user's entity is; without an entity it is to be created. */
export interface Place {
  readonly userId: string
  readonly entityId?: string | undefined
}

/** The writes of one form: the same request, sent again after a lost answer, has the same key. */
export type Write = ReturnType<typeof keyedWrites>

/** A draft on its way, kept for the question what became of it. */
export interface Attempt {
  /** As it was typed, on the reading that it was typed on. */
  readonly mine: EntityDraft
  /** As it is sent, on the newest reading. */
  readonly draft: EntityDraft
  readonly request: WriteRequest
  /** Of the reading that the request was made for; absent: the service has no tags. */
  readonly ifMatch: string | undefined
  /** Entities that the user had before one was to be created. */
  readonly knownIds: readonly string[]
}

export type SaveResult =
  /** Written and read again. `theirs`: keys that somebody else wrote meanwhile, which stay as they are. */
  | { readonly outcome: 'saved'; readonly entity: Entity; readonly theirs?: readonly string[] }
  /** Written; reading it again failed. */
  | { readonly outcome: 'saved unread'; readonly id: EntityId | undefined; readonly error: unknown }
  /** Nothing was written: somebody else wrote the same. The draft stands on the newer state now, with that marked. */
  | { readonly outcome: 'conflict'; readonly draft: EntityDraft }
  /** Nothing was written. The request is absent where it was not even sent. */
  | { readonly outcome: 'failed'; readonly error: unknown; readonly request?: WriteRequest }
  /** It was sent, and nobody knows. */
  | { readonly outcome: 'unknown'; readonly attempt: Attempt; readonly error: unknown }
  /** As before, with a reading that does not settle it. The draft stands on that state now. */
  | { readonly outcome: 'unclear'; readonly draft: EntityDraft }

/** Where somebody else writes all the time, giving up is better than trying for ever. */
const maxTries = 4

/** Asking what became of a lost write: a network that has just lost one is not waited for as long as for the write. */
const lookTimeoutMs = 5000

/**
 * Writes a draft without issues, never over what somebody else wrote meanwhile: that is merged, or shown as a conflict.
 * With tags the service itself refuses what stands on an older state; without, it is read again just before.
 */
export async function save(
  place: Place,
  mine: EntityDraft,
  write: Write = keyedWrites(),
): Promise<SaveResult> {
  let now = mine.loaded && tagOf(mine.loaded) !== undefined ? mine.loaded : undefined
  for (let tries = 1; ; tries += 1) {
    let attempt: Attempt
    try {
      const prepared = await prepare(place, mine, now)
      if ('outcome' in prepared) return prepared
      attempt = prepared
    } catch (error) {
      return { outcome: 'failed', error }
    }
    const result = await deliver(place, attempt, write)
    if (result.outcome !== 'stale') return result
    if (tries === maxTries) return { outcome: 'failed', error: result.error, request: attempt.request }
    now = undefined
  }
}

/**
 * What became of a write whose answer was lost. A service that recognises a repetition is sent it once more, which
 * makes certain that it is done, once; any other is only read.
 */
export async function settle(
  place: Place,
  attempt: Attempt,
  error: unknown,
  write: Write = keyedWrites(),
): Promise<SaveResult> {
  if (!offers('idempotency')) return await look(place, attempt, error)
  const result = await deliver(place, attempt, write, true)
  // Not done, then, and somebody else was faster.
  return result.outcome === 'stale' ? await save(place, attempt.mine, write) : result
}

/** @param now The state to write on; absent: to be read. */
async function prepare(
  place: Place,
  mine: EntityDraft,
  now: Entity | undefined,
): Promise<Attempt | SaveResult> {
  const { userId, entityId } = place
  if (entityId === undefined) {
    const before = await listEntities(userId)
    const request = requestOf(mine) as WriteRequest
    return { mine, draft: mine, request, ifMatch: undefined, knownIds: before.map(({ id }) => id) }
  }
  const newest = now ?? (await readEntity(userId, entityId))
  const draft = newest === mine.loaded ? mine : rebase(mine, newest).draft
  if (hasConflicts(draft)) return { outcome: 'conflict', draft }
  const request = requestOf(draft)
  // Somebody else wrote exactly this.
  if (!request) return { outcome: 'saved', entity: newest, theirs: theirsOf(draft) }
  return { mine, draft, request, ifMatch: tagOf(newest), knownIds: [] }
}

/** Sends it, and once more where that is safe and may help. */
async function deliver(
  place: Place,
  attempt: Attempt,
  write: Write,
  isRepeated = false,
): Promise<SaveResult | { readonly outcome: 'stale'; readonly error: unknown }> {
  try {
    const id = await send(place, attempt, write)
    return await reread({ ...place, entityId: id }, attempt)
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) return { outcome: 'stale', error }
    if (!mayHaveHappened(error)) return { outcome: 'failed', error, request: attempt.request }
    // After a time-out the person has waited long enough to be told.
    const isQuick = !(error instanceof ApiError) || error.code !== 'timeout'
    if (offers('idempotency') && isQuick && !isRepeated) return await deliver(place, attempt, write, true)
    return await look(place, attempt, error)
  }
}

function send(
  { userId, entityId }: Place,
  { request, ifMatch }: Attempt,
  write: Write,
): Promise<string | undefined> {
  const body = bodyOf(request)
  return write([request.method, body, ifMatch], async (keyed) => {
    if (entityId === undefined)
      return (await api.createEntity({ params: { user_id: userId }, body, ...keyed })).id
    const call = { params: { user_id: userId, entity_id: entityId }, body, ifMatch, ...keyed }
    await (request.method === 'PUT' ? api.replaceEntity(call) : api.patchEntity(call))
    return entityId
  })
}

/** A write is done with its answer: whatever happens after that is no reason to send it again. */
async function reread({ userId, entityId }: Place, { knownIds, draft }: Attempt): Promise<SaveResult> {
  try {
    const entity =
      entityId === undefined ? await madeSince(userId, knownIds) : await readEntity(userId, entityId)
    if (entity) return { outcome: 'saved', entity, ...meanwhileOf(draft) }
    return { outcome: 'saved unread', id: undefined, error: new ApiError({ status: 404 }) }
  } catch (error) {
    const id = entityId === undefined ? undefined : asEntityId.parse(entityId)
    return { outcome: 'saved unread', id, error }
  }
}

function meanwhileOf({ meanwhile }: EntityDraft): { theirs?: readonly string[] } {
  return meanwhile && meanwhile.theirs.length > 0 ? { theirs: meanwhile.theirs } : {}
}

/** No answer, or one that a gateway or a crash gave in place of the service's own. */
function mayHaveHappened(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true
  return error.outcomeUnknown || (error.status >= 500 && error.status !== 501 && error.status !== 503)
}

/** Reads what is there now. */
async function look(place: Place, attempt: Attempt, error: unknown): Promise<SaveResult> {
  const { draft, request, knownIds, ifMatch } = attempt
  const signal = AbortSignal.timeout(lookTimeoutMs)
  try {
    if (place.entityId === undefined) {
      const made = await madeSince(place.userId, knownIds, { like: draft, signal })
      return made ? { outcome: 'saved', entity: made, theirs: [] } : { outcome: 'failed', error, request }
    }
    const now = await readEntity(place.userId, place.entityId, signal)
    const fate = ifMatch !== undefined && tagOf(now) === ifMatch ? 'not written' : fateOf(draft, now)
    if (fate === 'written') return { outcome: 'saved', entity: now, theirs: theirsOf(draft) }
    if (fate === 'not written') return { outcome: 'failed', error, request }
    // Sending it again, as it was sent, tells more than another look.
    if (offers('idempotency')) return { outcome: 'unknown', attempt, error }
    return { outcome: 'unclear', draft: rebase(draft, now).draft }
  } catch {
    return { outcome: 'unknown', attempt, error }
  }
}

/** The entity that was not there before, with what was sent where that is given. */
async function madeSince(
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

function tagOf(entity: Entity): string | undefined {
  return offers('entities.etag') ? etagOf(entity) : undefined
}

function listEntities(userId: string, signal?: AbortSignal): Promise<Entity[]> {
  return api.listEntities({ params: { user_id: userId }, query: reading(), ...(signal && { signal }) })
}

function readEntity(userId: string, entityId: string, signal?: AbortSignal): Promise<Entity> {
  const params = { user_id: userId, entity_id: entityId }
  return api.getEntity({ params, query: reading(), ...(signal && { signal }) })
}
