import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { type Dictionary, isKnownSensitive } from '#contract/index.ts'
import { isFull } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { dictionaryQuery } from '../queries/keys.ts'
import { segmentsQuery } from '../queries/segments.ts'
import { propertyLabel, typeLabel } from '../values/property-label.ts'
import type { SubjectType } from './draft/subjects.ts'

const freshMs = 60_000
const noTypes: readonly SubjectType[] = []

const select = ({ entityTypes }: Dictionary): readonly SubjectType[] =>
  entityTypes.map(({ type, keys }) => ({
    name: type,
    label: typeLabel(type),
    properties: keys.map((counted) => ({
      name: counted.key,
      label: propertyLabel(type, counted.key),
      type: counted.types[0]?.type,
      sensitive: isKnownSensitive(counted),
    })),
  }))

/** Returns the entity types with their properties, and whether they are still being read. */
export function useSubjectTypes() {
  const denied = useDenied('entities:read')
  const {
    data = noTypes,
    isLoading,
    error,
  } = useQuery({
    ...dictionaryQuery(),
    staleTime: freshMs,
    enabled: isFull() && denied === undefined,
    select,
  })
  return { types: data, isLoading, error }
}

const noSegments = [] as const

export function useFilterSegments() {
  const denied = useDenied('segments:read')
  const { data } = useQuery({ ...segmentsQuery(), enabled: denied === undefined })
  return useMemo(() => data ?? noSegments, [data])
}
