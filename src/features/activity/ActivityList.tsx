import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Event } from '#contract/index.ts'
import { userPageText } from '../../messages/index.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import classes from './ActivityList.module.css'
import { ActivityRow } from './ActivityRow.tsx'

/** About a screen of them: what they changed is asked for at once, of the others when they come near. */
const eagerRows = 20

export interface ActivityListProps {
  readonly userId: string
  /** Newest first. */
  readonly events: readonly Event[]
}

export function ActivityList({ userId, events }: ActivityListProps) {
  // Names what was changed; where they cannot be read, it is said in fewer words.
  const { data: entities } = useQuery(entitiesQuery(userId))
  const entityTypes = useMemo(
    () => entities && new Map(entities.map(({ id, type }) => [id as string, type])),
    [entities],
  )
  return (
    <ol aria-label={userPageText.activity.title} className={classes.list}>
      {events.map((event, index) => (
        <ActivityRow
          key={event.id}
          event={event}
          userId={userId}
          entityTypes={entityTypes}
          eager={index < eagerRows}
        />
      ))}
    </ol>
  )
}
