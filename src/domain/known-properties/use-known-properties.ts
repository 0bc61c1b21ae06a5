import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

import { entityType, type KnownKey } from '#contract/index.ts'
import { isFull } from '../../api/index.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { dictionaryQuery } from '../queries/dictionary.ts'
import { keysQuery } from '../queries/keys.ts'
import { knownProperty, type KnownProperty, type WrittenProperty } from './known-property.ts'

/** Between two letters of a type. */
export const typingPauseMs = 250
const dictionaryFreshMs = 60_000
const noKeys: readonly KnownKey[] = []

export interface KnownProperties {
  readonly keys: readonly KnownKey[]
  readonly of: (key: string) => KnownProperty | undefined
  /** `none`: the service does not tell, and everything is as it is written. */
  readonly state: 'none' | 'waiting' | 'failed' | 'ready'
  readonly error: unknown
  readonly retry: () => void
}

/** Reads what is known of the properties of a type of entity. */
export function useKnownProperties(written: string): KnownProperties {
  const type = useDebouncedValue(written, typingPauseMs)
  const asks = isFull()
  const isValid = asks && entityType.safeParse(type).success
  const known = useQuery({ ...keysQuery(type), enabled: isValid })
  // The keys are enough to be safe: with the counts it is said how many.
  const counts = useQuery({
    ...dictionaryQuery(),
    staleTime: dictionaryFreshMs,
    enabled: isValid,
  })
  const isCurrent = type === written
  const keys = (isCurrent && known.data) || noKeys
  const dictionary = isCurrent ? counts.data : undefined
  const of = useCallback(
    (key: string) => (key === '' ? undefined : knownProperty(type, key, { keys, dictionary })),
    [type, keys, dictionary],
  )
  const isCounted = !counts.isLoading
  const state = !asks
    ? 'none'
    : !isCurrent
      ? 'waiting'
      : !isValid
        ? 'none'
        : known.data && isCounted
          ? 'ready'
          : known.isError
            ? 'failed'
            : 'waiting'
  const { error, refetch } = known
  return useMemo(
    () => ({ keys, of, state, error, retry: () => void refetch() }),
    [keys, of, state, error, refetch],
  )
}

/** Asks for it, of a type that is written out. It throws what that fails with. */
export function useReadKnown(): (type: string) => Promise<KnownProperties['of']> {
  const client = useQueryClient()
  return async (type) => {
    if (!isFull() || !entityType.safeParse(type).success) return () => undefined
    const counting = client
      .query({ ...dictionaryQuery(), staleTime: dictionaryFreshMs })
      .catch(() => undefined)
    const keys = await client.query(keysQuery(type))
    const dictionary = await counting
    return (key) => knownProperty(type, key, { keys, dictionary })
  }
}

/** Whether nobody knows yet if a property that would be in clear is a hidden one. */
export const isUnchecked = (
  { state }: KnownProperties,
  { key, sensitive, chosen }: WrittenProperty,
): boolean =>
  (state === 'waiting' || state === 'failed') && key !== '' && !sensitive && chosen?.sensitive !== true
