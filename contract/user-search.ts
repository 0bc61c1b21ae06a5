import * as z from 'zod'

import { entityId, text, userId } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { entityType, property, propertyKey } from './entity.ts'
import { filter, timeZone } from './filter.ts'
import { user, userList, usersPerPage } from './user.ts'
import { trimEnds } from './visible.ts'

const searched = text(200).overwrite(trimEnds).min(1, 'Give something to search for.')

/** Texts for all fields. An address or an object that is pasted may be longer than anything that is typed. */
const searchedText = text(2000)
  .overwrite(trimEnds)
  .min(1, 'Give something to search for.')
  .refine((value) => value.length <= 200 || /^(?:[^\s/]*\/\S*$|\{)/.test(value), 'At most 200 characters.')

/** Sort keys of the list of users; a leading `-` reverses the order. */
const orders = ['name', 'email', 'since', 'created'] as const
export type UserOrder = (typeof orders)[number]
export const userSort = z.enum(
  orders.flatMap((order) => [order, `-${order}`] as const),
  'Give one of name, email, since and created, with "-" in front to reverse the order.',
)

export const maxColumns = 20
/**
 * Maximum number of properties per user and column (those of the oldest entities are kept), and maximum length of each
 * text.
 */
export const maxColumnValues = 10
export const maxColumnText = 200

/** Column with the properties of one key, from all entities of a type. */
export interface PropertyColumn {
  readonly entity: string
  readonly key: string
}

/**
 * Parses a column name such as `car.plate`; `undefined` if it names no column. An entity type contains no dot, so the
 * first dot ends it.
 */
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

/** Property columns to return with each user, such as `car.plate`. */
const columnList = z.array(column).max(maxColumns, `At most ${maxColumns} columns.`)

/**
 * Search terms: `q` searches every field, the others one field each. Comparison ignores case; `q` and `name` ignore
 * accents too. `q` matches the beginnings of words, and of property values that are e-mails or contain a digit, such as
 * phone or order numbers. If nothing matches, `q` finds words that differ by one letter. `filter` and `segment` narrow
 * the result. Without a search term, all users are listed.
 */
export const userSearch = z
  .strictObject({
    q: searchedText.optional(),
    email: searched.optional(),
    name: searched.optional(),
    ref: searched.optional(),
    id: searched.optional(),
    /** How a search in one field matches: the beginning of the value, or all of it. */
    match: z.enum(['prefix', 'exact']).default('prefix'),
    filter: filter.optional(),
    /** Time zone in which the days of `filter` begin; defaults to UTC. */
    tz: timeZone.optional(),
    segment: z.string().optional(),
    /** Order; defaults to the best match first, or to oldest first if there are no search terms. */
    sort: userSort.optional(),
    columns: columnList.optional(),
    /** Opaque cursor: the `next` of the previous page of the same search. */
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
        'Give one of q, email, name, ref and id, or none of them with filter, segment, sort or columns.',
      )
    if (sought.length > 0 && order !== undefined)
      refuse(
        ['sort'],
        'What is searched for comes best match first: leave "sort" out, or search by "filter" instead.',
      )
  })
export type UserSearch = z.input<typeof userSearch>

/** A property as in a read with masked values. */
const columnValue = z.looseObject({
  ...property.shape,
  /** True if `value` is only the beginning of a longer text. */
  cut: z.boolean().optional(),
})

/** Properties of the user for each requested column, those of the oldest entity first. */
const ownColumns = z.record(z.string(), z.array(columnValue))

const foundUser = user.extend({
  /** Property that the search matched, with the id and type of its entity; absent if another field matched. */
  matched: z
    .looseObject({ entity: entityId, type: z.string(), key: z.string(), value: z.unknown() })
    .optional(),
  columns: ownColumns.optional(),
})

/** Page of the users found. */
export const userSearchResult = z.looseObject({
  ...userList.shape,
  users: z.array(foundUser),
  /** True if nothing matched exactly and these users match with one letter changed. */
  similar: z.boolean().optional(),
})
export type UserSearchResult = z.infer<typeof userSearchResult>

export const maxLookedUp = 200

/** Summary that identifies a user. */
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
    columns: columnList.optional(),
  })
  .refine(({ ids, columns: asked }) => !asked || ids.length <= usersPerPage, {
    path: ['ids'],
    message: `At most ${usersPerPage} users at a time with "columns".`,
  })

/** Endpoints beyond the API document. */
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
    memberNeeds: { columns: ['entities:read'] },
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
    memberNeeds: { columns: ['entities:read'] },
    reply: z.array(knownPerson),
    status: [200],
    addition: 'users.lookup',
    safe: true,
  },
} as const satisfies Record<string, Endpoint>
