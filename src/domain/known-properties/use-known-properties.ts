import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

import { entityType, type KnownKey } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import type { NamedProperty } from '../definitions/definitions.ts'
import { typingPauseMs, useProperties } from '../definitions/use-definitions.ts'
import { dictionaryQuery, keysQuery } from '../queries/keys.ts'
import { knownProperty, type KnownProperty, type WrittenProperty } from './known-property.ts'

const dictionaryFreshMs = 60_000
const noKeys: readonly KnownKey[] = []

export interface KnownProperties {
  readonly keys: readonly KnownKey[]
  /** Properties to choose from. */
  readonly properties: readonly NamedProperty[]
  readonly of: (key: string) => KnownProperty | undefined
  /** `none`: no suggestions, because the service has none or the entity type is incomplete. */
  readonly state: 'none' | 'waiting' | 'failed' | 'ready'
  readonly error: unknown
  readonly retry: () => void
}

/** Whether the service can list the properties of an entity type; false while the type is incomplete. */
const isKnowable = (type: string) => offers('listKeys') && entityType.safeParse(type).success

/** Reads the known properties of an entity type. */
export function useKnownProperties(written: string): KnownProperties {
  const type = useDebouncedValue(written, typingPauseMs)
  const isValid = isKnowable(type)
  const known = useQuery({ ...keysQuery(type), enabled: isValid })
  // The keys are enough for a suggestion; the counts make it more precise, and may be missing.
  const counts = useQuery({
    ...dictionaryQuery(),
    staleTime: dictionaryFreshMs,
    enabled: isValid,
  })
  const properties = useProperties(written)
  const isCurrent = type === written
  const keys = (isCurrent && known.data) || noKeys
  const dictionary = isCurrent ? counts.data : undefined
  const of = useCallback(
    (key: string) => (key === '' ? undefined : knownProperty(type, key, { keys, dictionary })),
    [type, keys, dictionary],
  )
  const isCounted = !counts.isLoading
  const state = !isKnowable(written)
    ? 'none'
    : !isCurrent
      ? 'waiting'
      : known.data && isCounted
        ? 'ready'
        : known.isError
          ? 'failed'
          : 'waiting'
  const { error, refetch } = known
  return useMemo(
    () => ({ keys, properties, of, state, error, retry: () => void refetch() }),
    [keys, properties, of, state, error, refetch],
  )
}

/** Returns a function that tells what is known of a property of any of these types, once that has been read. */
export function useKnownOf(
  types: readonly string[],
): (type: string, key: string) => KnownProperty | undefined {
  const counts = useQuery({
    ...dictionaryQuery(),
    staleTime: dictionaryFreshMs,
    enabled: types.some(isKnowable),
  })
  const read = useQueries({
    queries: types.map((type) => ({ ...keysQuery(type), enabled: isKnowable(type) })),
  })
  return (type, key) => {
    const keys = read[types.indexOf(type)]?.data
    return keys && knownProperty(type, key, { keys, dictionary: counts.data })
  }
}

/**
 * Returns a function that reads the known properties of a complete entity type. Throws the error of a failed request.
 */
export function useReadKnown(): (type: string) => Promise<KnownProperties['of']> {
  const client = useQueryClient()
  return async (type) => {
    if (!isKnowable(type)) return () => undefined
    const counting = client
      .query({ ...dictionaryQuery(), staleTime: dictionaryFreshMs })
      .catch(() => undefined)
    const keys = await client.query(keysQuery(type))
    const dictionary = await counting
    return (key) => knownProperty(type, key, { keys, dictionary })
  }
}

/** Whether a non-sensitive property has yet to be checked against the known sensitive ones. */
export const isUnchecked = (
  { state }: KnownProperties,
  { key, sensitive, chosen }: WrittenProperty,
): boolean =>
  (state === 'waiting' || state === 'failed') && key !== '' && !sensitive && chosen?.sensitive !== true
