import {
  newRef,
  type PropertyInput,
  trimEnds,
  unknownEmail,
  unknownName,
  type UserCreate,
  type UserPatch,
} from '#contract/index.ts'
import { planRecord, type Planning, type Writing } from '../changesets/record.ts'
import { planAddition } from '../entities/plan.ts'
import { newOwner } from '../entities/storage.ts'
import { applyToFirstPerson } from '../entities/write.ts'
import type { Caller } from '../http/auth/caller.ts'
import { invalid, Refusal } from '../http/errors/problem.ts'
import { newId } from '../store/new-id.ts'
import type { Transaction } from '../store/sql.ts'
import { userChanges } from './changes.ts'
import { type LockedUser, lockUser, matchingUsers, type UserFields } from './storage.ts'
import { storeUsers, type UserPlan } from './store.ts'

/** Creates or finds a user and sets the properties of the first person entity. */
export async function createOrMatch(
  writing: Writing,
  body: UserCreate,
): Promise<{ id: string; created: boolean }> {
  const { transaction, caller } = writing
  const now = new Date().toISOString().slice(0, -1)
  const before = { email: null, name: null, ref: await findStoredRef(transaction, body.ref), since: now }
  const fields = withFields(before, body)
  // Creating a user changes no existing data, so no reason is required.
  const making = { ...writing, reason: { ...writing.reason, required: false } }
  // The match can be deleted between the failed insert and the lookup; the insert is then retried.
  for (let attempt = 0; attempt < 5; attempt++) {
    const id = newId()
    const plan = planOrRefuse(() => planUser(making, id, fields, body.properties))
    if (!(plan instanceof Refusal) && (await storeUsers(making, [plan])).has(id)) return { id, created: true }
    const [match, other] = await matchingUsers(transaction, fields.email, fields.ref)
    if (match !== undefined && other !== undefined) throw twoMatches([match, other], caller)
    if (match === undefined && plan instanceof Refusal) throw plan
    if (match === undefined) continue
    if (body.properties) {
      if (!(await lockUser(transaction, match))) continue
      await applyToFirstPerson(writing, match, body.properties)
    }
    return { id: match, created: false }
  }
  throw new Refusal('busy', 'The matching user keeps changing. Nothing was changed; try again.', {
    headers: { 'retry-after': '1' },
  })
}

/** Plans a new user with the properties of the first person entity. */
export function planUser(
  planning: Planning,
  id: string,
  fields: UserFields,
  properties: readonly PropertyInput[] | undefined,
): UserPlan {
  const changes = userChanges({}, fields)
  const created = planRecord(planning, 'USER_CREATED', { user: id, op: 'add', changes })
  const owner = newOwner(id, 'person')
  const person = properties && planAddition(planning, owner, properties)
  return {
    owner,
    fields: { ...fields, account: false },
    isRenamed: true,
    entity: person?.entity,
    changes: [created, ...(person?.changes ?? [])],
  }
}

/** Plans to change a user's fields; undefined if nothing changes. */
export function planUserChange(
  planning: Planning,
  before: LockedUser,
  given: Partial<UserPlan['fields']>,
): UserPlan | undefined {
  const { user, master, wrapped, ...stored } = before
  const fields = { ...stored, ...given }
  const changes = userChanges(stored, fields)
  if (changes.length === 0) return undefined
  const changed = planRecord(planning, 'USER_UPDATED', { user, op: 'change', changes })
  const isRenamed = changes.some(({ key }) => key === 'email' || key === 'name' || key === 'ref')
  return { owner: { user, master, wrapped }, fields, isRenamed, changes: [changed] }
}

/** Returns a refusal instead of throwing it: whether it counts is decided later. */
function planOrRefuse(plan: () => UserPlan): UserPlan | Refusal {
  try {
    return plan()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * Returns the given ref if it is not valid for a new user, but a user already has exactly this one: it still identifies
 * that user.
 */
async function findStoredRef(transaction: Transaction, given: string | undefined): Promise<string | null> {
  if (given === undefined || newRef.safeParse(given).data === given) return null
  const found = await matchingUsers(transaction, null, given)
  return found.length > 0 ? given : null
}

/**
 * Returns the fields after a write. Absent fields stay; `""` and the default texts clear a field. A value sent back as
 * stored stays unchanged. Otherwise invisible characters are trimmed from the ends of a name and a ref, and a ref
 * with hidden characters is refused.
 */
export function withFields(before: UserFields, given: UserPatch): UserFields {
  const or = (value: string | undefined, kept: string | null, standIn: string) =>
    value === undefined ? kept : value === '' || value === standIn ? null : value
  return {
    email: or(given.email, before.email, unknownEmail),
    name: or(given.name === before.name ? undefined : trimText(given.name), before.name, unknownName),
    ref: or(given.ref === before.ref ? undefined : readRef(given.ref), before.ref, ''),
    since: given.since ?? before.since,
  }
}

const trimText = (text: string | undefined) => (text === undefined ? undefined : trimEnds(text))

function readRef(given: string | undefined): string | undefined {
  const read = newRef.optional().safeParse(given)
  if (read.success) return read.data
  throw invalid([{ pointer: '/ref', code: 'invalid', detail: read.error.issues[0]?.message ?? '' }])
}

function twoMatches(ids: [string, string], caller: Caller): Refusal {
  return new Refusal(
    'two_matches',
    'The e-mail belongs to one user and the ref to another. Nothing was changed.',
    {
      members: caller.scopes.has('users:read') ? { users: ids } : {},
    },
  )
}

/**
 * Returns the Refusal for a violated unique constraint. A check before the write would miss a concurrent write of the
 * same value.
 */
export function toTakenRefusal(error: unknown): Refusal | undefined {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  if (constraint === 'users_email_key_unique')
    return takenRefusal('email', 'email_taken', 'Another user has this e-mail address.')
  if (constraint === 'users_ref_unique') return takenRefusal('ref', 'ref_taken', 'Another user has this ref.')
  return undefined
}

function takenRefusal(field: string, code: 'email_taken' | 'ref_taken', detail: string): Refusal {
  return new Refusal(code, `${detail} Nothing was changed.`, {
    errors: [{ pointer: `/${field}`, code, detail }],
  })
}
