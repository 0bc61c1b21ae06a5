import * as z from 'zod'

import { entityId, text, userId } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { entityType, property, propertyKey } from './entity.ts'
import { filter, timeZone } from './filter.ts'
import { user, userList, usersPerPage } from './user.ts'
import { trimEnds } from './visible.ts'

const searched = text(200).overwrite(trimEnds).min(1, 'Give something to search for.')

/** What a list of users can be ordered by; `-` before it: the other way round. */
const orders = ['name', 'email', 'since', 'created'] as const
export type UserOrder = (typeof orders)[number]
const sort = z.enum(
  orders.flatMap((order) => [order, `-${order}`] as const),
  'Give one of name, email, since and created, with "-" before it for the other way round.',
)

export const maxColumns = 20
/** Of one column of a user: so many properties, of the oldest entities, and so much of each text. */
export const maxColumnValues = 10
export const maxColumnText = 200

/** What a column shows: the properties with a key, of the entities of a type. */
export interface PropertyColumn {
  readonly entity: string
  readonly key: string
}

/** A type holds no dot, so the first one ends it. `undefined`: this names no column. */
export function readColumn(name: string): PropertyColumn | undefined {
  const dot = name.indexOf('.')
  const [entity, key] = [name.slice(0, dot), name.slice(dot + 1)]
  const isColumn = dot > 0 && entityType.safeParse(entity).success && propertyKey.safeParse(key).success
  return isColumn ? { entity, key } : undefined
}

const column = text(200).refine(
  (name) => readColumn(name) !== undefined,
  'Write a column as an entity type, a dot and a property key, for example car.plate.',
)

/** Properties that come with each user, such as `car.plate`. */
const columns = z.array(column).max(maxColumns, `At most ${maxColumns} columns.`)

/**
 * What to look for: `q` in every field, or one field alone. Texts are compared without regard to case and accents.
 * `q` finds the beginnings of words, and of values in which there is a digit, as people type them (a phone, a plate, an
 * order number); where nothing begins so, words that differ by one letter. `filter` and `segment`
 * leave only those users who match; without any of the five fields, all of them are listed.
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
    filter: filter.optional(),
    /** In which the days of `filter` begin; absent: UTC. */
    tz: timeZone.optional(),
    segment: z.string().optional(),
    /** Absent: best match first; oldest first, where nothing is searched for. */
    sort: sort.optional(),
    columns: columns.optional(),
    /** Opaque: the `next` of the page before, of the same search. */
    offset: z.string().optional(),
  })
  .check(({ value, issues }) => {
    const { filter: filtered, segment, sort: order, columns } = value
    const sought = [value.q, value.email, value.name, value.ref, value.id].filter(
      (given) => given !== undefined,
    )
    const isList = [filtered, segment, order, columns].some((given) => given !== undefined)
    const refuse = (path: string[], message: string) =>
      issues.push({ code: 'custom', input: value, path, message })
    if (sought.length > 1 || (sought.length === 0 && !isList))
      refuse(
        [],
        'Give one of q, email, name, ref and id, or none of them beside filter, segment, sort or columns.',
      )
    if (sought.length > 0 && order !== undefined)
      refuse(
        ['sort'],
        'What is searched for comes best match first: leave "sort" out, or search by "filter" instead.',
      )
  })
export type UserSearch = z.input<typeof userSearch>

/** A property as in a masked read. */
const columnValue = z.looseObject({
  ...property.shape,
  /** Of a text that is longer, `value` is its beginning. */
  cut: z.boolean().optional(),
})

/** Of each column that was asked for the properties that the user has, those of the oldest entity first. */
const ownColumns = z.record(z.string(), z.array(columnValue))

const foundUser = user.extend({
  /** Found by the value of this property of an entity, whose id and type these are. */
  matched: z
    .looseObject({ entity: entityId, type: z.string(), key: z.string(), value: z.unknown() })
    .optional(),
  columns: ownColumns.optional(),
})

/** The list's envelope. */
export const userSearchResult = z.looseObject({
  ...userList.shape,
  users: z.array(foundUser),
  /** Nothing was found as asked for: these differ by a letter. */
  similar: z.boolean().optional(),
})
export type UserSearchResult = z.infer<typeof userSearchResult>

export const maxLookedUp = 200

/** Who somebody is, in short. */
const knownPerson = z.looseObject({
  id: userId,
  name: z.string().nullish(),
  email: z.string().nullish(),
  columns: ownColumns.optional(),
})
export type LookedUpUser = z.infer<typeof knownPerson>

const lookup = z
  .strictObject({
    ids: z
      .array(text(64))
      .min(1, 'Name the users to look up.')
      .max(maxLookedUp, `At most ${maxLookedUp} users at a time.`),
    columns: columns.optional(),
  })
  .refine(({ ids, columns: asked }) => !asked || ids.length <= usersPerPage, {
    path: ['ids'],
    message: `At most ${usersPerPage} users at a time with "columns".`,
  })

/** Beyond the API document. */
export const userSearchEndpoints = {
  searchUsers: {
    method: 'POST',
    path: '/users/search',
    tag: 'Users',
    summary:
      'Finds users by e-mail, name, ref or id, or lists those who match a filter, 50 at a time. In the body, so that no personal data is in a URL.',
    needs: ['users:read'],
    expensive: true,
    body: userSearch,
    reply: userSearchResult,
    status: [200],
    addition: 'users.search',
    safe: true,
  },
  lookUpUsers: {
    method: 'POST',
    path: '/users/lookup',
    tag: 'Users',
    summary: `Names and e-mails of up to ${maxLookedUp} users by their ids, in the order asked; those who are gone are left out. With "columns" properties of up to ${usersPerPage} users.`,
    needs: ['users:read'],
    expensive: true,
    body: lookup,
    reply: z.array(knownPerson),
    status: [200],
    addition: 'users.lookup',
    safe: true,
  },
} as const satisfies Record<string, Endpoint>
