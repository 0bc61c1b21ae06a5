import { propertyChanges } from '../entities/changes.ts'
import { userChanges } from '../users/changes.ts'
import type { NewChangeset } from '../changesets/changes.ts'
import { canonical, type StoredProperties, type StoredProperty } from '../entities/properties.ts'
import type { Making } from './belongings.ts'
import { type NewEntity, newEvent, type NewEvent, type NewUser, type PastChangeset } from './bulk.ts'
import { pick, type Random, seededIds, seededRandom, whole } from './random.ts'

export interface History {
  readonly events: readonly NewEvent[]
  readonly changesets: readonly PastChangeset[]
}

/**
 * What writes of this user's data through the API would have left: one event and one changeset each. Some things were
 * added or corrected later on; the changes lead to what is there now.
 */
export function historyOf(making: Making, user: NewUser, entities: readonly NewEntity[]): History {
  const { created, today } = making
  const events: NewEvent[] = []
  const changesets: PastChangeset[] = []
  // Of its own: what there is now does not depend on how it came about.
  const random = seededRandom(created)
  const makeId = seededIds(random)
  const record = (
    msecs: number,
    type: 'USER_CREATED' | 'USER_UPDATED' | 'DIRECT_DATA_CHANGE',
    changed: Omit<NewChangeset, 'user' | 'actor'>,
  ) => {
    const id = makeId(msecs)
    const { entity } = changed
    const ids = { user: user.id, ...(entity && { entity: entity.id }), changeset: id }
    const actor = type === 'DIRECT_DATA_CHANGE' ? pick(random, ['steward', 'admin']) : 'support'
    const event = newEvent(makeId, msecs, type, { ...ids, actor })
    events.push(event)
    changesets.push({ ...changed, id, user: user.id, actor, time: event.eventtime })
  }
  const later = (from: number) => Math.floor(from + random() * (today - from))

  const updated = user.account || random() < 0.2 ? later(created) : undefined
  const before = updated === undefined ? user : earlierUser(user)
  const { account: _, ...given } = before
  record(created, 'USER_CREATED', { op: 'add', changes: userChanges({}, given) })
  for (const entity of entities) {
    const at = Date.parse(`${entity.created}Z`)
    const changed = Array.from({ length: random() < 0.3 ? whole(random, 1, 3) : 0 }, () => later(at))
    // Backwards from what is there now.
    const states = [entity.properties]
    for (let left = changed.length; left > 0; left--)
      states.unshift(earlierProperties(random, states[0] ?? {}))
    const named = { entity: { id: entity.id, type: entity.type } }
    record(at, 'DIRECT_DATA_CHANGE', { ...named, op: 'add', changes: propertyChanges({}, states[0] ?? {}) })
    for (const [index, msecs] of changed.toSorted((a, b) => a - b).entries()) {
      const changes = propertyChanges(states[index] ?? {}, states[index + 1] ?? {})
      record(msecs, 'DIRECT_DATA_CHANGE', { ...named, op: 'change', changes })
    }
  }
  if (updated !== undefined)
    record(updated, 'USER_UPDATED', { op: 'change', changes: userChanges(before, user) })
  return { events, changesets }
}

/** The events alone: nobody reads what each of a million writes put there. */
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
  return { events, changesets: [] }
}

/** Before the invitation was accepted or, of somebody without an account, before the e-mail or the name was known. */
function earlierUser(user: NewUser): NewUser {
  if (user.account) return { ...user, account: false }
  return user.email === null ? { ...user, name: null, since: user.created } : { ...user, email: null }
}

/** The properties before one of them was added or corrected. */
function earlierProperties(random: Random, now: StoredProperties): StoredProperties {
  const [first, ...others] = Object.entries(now)
  if (!first) return now
  const [key, property] = pick(random, [first, ...others])
  const { [key]: _, ...rest } = now
  const value = earlierValue(random, property)
  return value === undefined || canonical(value) === canonical(property.value)
    ? rest
    : { ...rest, [key]: { ...property, value } }
}

/** `undefined`: it was not there. */
function earlierValue(random: Random, { type, value }: StoredProperty): unknown {
  if (typeof value === 'number') return Math.floor(value * (0.3 + random() * 0.6))
  if (typeof value === 'boolean') return !value
  if (type === 'TEXT' && typeof value === 'string' && /\d/.test(value))
    return value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + whole(random, 1, 9)) % 10))
  if (type === 'DATE' || type === 'DATETIME' || type === 'CURRENCY') return null
  return undefined
}
