import * as z from 'zod'

import type { Endpoint } from './endpoint.ts'

/** A key that properties have or have had, for completion. One entry for each type that it occurs with. */
export const knownKey = z.looseObject({
  key: z.string(),
  type: z.string(),
  sensitive: z.boolean().nullish(),
})
export type KnownKey = z.infer<typeof knownKey>

/** Properties of one key with one data type. */
export const keyOfType = z.looseObject({
  type: z.string(),
  /** How many there are, how many people have one, and how many are sensitive. */
  count: z.number(),
  users: z.number(),
  sensitive: z.number(),
})

/** A key that properties of entities of one type have now. */
export const dictionaryKey = z.looseObject({
  key: z.string(),
  count: z.number(),
  users: z.number(),
  sensitive: z.number(),
  /** The most frequent one first: the others deviate from it. */
  types: z.array(keyOfType),
  /** Segments whose filters look at it; absent: the caller may not read segments. */
  segments: z.array(z.looseObject({ id: z.string(), name: z.string() })).optional(),
})
export type DictionaryKey = z.infer<typeof dictionaryKey>

/** So much of a key's properties is nearly all of them. */
const nearlyAll = 0.9

/** Whether properties of a key are to be sensitive, by those that there are. */
export const isKnownSensitive = ({ count, sensitive }: Pick<DictionaryKey, 'count' | 'sensitive'>): boolean =>
  sensitive > 0 && sensitive >= count * nearlyAll

/** Something that a write did as it was asked to, and that its caller may not have meant. */
export const propertyWarning = z.looseObject({
  /** `known_sensitive`: a value is stored in clear, and the others of its key are sensitive. */
  code: z.string(),
  /** Type of the entity. */
  entity: z.string(),
  key: z.string(),
})
export type PropertyWarning = z.infer<typeof propertyWarning>

export const dictionary = z.looseObject({
  /** When counting the properties began: UTC with `Z`. Absent: they are being counted for the first time. */
  made: z.string().optional(),
  /** There are more keys or entity types than are listed: 5,000 keys of all entity types together, 1,000 entity types. */
  atLeast: z.boolean().optional(),
  /** The most frequent ones first. */
  entityTypes: z.array(
    z.looseObject({
      type: z.string(),
      entities: z.number(),
      users: z.number(),
      /** Sorted by the number of users who have the key, most first. */
      keys: z.array(dictionaryKey),
    }),
  ),
})
export type Dictionary = z.infer<typeof dictionary>

export const dictionaryEndpoints = {
  getDictionary: {
    method: 'GET',
    path: '/dictionary',
    tag: 'Entities',
    summary: 'Entity types with their property keys, the data types of each key, and how many users have it.',
    needs: ['entities:read'],
    expensive: true,
    reply: dictionary,
    status: [200],
    addition: 'dictionary',
  },
} as const satisfies Record<string, Endpoint>
