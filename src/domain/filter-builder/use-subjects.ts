import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Definitions } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { nameTypes } from '../definitions/definitions.ts'
import { definitionsQuery } from '../queries/keys.ts'
import { segmentsQuery } from '../queries/segments.ts'
import type { SubjectType } from './draft/subjects.ts'

const nothing: { readonly made?: string | undefined; readonly types: readonly SubjectType[] } = { types: [] }

const select = (definitions: Definitions): typeof nothing => ({
  made: definitions.made,
  types: nameTypes(definitions),
})

/** Returns the entity types with their properties, and whether they are still being read, or counted by the service. */
export function useSubjectTypes() {
  const isCounted = useDenied('entities:read') === undefined
  const {
    data: { made, types } = nothing,
    isLoading,
    isSuccess,
    error,
  } = useQuery({ ...definitionsQuery({ isCounted }), select })
  return { types, isLoading: isLoading || (isSuccess && isCounted && made === undefined), error }
}

const noSegments = [] as const

export function useFilterSegments() {
  const denied = useDenied('segments:read')
  const { data } = useQuery({ ...segmentsQuery(), enabled: denied === undefined })
  return useMemo(() => data ?? noSegments, [data])
}
