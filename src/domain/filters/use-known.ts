import { useQuery } from '@tanstack/react-query'

import type { Entity, Segment } from '#contract/index.ts'

import { useDenied } from '../../auth/use-session.ts'
import { entitiesQuery } from '../queries/entities.ts'
import { segmentsQuery } from '../queries/segments.ts'

/** Names of the objects that appear in the evaluation of a filter for one user. */
export interface Known {
  readonly userId: string
  readonly segments: readonly Segment[]
  /** The user's entities; undefined while they load, or if the person may not read them. */
  readonly entities: readonly Entity[] | undefined
}

/** Loads names to show in an evaluation, which renders without waiting for them. */
export function useKnown(userId: string): Known {
  const mayEntities = useDenied('entities:read') === undefined
  const { data: segments = [] } = useQuery(segmentsQuery())
  const { data: entities } = useQuery({ ...entitiesQuery(userId), enabled: mayEntities })
  return { userId, segments, entities }
}
