import { mutationOptions, queryOptions } from '@tanstack/react-query'

import type { KnownDefinition } from '#contract/index.ts'
import { api, ApiError, etagOf, fileUnder, type keyedWrites, refresh } from '../../../api/index.ts'
import { guardedWrite, type Merged } from '../../../domain/writing/guarded-write.ts'
import {
  definitionBody,
  type DefinitionContent,
  definitionContent,
  type DefinitionMerge,
  mergeDefinitions,
} from './content.ts'

/** Names a property: the entity type and the key. */
export interface PropertyName {
  readonly type: string
  readonly key: string
}

/** Written definition of a property; both members are undefined if nobody wrote one. */
export interface DefinitionReading {
  readonly definition: KnownDefinition | undefined
  readonly etag: string | undefined
}

const paramsOf = ({ type, key }: PropertyName) => ({ entity_type: type, key })

async function readDefinition(name: PropertyName, signal?: AbortSignal): Promise<DefinitionReading> {
  try {
    const definition = await api.getDefinition({ params: paramsOf(name), ...(signal && { signal }) })
    return { definition, etag: etagOf(definition) }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { definition: undefined, etag: undefined }
    throw error
  }
}

/** Reads a definition to edit, with its ETag. Reads again for each edit, but not while one is in progress. */
export function editedDefinitionQuery(name: PropertyName) {
  return queryOptions({
    ...fileUnder('getDefinition', { params: paramsOf(name), as: 'edited' }),
    queryFn: ({ signal }) => readDefinition(name, signal),
    staleTime: 'static',
    gcTime: 0,
  })
}

export function deleteDefinition(name: PropertyName, { etag }: DefinitionReading) {
  return mutationOptions({
    mutationFn: () => api.deleteDefinition({ params: paramsOf(name), ifMatch: etag }),
    onSettled: (_nothing, _error, _void, _result, { client }) => refresh(client, 'listDefinitions'),
  })
}

export interface DefinitionConflict extends DefinitionMerge {
  readonly base: DefinitionContent
  readonly now: DefinitionReading
}

interface DefinitionPlan extends DefinitionMerge {
  readonly stored: KnownDefinition | undefined
}

type Saved = Pick<DefinitionMerge, 'merged' | 'theirs'> | { readonly conflict: DefinitionConflict }

/** Saves an edit of a definition, or writes the first one. Throws the `ApiError` of a failure. */
export async function saveDefinition(
  write: ReturnType<typeof keyedWrites>,
  name: PropertyName,
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
    send: ({ merged, stored }, guard) =>
      api.putDefinition({
        params: paramsOf(name),
        body: definitionBody(merged, stored),
        ...guard,
        // Without a tag there was none, and somebody else may write the first one meanwhile.
        ...(guard.ifMatch === undefined && { ifNoneMatch: '*' as const }),
      }),
  })
  if ('error' in written) throw written.error
  return written.outcome === 'done' ? written.result : written.attempt.plan
}
