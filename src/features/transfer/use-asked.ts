import { useQuery } from '@tanstack/react-query'

import { isFull } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { segmentsQuery } from '../../domain/queries/segments.ts'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { userExportText } from '../../messages/index.ts'
import { askedBy, askedTypes } from './asked-entities.ts'
import type { AskedTypes } from './export-choices.ts'

/** Entity types that a source's filter refers to, including those of the segments it uses. */
export function useAsked(source: UserSource): AskedTypes {
  const denied = useDenied('segments:read')
  const isWithin = Boolean(source.search?.segment ?? source.segment)
  const { data = [] } = useQuery({ ...segmentsQuery(), enabled: isWithin && denied === undefined })
  return {
    types: askedTypes(askedBy(source).filter, data),
    denied: denied ?? (isFull() ? undefined : userExportText.noMatching),
  }
}
