import * as z from 'zod'

import { text, userId, zonelessDatetime } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { propertyList } from './entity.ts'

/** What the service answers for an e-mail or a name that was never given: never a match key, never stored. */
export const unknownEmail = 'Unknown email'
export const unknownName = 'Unknown user'

/** Users of one page of the list. */
export const usersPerPage = 50

/** A user (data subject) as answered. `invite_url` is a secret and absent from lists. */
export const user = z.looseObject({
  id: userId,
  email: z.string().nullish(),
  name: z.string().nullish(),
  ref: z.string().nullish(),
  /** Datetimes without zone, UTC, `YYYY-MM-DDTHH:MM:SS.mmm`. Kept as strings. */
  created: z.string().nullish(),
  since: z.string().nullish(),
  account: z.boolean().nullish(),
  invite_url: z.string().nullish(),
})
export type User = z.infer<typeof user>

export const userList = z.looseObject({
  total: z.number().nullish(),
  numberOfRecords: z.number().nullish(),
  offset: z.string().nullish(),
  /** `offset` of the following page; `""` on the last one. */
  next: z.string().nullish(),
  users: z.array(user),
  /** When `total` was counted, where that was not just now: UTC with `Z`. */
  counted: z.string().optional(),
  /** There may be more than `total`: counting stopped there, to answer in time. */
  atLeast: z.boolean().optional(),
})
export type UserList = z.infer<typeof userList>

const email = z.union(
  [
    z.literal(''),
    z.literal(unknownEmail),
    text(320)
      .trim()
      .pipe(z.email({ pattern: z.regexes.html5Email })),
  ],
  'Give an e-mail address such as ana@example.org, or "" for none.',
)

/** Fields that the service assigns: taken and ignored, so that GET → edit → write works. */
const assigned = {
  id: z.unknown().optional(),
  created: z.unknown().optional(),
  account: z.unknown().optional(),
  invite_url: z.unknown().optional(),
}

/** `""` clears a field, back to its default. */
export const userPatch = z.strictObject({
  email: email.optional(),
  name: text(1000).optional(),
  // Its index holds no entry above 2,700 bytes.
  ref: text(500).optional(),
  since: zonelessDatetime.optional(),
  ...assigned,
})
export type UserPatch = z.infer<typeof userPatch>

export const userCreate = z.strictObject({ ...userPatch.shape, properties: propertyList.optional() })
export type UserCreate = z.infer<typeof userCreate>

export const userListQuery = z.object({
  segment: z.string().optional(),
  /** Opaque: the `next` of the page before. */
  offset: z.string().optional(),
})

const searched = text(200).trim().min(1, 'Give something to search for.')

/**
 * What to look for: `q` in every field, or one field alone. Texts are compared without regard to case and accents.
 * `q` finds the beginnings of words; where nothing begins so, words that differ by one letter.
 */
export const userSearch = z
  .strictObject({
    q: searched.optional(),
    email: searched.optional(),
    name: searched.optional(),
    ref: searched.optional(),
    id: searched.optional(),
    /** Of one field: its beginning, or all of it. */
    match: z.enum(['prefix', 'exact']).default('prefix'),
    segment: z.string().optional(),
    /** Opaque: the `next` of the page before, of the same search. */
    offset: z.string().optional(),
  })
  .refine(
    ({ q, email: mail, name, ref, id }) =>
      [q, mail, name, ref, id].filter((given) => given !== undefined).length === 1,
    'Give one of q, email, name, ref and id.',
  )
export type UserSearch = z.input<typeof userSearch>

/** The list's envelope, best match first. */
export const userSearchResult = z.looseObject({
  ...userList.shape,
  /** Nothing was found as asked for: these differ by a letter. */
  similar: z.boolean().optional(),
})
export type UserSearchResult = z.infer<typeof userSearchResult>

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
    status: [201, 303],
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
    needs: ['users:write'],
    status: [204],
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
    conditional: true,
  },
} as const satisfies Record<string, Endpoint>

/** Beyond the API document. */
export const userAdditions = {
  searchUsers: {
    method: 'POST',
    path: '/users/search',
    tag: 'Users',
    summary:
      'Finds users by e-mail, name, ref or id, 50 at a time. In the body, so that no personal data is in a URL.',
    needs: ['users:read'],
    body: userSearch,
    reply: userSearchResult,
    status: [200],
    addition: 'users.search',
    safe: true,
  },
  acceptInvitation: {
    method: 'POST',
    path: '/users/{user_id}/account',
    tag: 'Users',
    summary: 'Notes that the user accepted the invitation with this token: `account` becomes true.',
    needs: ['users:write'],
    body: invitationAnswer,
    status: [204],
    addition: 'users.account',
  },
} as const satisfies Record<string, Endpoint>
