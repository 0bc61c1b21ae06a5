import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Definitions, KnownDefinition } from '#contract/index.ts'
import { isFull, q } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { language } from '../../messages/index.ts'
import { segmentsQuery } from '../queries/segments.ts'
import { propertyLabel, typeLabel } from '../values/property-label.ts'
import type { SubjectProperty, SubjectType } from './draft/subjects.ts'

const freshMs = 60_000
const countingPollMs = 500
const nothing: { readonly made?: string | undefined; readonly types: readonly SubjectType[] } = { types: [] }

const select = ({ made, entityTypes }: Definitions): typeof nothing => ({
  made,
  types: entityTypes.map(({ type, label, properties }) => ({
    name: type,
    label: inLanguage(label) ?? typeLabel(type),
    properties: properties.map((each) => describeProperty(type, each)),
  })),
})

function describeProperty(entity: string, definition: KnownDefinition): SubjectProperty {
  const { key, type, label, sensitive = false, choices } = definition
  return {
    name: key,
    label: inLanguage(label) ?? propertyLabel(entity, key),
    type,
    sensitive,
    choices: choices?.map((each) => ({
      value: each.value,
      label: inLanguage(each.label) ?? String(each.value),
    })),
  }
}

/** Returns a text in the reader's language, or else the first one. */
function inLanguage(texts: Readonly<Record<string, string>> | undefined): string | undefined {
  const [base = language] = language.split('-')
  return texts && (texts[language] ?? texts[base] ?? Object.values(texts)[0])
}

/** Returns the entity types with their properties, and whether they are still being read, or counted by the service. */
export function useSubjectTypes() {
  const mayCount = useDenied('entities:read') === undefined
  const {
    data: { made, types } = nothing,
    isLoading,
    isSuccess,
    error,
  } = useQuery({
    ...q('listDefinitions'),
    staleTime: freshMs,
    // Properties that nobody defined are there once they have been counted.
    refetchInterval: ({ state }) =>
      mayCount && state.data?.made === undefined && state.data ? countingPollMs : false,
    enabled: isFull(),
    select,
  })
  return { types, isLoading: isLoading || (isSuccess && mayCount && made === undefined), error }
}

const noSegments = [] as const

export function useFilterSegments() {
  const denied = useDenied('segments:read')
  const { data } = useQuery({ ...segmentsQuery(), enabled: denied === undefined })
  return useMemo(() => data ?? noSegments, [data])
}
