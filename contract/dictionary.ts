import * as z from 'zod'

import type { Endpoint } from './endpoint.ts'

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

export const dictionary = z.looseObject({
  /** When the properties were counted: UTC with `Z`. Absent: they are being counted for the first time. */
  made: z.string().optional(),
  /** There are more keys or entity types than are listed: 5,000 keys of all entity types together, 1,000 entity types. */
  atLeast: z.boolean().optional(),
  /** The most frequent ones first. */
  entityTypes: z.array(
    z.looseObject({
      type: z.string(),
      entities: z.number(),
      users: z.number(),
      /** Those that most people have first. */
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
    summary:
      'Entity types with the keys of their properties, the types of these, and how many people have them.',
    needs: ['entities:read'],
    reply: dictionary,
    status: [200],
    addition: 'dictionary',
  },
} as const satisfies Record<string, Endpoint>
