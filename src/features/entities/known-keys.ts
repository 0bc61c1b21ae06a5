import { useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useEffect, useRef } from 'react'

import { entityType, type KnownKey } from '#contract/index.ts'

import { keysQuery } from '../../domain/queries/keys.ts'
import type { EntityDraft } from './entity-draft.ts'

/** The keys to offer for a row, those that stand in other rows left out; none when they cannot be known. */
type OfferKeys = (rowId: string) => Promise<readonly KnownKey[]>

export const OfferKeysContext = createContext<OfferKeys>(() => Promise.resolve([]))

/** Stays the same while the form is typed in, so that no row is drawn anew for it. */
export function useOfferKeys(draft: EntityDraft): OfferKeys {
  const client = useQueryClient()
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  }, [draft])
  return useCallback(
    async (rowId) => {
      const { type } = latest.current
      if (!entityType.safeParse(type).success) return []
      const known = await client.query(keysQuery(type)).catch(() => [])
      const taken = new Set(
        latest.current.rows.flatMap(({ id, key, removed }) =>
          id === rowId || removed === true ? [] : [key],
        ),
      )
      return known.filter(({ key }) => !taken.has(key))
    },
    [client],
  )
}
