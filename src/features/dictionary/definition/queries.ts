import { mutationOptions, queryOptions } from '@tanstack/react-query'

import { api, ApiError, etagOf, fileUnder, type keyedWrites, refresh } from '../../../api/index.ts'
import { guardedWrite, type Merged } from '../../../domain/writing/guarded-write.ts'
import {
  type DefinedName,
  definitionBody,
  type DefinitionContent,
  definitionContent,
  type DefinitionMerge,
  mergeDefinitions,
  type StoredDefinition,
} from './content.ts'

/** Written definition; both members are undefined if nobody wrote one. */
export interface DefinitionReading {
  readonly definition: StoredDefinition | undefined
  readonly etag: string | undefined
}

const ofType = (type: string) => ({ entity_type: type })
const ofProperty = (type: string, key: string) => ({ entity_type: type, key })

async function readDefinition({ type, key }: DefinedName, signal?: AbortSignal): Promise<DefinitionReading> {
  const how = signal && { signal }
  try {
    if (key !== undefined) {
      const definition = await api.getDefinition({ params: ofProperty(type, key), ...how })
      return { definition, etag: etagOf(definition) }
    }
    const answer = await api.getTypeDefinition({ params: ofType(type), ...how })
    return { definition: withoutType(answer), etag: etagOf(answer) }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { definition: undefined, etag: undefined }
    throw error
  }
}

/** Leaves out the name of the entity type, for `type` is the data type in the definition of a property. */
export const withoutType = (definition: Readonly<Record<string, unknown>>): StoredDefinition => ({
  ...definition,
  type: undefined,
})

/** Reads a definition to edit, with its ETag. Reads again for each edit, but not while one is in progress. */
export function editedDefinitionQuery(name: DefinedName) {
  const { type, key } = name
  return queryOptions({
    ...fileUnder(key === undefined ? 'getTypeDefinition' : 'getDefinition', {
      params: key === undefined ? ofType(type) : ofProperty(type, key),
      as: 'edited',
    }),
    queryFn: ({ signal }) => readDefinition(name, signal),
    staleTime: 'static',
    gcTime: 0,
  })
}

export function deleteDefinition({ type, key }: DefinedName, { etag }: DefinitionReading) {
  return mutationOptions({
    mutationFn: () =>
      key === undefined
        ? api.deleteTypeDefinition({ params: ofType(type), ifMatch: etag })
        : api.deleteDefinition({ params: ofProperty(type, key), ifMatch: etag }),
    onSettled: (_nothing, _error, _void, _result, { client }) => refresh(client, 'listDefinitions'),
  })
}

export interface DefinitionConflict extends DefinitionMerge {
  readonly base: DefinitionContent
  readonly now: DefinitionReading
}

interface DefinitionPlan extends DefinitionMerge {
  readonly stored: StoredDefinition | undefined
}

type Saved = Pick<DefinitionMerge, 'merged' | 'theirs'> | { readonly conflict: DefinitionConflict }

/** Saves an edit of a definition, or writes the first one. Throws the `ApiError` of a failure. */
export async function saveDefinition(
  write: ReturnType<typeof keyedWrites>,
  name: DefinedName,
  base: DefinitionReading,
  mine: DefinitionContent,
): Promise<Saved> {
  const before = definitionContent(base.definition)
  const written = await guardedWrite({
    write,
    base,
    read: () => readDefinition(name),
    tag: ({ etag }) => etag,
    merge: (now): Merged<DefinitionPlan, Saved> => {
      const merge = mergeDefinitions(before, mine, definitionContent(now.definition))
      if (merge.conflicts.length > 0) return { done: { conflict: { ...merge, base: before, now } } }
      return { send: { ...merge, stored: now.definition } }
    },
    requestOf: ({ merged, stored }) => definitionBody(merged, stored),
    send: ({ merged, stored }, guard) => {
      const request = {
        body: definitionBody(merged, stored),
        ...guard,
        // Without a tag there was none, and somebody else may write the first one meanwhile.
        ...(guard.ifMatch === undefined && { ifNoneMatch: '*' as const }),
      }
      const { type, key } = name
      return key === undefined
        ? api.putTypeDefinition({ params: ofType(type), ...request })
        : api.putDefinition({ params: ofProperty(type, key), ...request })
    },
  })
  if ('error' in written) throw written.error
  return written.outcome === 'done' ? written.result : written.attempt.plan
}
