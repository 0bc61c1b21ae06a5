import * as z from 'zod'

import { sendAlways } from './answered.ts'
import { oneLine, text, userId, zonelessDatetime } from './common.ts'
import { emailAddress } from './email.ts'
import type { Endpoint } from './endpoint.ts'
import { propertyList } from './entity.ts'
import { neverNull } from './nulls.ts'
import { findHidden, trimEnds, visible } from './visible.ts'

/** Placeholders that the service returns for a user without an e-mail or a name. They are never stored or matched. */
export const unknownEmail = 'Unknown email'
export const unknownName = 'Unknown user'

/** Users per page of the list. */
export const usersPerPage = 50

/** A user (data subject) as returned. `invite_url` is a secret and absent from lists. */
export const user = z.looseObject({
  id: userId,
  email: sendAlways(z.string()),
  name: sendAlways(z.string()),
  ref: z.string().nullish(),
  /** Datetimes without a zone, in UTC, `YYYY-MM-DDTHH:MM:SS.mmm`, kept as strings. */
  created: sendAlways(z.string()),
  since: sendAlways(z.string()),
  account: sendAlways(z.boolean()),
  invite_url: z.string().nullish(),
})
export type User = z.infer<typeof user>

export const userList = z.looseObject({
  total: sendAlways(z.number()),
  numberOfRecords: sendAlways(z.number()),
  offset: sendAlways(z.string()),
  /** `offset` of the next page; `""` on the last one. */
  next: sendAlways(z.string()),
  users: z.array(user),
  /** When `total` was counted, if it is a cached count: UTC with `Z`. */
  counted: z.string().optional(),
  /** True if there may be more than `total`: counting stopped there to answer in time. */
  atLeast: z.boolean().optional(),
})
export type UserList = z.infer<typeof userList>

const email = z.union([z.literal(''), z.literal(unknownEmail), visible().pipe(emailAddress)], {
  error: ({ input }) =>
    (typeof input === 'string' ? findHidden(trimEnds(input)) : undefined) ??
    'Give an e-mail address such as ana@example.org, or "" for none.',
})

/**
 * Fields assigned by the service. They are accepted and ignored, so that a client can send back what it read after
 * editing it.
 */
const assigned = {
  id: z.unknown().optional(),
  created: z.unknown().optional(),
  account: z.unknown().optional(),
  invite_url: z.unknown().optional(),
}

// The index on refs cannot hold entries above 2,700 bytes.
const storedRef = text(500)

/** A new ref: invisible characters are removed at either end, and refused inside. */
export const newRef = visible().pipe(storedRef)

/** Fields of a user as they are written. A stored `ref` may be sent back even if `newRef` would refuse it. */
export const userFieldRules = { email, name: oneLine(1000), ref: storedRef, since: zonelessDatetime }

const clearable = <Schema extends z.ZodType<string>>(schema: Schema) =>
  schema
    .nullable()
    .transform((value) => value ?? '')
    .optional()

const clearableFields = {
  email: clearable(email),
  name: clearable(userFieldRules.name),
  ref: clearable(storedRef),
}

/** `""` or null clears `email`, `name` or `ref`. */
export const userPatch = z.strictObject({
  ...clearableFields,
  since: neverNull(zonelessDatetime),
  ...assigned,
})
export type UserPatch = z.infer<typeof userPatch>

export const userCreate = z.strictObject({
  ...clearableFields,
  since: zonelessDatetime.optional(),
  ...assigned,
  properties: propertyList.optional(),
})
export type UserCreate = z.infer<typeof userCreate>

export const userListQuery = z.object({
  segment: z.string().optional(),
  /** Opaque cursor: the `next` of the previous page. */
  offset: z.string().optional(),
})

export const invitationAnswer = z.strictObject({
  /** The `token` of the invitation link. */
  token: z.string().max(200),
})

export const userEndpoints = {
  listUsers: {
    method: 'GET',
    path: '/users',
    tag: 'Users',
    summary: 'A page of 50 users, oldest first; of one segment when it is given.',
    needs: ['users:read'],
    expensive: true,
    query: userListQuery,
    reply: userList,
    status: [200],
  },
  createUser: {
    method: 'POST',
    path: '/users',
    tag: 'Users',
    summary: 'Creates a user, or answers 303 with the one whose e-mail or ref matches.',
    needs: ['users:write'],
    body: userCreate,
    memberNeeds: { properties: ['entities:write'] },
    status: [201, 303],
    reasoned: true,
    warns: true,
  },
  getUser: {
    method: 'GET',
    path: '/users/{user_id}',
    tag: 'Users',
    summary: 'One user.',
    needs: ['users:read'],
    reply: user,
    status: [200],
    conditional: true,
  },
  deleteUser: {
    method: 'DELETE',
    path: '/users/{user_id}',
    tag: 'Users',
    summary: 'Removes a user with all entities and properties.',
    needs: ['users:delete'],
    status: [204],
    referenced: true,
    conditional: true,
  },
  patchUser: {
    method: 'PATCH',
    path: '/users/{user_id}',
    tag: 'Users',
    summary: 'Changes the supplied fields.',
    needs: ['users:write'],
    body: userPatch,
    status: [303],
    reasoned: true,
    conditional: true,
  },
} as const satisfies Record<string, Endpoint>

/** Endpoints beyond the API document. */
export const userAdditions = {
  acceptInvitation: {
    method: 'POST',
    path: '/users/{user_id}/account',
    tag: 'Users',
    summary: 'Records that the user accepted the invitation with this token: `account` becomes true.',
    needs: ['users:write'],
    body: invitationAnswer,
    status: [204],
    addition: 'users.account',
  },
} as const satisfies Record<string, Endpoint>
