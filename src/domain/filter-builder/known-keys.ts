import { useQuery, useQueryClient } from '@tanstack/react-query'

import { entityType, type KnownKey } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { keysQuery } from '../queries/keys.ts'

const typePauseMs = 250
const noKeys: readonly KnownKey[] = []

/** Returns the known keys of an entity type; none while it is being typed, or if the person may not read entities. */
export function useKnownKeys(written: string): readonly KnownKey[] {
  const type = useDebouncedValue(written, typePauseMs)
  const denied = useDenied('entities:read')
  const { data = noKeys } = useQuery({
    ...keysQuery(type),
    enabled: isOffered(type, denied),
  })
  return type === written ? data : noKeys
}

/**
 * Returns a function that fetches the keys of a complete entity type, or none if they are unavailable. Throws the
 * error of a failed request.
 */
export function useReadKeys(): (type: string) => Promise<readonly KnownKey[]> {
  const client = useQueryClient()
  const denied = useDenied('entities:read')
  return async (type) => (isOffered(type, denied) ? client.query(keysQuery(type)) : noKeys)
}

const isOffered = (type: string, denied: string | undefined) =>
  denied === undefined && entityType.safeParse(type).success

/** Maximum number of suggestions; typing finds the others. */
const shownKeys = 50

/** Returns the keys that begin with the typed text, followed by those that contain it. */
export function matchingKeys(known: readonly KnownKey[], typed: string): readonly KnownKey[] {
  const query = typed.trim().toLowerCase()
  const places = known.map((option) => ({ option, at: option.key.toLowerCase().indexOf(query) }))
  return [...places.filter(({ at }) => at === 0), ...places.filter(({ at }) => at > 0)]
    .slice(0, shownKeys)
    .map(({ option }) => option)
}
