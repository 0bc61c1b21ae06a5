import type { NewChangeset } from '../changesets/changes.ts'
import { propertyChanges } from '../entities/changes.ts'
import { userChanges } from '../users/changes.ts'
import type { Making } from './belongings.ts'
import {
  type NewEntity,
  newEvent,
  type NewUser,
  type PastChangeset,
  type PastEvent,
  type PastReason,
} from './bulk.ts'
import { pick, seededIds, seededRandom } from './random.ts'
import { readingsOf, stepsOf } from './story.ts'

export interface History {
  readonly events: readonly PastEvent[]
  readonly changesets: readonly PastChangeset[]
  readonly reasons: readonly PastReason[]
}

/**
 * Returns the history that API requests would have left: one event and one changeset for each write of this user's
 * data, and one event for each read of its sensitive values. Some values are added or corrected later; the changes lead
 * to the current state.
 */
export function historyOf(making: Making, user: NewUser, entities: readonly NewEntity[]): History {
  const { created, today } = making
  const events: PastEvent[] = []
  const changesets: PastChangeset[] = []
  // The history uses its own random generator, so that it does not influence the current data.
  const random = seededRandom(created)
  const makeId = seededIds(random)
  const reasons: PastReason[] = []
  const record = (
    msecs: number,
    type: 'USER_CREATED' | 'USER_UPDATED' | 'DIRECT_DATA_CHANGE',
    {
      actor,
      reason,
      ...changed
    }: Omit<NewChangeset, 'user'> & { actor: string; reason?: string | undefined },
  ) => {
    const id = makeId(msecs)
    const { entity } = changed
    const ids = { user: user.id, ...(entity && { entity: entity.id }), changeset: id }
    const event = newEvent(makeId, msecs, type, { ...ids, actor })
    events.push(event)
    changesets.push({ ...changed, id, user: user.id, actor, time: event.eventtime })
    if (reason !== undefined) reasons.push({ user: user.id, id, reason })
  }
  const later = (from: number) => Math.floor(from + random() * (today - from))

  const updated = user.account || random() < 0.2 ? later(created) : undefined
  const before = updated === undefined ? user : earlierUser(user)
  const { account: _, ...given } = before
  record(created, 'USER_CREATED', { op: 'add', changes: userChanges({}, given), actor: 'support' })
  for (const entity of entities) {
    const { id, type } = entity
    const at = Date.parse(`${entity.created}Z`)
    const steps = stepsOf(random, entity, at, today).toSorted((a, b) => a.msecs - b.msecs)
    // Reconstructs the states backwards from the current one.
    let state = entity.properties
    const written = steps.toReversed().map((step) => {
      const after = state
      state = step.undo(after)
      return { step, changes: propertyChanges(state, after) }
    })
    const named = { entity: { id, type } }
    const maker = pick(random, ['steward', 'admin'])
    record(at, 'DIRECT_DATA_CHANGE', {
      ...named,
      op: 'add',
      changes: propertyChanges({}, state),
      actor: maker,
    })
    for (const { step, changes } of written.toReversed()) {
      const { msecs, actor, reason } = step
      if (changes.length > 0)
        record(msecs, 'DIRECT_DATA_CHANGE', { ...named, op: 'change', changes, actor, reason })
    }
    const since = steps.at(-1)?.msecs ?? at
    for (const { keys, reason, ...read } of readingsOf(random, entity, since, today)) {
      const details = { user: user.id, entity: id, actor: read.actor, keys: JSON.stringify(keys) }
      const event = newEvent(makeId, read.msecs, read.type, details)
      events.push(event)
      reasons.push({ user: user.id, id: event.id, reason })
    }
  }
  if (updated !== undefined)
    record(updated, 'USER_UPDATED', { op: 'change', changes: userChanges(before, user), actor: 'support' })
  return { events, changesets, reasons }
}

/** Returns the events without changesets: nobody reads the changes of a million writes. */
export function plainHistory(
  { makeId, created }: Making,
  user: NewUser,
  entities: readonly NewEntity[],
): History {
  const changeset = makeId(created)
  const ids = { user: user.id, changeset }
  const events = [
    newEvent(makeId, created, 'USER_CREATED', ids),
    ...entities.map(({ id }) => newEvent(makeId, created, 'DIRECT_DATA_CHANGE', { ...ids, entity: id })),
  ]
  return { events, changesets: [], reasons: [] }
}

/**
 * Returns the user before the invitation was accepted or, without an account, before the e-mail or the name was known.
 */
function earlierUser(user: NewUser): NewUser {
  if (user.account) return { ...user, account: false }
  return user.email === null ? { ...user, name: null, since: user.created } : { ...user, email: null }
}
