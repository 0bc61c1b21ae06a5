import { useQuery } from '@tanstack/react-query'

import type { Entity, Segment } from '#contract/index.ts'

import { useDenied } from '../../auth/use-session.ts'
import { entitiesQuery } from '../queries/entities.ts'
import { segmentsQuery } from '../queries/segments.ts'

/** Names for the things mentioned in the evaluation of a filter for one user. */
export interface Known {
  readonly userId: string
  readonly segments: readonly Segment[]
  /** Absent where they may not be read, or are not yet. */
  readonly entities: readonly Entity[] | undefined
}

/** Asked for beside the evaluation, which does without. */
export function useKnown(userId: string): Known {
  const mayEntities = useDenied('entities:read') === undefined
  const { data: segments = [] } = useQuery(segmentsQuery())
  const { data: entities } = useQuery({ ...entitiesQuery(userId), enabled: mayEntities })
  return { userId, segments, entities }
}
