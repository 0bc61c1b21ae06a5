import { queryOptions } from '@tanstack/react-query'

import { type DataType, type Entity, type KnownKey } from '#contract/index.ts'
import { api, fileUnder } from '../../../api/index.ts'

const countMs = 60_000

/** Query for how many users have a key with this type; needs a full service and a caller who may see the count. */
export function keyCountQuery(entity: string, { key, type }: Pick<KnownKey, 'key' | 'type'>) {
  return queryOptions({
    ...fileUnder('previewSegment', { as: 'users with', entity, key, type }),
    queryFn: async ({ signal }) => {
      const where = [{ key, type: type as DataType, op: 'exists' as const }]
      const { total, atLeast } = await api.previewSegment({ body: { filter: { entity, where } }, signal })
      return { total, isMore: atLeast === true }
    },
    staleTime: countMs,
    retry: false,
  })
}

export function typeSuggestions(all: readonly Entity[]): readonly string[] {
  return [...new Set(['person', 'car', 'address', ...all.map(({ type }) => type)])]
}
