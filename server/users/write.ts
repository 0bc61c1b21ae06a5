import { v7 as uuidv7 } from 'uuid'

import {
  newRef,
  trimEnds,
  unknownEmail,
  unknownName,
  type UserCreate,
  type UserPatch,
} from '#contract/index.ts'
import { recordChange, type Writing } from '../changesets/record.ts'
import { entityOwner, newOwner } from '../entities/storage.ts'
import { addEntity, applyToFirstPerson } from '../entities/write.ts'
import type { Caller } from '../http/auth/caller.ts'
import { invalid, Refusal } from '../http/errors/problem.ts'
import type { Transaction } from '../store/sql.ts'
import { userChanges } from './changes.ts'
import { insertUser, lockUser, matchingUsers, type UserFields } from './storage.ts'

/** Creates or finds a user and sets the properties of the first person entity. */
export async function createOrMatch(
  writing: Writing,
  body: UserCreate,
): Promise<{ id: string; created: boolean }> {
  const { transaction, caller } = writing
  const now = new Date().toISOString().slice(0, -1)
  const before = { email: null, name: null, ref: await findStoredRef(transaction, body.ref), since: now }
  const fields = withFields(before, body)
  // The match can be deleted between the failed insert and the lookup; the insert is then retried.
  for (let attempt = 0; attempt < 5; attempt++) {
    const id = uuidv7()
    if (await insertUser(transaction, id, fields)) {
      // Creating a user changes no existing data, so no reason is required.
      const making = { ...writing, reason: { ...writing.reason, required: false } }
      await recordChange(making, 'USER_CREATED', { user: id, op: 'add', changes: userChanges({}, fields) })
      // Recording a reason has already created the user's key.
      const owner =
        making.reason.given === undefined
          ? newOwner(id, 'person')
          : await entityOwner(transaction, id, 'person')
      if (body.properties) await addEntity(making, owner, body.properties)
      return { id, created: true }
    }
    const [match, other] = await matchingUsers(transaction, fields.email, fields.ref)
    if (match !== undefined && other !== undefined) throw twoMatches([match, other], caller)
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
