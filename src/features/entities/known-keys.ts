import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useEffect, useRef } from 'react'

import { type Entity, entityType, type KnownKey } from '#contract/index.ts'

import { api, offers } from '../../api/index.ts'
import type { EntityDraft } from './draft.ts'

const knownMs = 60_000

/**
 * Keys that entities of a type have, with their types: as the service knows them, or else as far as such entities
 * have been loaded here.
 */
export function knownKeysQuery(client: QueryClient, type: string) {
  return queryOptions({
    queryKey: ['keys', type],
    queryFn: ({ signal }) =>
      offers('keys') ? api.listKeys({ query: { entity: type }, signal }) : loadedKeys(client, type),
    staleTime: offers('keys') ? knownMs : 0,
  })
}

/** Of the properties themselves nothing but key, type and whether they are sensitive. */
export function keysOf(entities: readonly Entity[]): readonly KnownKey[] {
  const keys = new Map<string, KnownKey>()
  for (const { properties } of entities)
    for (const { key, type, sensitive } of properties) {
      const name = JSON.stringify([key, type])
      keys.set(name, { key, type, sensitive: sensitive === true || keys.get(name)?.sensitive === true })
    }
  return [...keys.values()]
}

function loadedKeys(client: QueryClient, type: string): readonly KnownKey[] {
  const loaded = client.getQueriesData<readonly Entity[]>({
    queryKey: ['entities'],
    predicate: ({ queryKey }) => queryKey.length === 2,
  })
  const keys = keysOf(loaded.flatMap(([, all]) => all?.filter((entity) => entity.type === type) ?? []))
  return keys.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

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
      const known = await client.query(knownKeysQuery(client, type)).catch(() => [])
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
