import { useQueryClient } from '@tanstack/react-query'

import { entityType, type KnownKey } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { keysQuery } from '../queries/keys.ts'

const noKeys: readonly KnownKey[] = []

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
