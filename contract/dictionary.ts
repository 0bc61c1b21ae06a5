import * as z from 'zod'

import type { Endpoint } from './endpoint.ts'

/**
 * A key that properties have or have had, for completion. There is one entry for each data type that the key occurs
 * with.
 */
export const knownKey = z.looseObject({
  key: z.string(),
  type: z.string(),
  sensitive: z.boolean().nullish(),
})
export type KnownKey = z.infer<typeof knownKey>

/** Properties that share a key and a data type. */
export const keyOfType = z.looseObject({
  type: z.string(),
  /** Number of such properties, of users who have one, and of sensitive ones. */
  count: z.number(),
  users: z.number(),
  sensitive: z.number(),
})

/** A key that properties of entities of one type currently have. */
export const dictionaryKey = z.looseObject({
  key: z.string(),
  count: z.number(),
  users: z.number(),
  sensitive: z.number(),
  /** Data types of the key. The first is the most frequent one, from which the others deviate. */
  types: z.array(keyOfType),
  /**
   * `email`, `iban` or `phone`: most of its texts in clear are written like one, so that they may be personal data that
   * nobody has sealed. Judged by their form alone.
   */
  looksLike: z.string().optional(),
  /** Segments whose filters test the key; absent if the caller may not read segments. */
  segments: z.array(z.looseObject({ id: z.string(), name: z.string() })).optional(),
})
export type DictionaryKey = z.infer<typeof dictionaryKey>

/** Share of a key's properties that counts as nearly all of them. */
const nearlyAll = 0.9

/** Whether new properties with this key should be sensitive, judging by the existing ones. */
export const isKnownSensitive = ({ count, sensitive }: Pick<DictionaryKey, 'count' | 'sensitive'>): boolean =>
  sensitive > 0 && sensitive >= count * nearlyAll

/** Warning about a write that succeeded, but may not be intended, or left something out. */
export const propertyWarning = z.looseObject({
  /**
   * `known_sensitive`: a value is stored in clear although its key is defined as sensitive or, without a word on that,
   * nearly all others of its key are.
   * `older_consent`: a consent was left out because a later one with another status is stored.
   */
  code: z.string(),
  /** Type of the entity. */
  entity: z.string(),
  key: z.string(),
})
export type PropertyWarning = z.infer<typeof propertyWarning>

export const dictionary = z.looseObject({
  /** When the count began: UTC with `Z`. Absent while the properties are being counted for the first time. */
  made: z.string().optional(),
  /**
   * True if there are more keys or entity types than listed. The limits are 5,000 keys across all entity types, and
   * 1,000 entity types.
   */
  atLeast: z.boolean().optional(),
  /** Entity types, most frequent first. */
  entityTypes: z.array(
    z.looseObject({
      type: z.string(),
      entities: z.number(),
      users: z.number(),
      /** Keys of the entity type, sorted by the number of users who have one, most first. */
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
