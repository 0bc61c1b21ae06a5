import { useQuery } from '@tanstack/react-query'

import type { Filter } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { segmentsQuery } from '../../domain/queries/segments.ts'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { transferText } from '../../messages/index.ts'
import { askedTypes } from './asked-entities.ts'
import type { Asked } from './export-choices.ts'

/** What is asked of the users of a source; of all users, and of those who were selected, nothing is. */
export function useAsked({ segment = '', search }: UserSource): Asked {
  const denied = useDenied('segments:read')
  const within = search?.segment ?? segment
  const { data = [] } = useQuery({ ...segmentsQuery(), enabled: within !== '' && denied === undefined })
  const filters: Filter[] = [
    ...(search?.filter ? [search.filter] : []),
    ...(within === '' ? [] : [{ segment: within }]),
  ]
  return {
    types: askedTypes({ all: filters }, data),
    denied: search?.filter
      ? transferText.export.noMatchingUnsaved
      : (denied ?? (offers('users.segments') ? undefined : transferText.export.noMatching)),
  }
}
