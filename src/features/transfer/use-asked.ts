import { useQuery } from '@tanstack/react-query'

import { offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { segmentsQuery } from '../../domain/queries/segments.ts'
import { transferText } from '../../messages/index.ts'
import { askedTypes } from './asked-entities.ts'
import type { Asked } from './export-choices.ts'

/** @param segment `''`: all users, of whom nothing is asked. */
export function useAsked(segment: string): Asked {
  const denied = useDenied('segments:read')
  const { data = [] } = useQuery({ ...segmentsQuery(), enabled: segment !== '' && denied === undefined })
  return {
    types: segment === '' ? [] : askedTypes(segment, data),
    denied: denied ?? (offers('users.segments') ? undefined : transferText.export.noMatching),
  }
}
