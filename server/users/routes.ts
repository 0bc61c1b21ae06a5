import { v7 as uuidv7, validate as isUuid } from 'uuid'

import { unknownEmail, unknownName, type UserCreate, type UserPatch } from '#contract/index.ts'
import { type Caller, requireScopes } from '../caller.ts'
import type { Database } from '../database.ts'
import { applyToFirstPerson } from '../entities/routes.ts'
import { recordEvent } from '../events/storage.ts'
import { notFound, Refusal } from '../problem.ts'
import type { Secrets } from '../secrets.ts'
import { loadFilter } from '../segments/routes.ts'
import type { Handlers } from '../serve.ts'
import { inviteUrl } from './invitation.ts'
import { decodeOffset, encodeOffset } from './paging.ts'
import {
  deleteUser,
  insertUser,
  lockUser,
  matchingUsers,
  updateUser,
  userById,
  type UserFields,
  userPage,
} from './storage.ts'

interface Needs {
  readonly database: Database
  readonly secrets: Secrets
  readonly inviteUrl: string
}

export function userRoutes({
  database,
  secrets,
  inviteUrl: inviteBase,
}: Needs): Handlers<'listUsers' | 'createUser' | 'getUser' | 'deleteUser' | 'patchUser'> {
  return {
    async listUsers({ query: { segment, offset = '' }, caller }) {
      const after = offset === '' ? undefined : decodeOffset(secrets.paging, offset, segment)
      const where = segment === undefined ? undefined : (await loadFilter(database, segment, caller)).where
      const page = await userPage(database.sql, { after, where })
      const next = page.more && page.last ? encodeOffset(secrets.paging, page.last, segment) : ''
      // The rows are JSON text already; the rest of the envelope holds nothing that needs escaping but `offset`.
      return {
        status: 200,
        json: `{"total":${page.total},"numberOfRecords":${page.count},"offset":${JSON.stringify(offset)},"next":"${next}","users":${page.json}}`,
      }
    },

    async createUser({ body, caller, baseUrl }) {
      if (body.properties) requireScopes(caller, ['entities:write'])
      const { id, created } = await createOrMatch(database, body, caller)
      return { status: created ? 201 : 303, location: `${baseUrl}/user/${id}` }
    },

    async getUser({ params: { user_id: id } }) {
      const row = isUuid(id) ? await userById(database.sql, id) : undefined
      if (!row) throw notFound('user')
      const { ref, ...fields } = row
      const invitation = inviteUrl(inviteBase, secrets.invitation, row.id, Date.now())
      return { status: 200, body: { ...fields, ...(ref !== null && { ref }), invite_url: invitation } }
    },

    async deleteUser({ params: { user_id: id } }) {
      if (!isUuid(id)) throw notFound('user')
      await database.sql.transaction().execute(async (transaction) => {
        if (!(await deleteUser(transaction, id))) throw notFound('user')
        await recordEvent(transaction, 'USER_DELETED', { user: id, changeset: uuidv7() })
      })
      return { status: 204 }
    },

    async patchUser({ params: { user_id: id }, body, baseUrl }) {
      if (!isUuid(id)) throw notFound('user')
      await database.sql
        .transaction()
        .execute(async (transaction) => {
          const before = await lockUser(transaction, id)
          if (!before) throw notFound('user')
          const after = withFields(before, body)
          if (isSame(before, after)) return
          await updateUser(transaction, id, after)
          await recordEvent(transaction, 'USER_UPDATED', { user: id, changeset: uuidv7() })
        })
        .catch((error: unknown) => {
          throw takenBy(error) ?? error
        })
      return { status: 303, location: `${baseUrl}/user/${id}` }
    },
  }
}

/** One transaction: the user, created or found, and the properties on the first person entity. */
async function createOrMatch(
  database: Database,
  body: UserCreate,
  caller: Caller,
): Promise<{ id: string; created: boolean }> {
  const now = new Date().toISOString().slice(0, -1)
  const fields = withFields({ email: null, name: null, ref: null, since: now }, body)
  // A match can vanish between the failed insert and the look-up, when its user is deleted: then insert again.
  for (let attempt = 0; attempt < 5; attempt++) {
    const result = await database.sql.transaction().execute(async (transaction) => {
      const changeset = uuidv7()
      const id = uuidv7()
      if (await insertUser(transaction, id, fields)) {
        await recordEvent(transaction, 'USER_CREATED', { user: id, changeset })
        if (body.properties) await applyToFirstPerson(transaction, id, body.properties, caller, changeset)
        return { id, created: true }
      }
      const [match, other] = await matchingUsers(transaction, fields.email, fields.ref)
      if (match !== undefined && other !== undefined) throw twoMatches([match, other], caller)
      if (match === undefined) return undefined
      if (body.properties) {
        if (!(await lockUser(transaction, match))) return undefined
        await applyToFirstPerson(transaction, match, body.properties, caller, changeset)
      }
      return { id: match, created: false }
    })
    if (result) return result
  }
  throw new Refusal(503, 'busy', 'The matching user keeps changing. Nothing was changed; try again.', {
    headers: { 'retry-after': '1' },
  })
}

/** The fields after a write: absent ones stay; `""` and the default texts mean "not given". */
function withFields(before: UserFields, given: UserPatch): UserFields {
  const or = (value: string | undefined, kept: string | null, standIn: string) =>
    value === undefined ? kept : value === '' || value === standIn ? null : value
  return {
    email: or(given.email, before.email, unknownEmail),
    name: or(given.name, before.name, unknownName),
    ref: or(given.ref, before.ref, ''),
    since: given.since ?? before.since,
  }
}

function isSame(before: UserFields, after: UserFields): boolean {
  return (['email', 'name', 'ref', 'since'] as const).every((field) => before[field] === after[field])
}

function twoMatches(ids: [string, string], caller: Caller): Refusal {
  return new Refusal(
    409,
    'two_matches',
    'The e-mail belongs to one user and the ref to another. Nothing was changed.',
    {
      members: caller.scopes.has('users:read') ? { users: ids } : {},
    },
  )
}

/** Uniqueness is decided by named constraints: a check beforehand would lose the race that it is there for. */
function takenBy(error: unknown): Refusal | undefined {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  if (constraint === 'users_email_key_unique')
    return taken('email', 'email_taken', 'Another user has this e-mail address.')
  if (constraint === 'users_ref_unique') return taken('ref', 'ref_taken', 'Another user has this ref.')
  return undefined
}

function taken(field: string, code: string, detail: string): Refusal {
  return new Refusal(409, code, `${detail} Nothing was changed.`, {
    errors: [{ pointer: `/${field}`, code, detail }],
  })
}
