import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { use, useRef, useState } from 'react'

import type { Event } from '#contract/index.ts'
import { activityText } from '../../messages/index.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { dayOf, instantMs } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import classes from './ActivityList.module.css'
import { laterOnesOf } from '../../domain/changes/what-happened.ts'
import { showMore } from '../../ui/show-more.ts'
import { ActivityRow } from './ActivityRow.tsx'
import { type Burst, burstsOf, type ActivityKind, activityKind } from './bursts.ts'

/**
 * Number of rows whose changes are requested at once, about a screenful. Other rows request theirs when they come near
 * the viewport.
 */
const eagerRows = 20

export interface ActivityListProps {
  readonly userId: string
  readonly events: readonly Event[]
}

/** Timeline of a user, day by day. Consecutive events by one actor on one thing are collapsed into a burst. */
export function ActivityList({ userId, events }: ActivityListProps) {
  // Entities provide names for the changed objects. If they cannot be read, the descriptions are shorter.
  const { data: entities } = useQuery(entitiesQuery(userId))
  const entityTypes = entities && new Map(entities.map(({ id, type }) => [id as string, type]))
  const { shown: zone, service } = use(ZonesContext)
  const [kind, setKind] = useState<ActivityKind | 'all'>('all')
  const bursts = burstsOf(kind === 'all' ? events : events.filter((event) => activityKind(event) === kind))
  const later = laterOnesOf(events.toReversed())
  const list = useRef<HTMLOListElement>(null)
  // Expanded bursts are tracked by their event ids, so that a burst stays expanded when more of its events load.
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const unfold = (burst: Burst) =>
    showMore(list.current, () => setUnfolded(new Set([...unfolded, ...burst.map(({ id }) => id)])))
  const days = bursts.map(([{ eventtime }]) => dayOf(instantMs(eventtime, service), zone))
  // A filter by kind is pointless when all events are of one kind.
  const isMixed = new Set(events.map(activityKind)).size > 1
  return (
    <div className={classes.root}>
      {isMixed && (
        <SegmentedControl
          size="xs"
          aria-label={activityText.kind}
          data={[
            { value: 'all', label: activityText.kinds.all },
            { value: 'change', label: activityText.kinds.change },
            { value: 'read', label: activityText.kinds.read },
          ]}
          value={kind}
          onChange={setKind}
        />
      )}
      <ol ref={list} aria-label={activityText.title} className={classes.list}>
        {bursts.flatMap((burst, index) => {
          const isWhole = burst.some(({ id }) => unfolded.has(id))
          const folded = isWhole ? 0 : burst.length - 1
          return burst
            .slice(0, burst.length - folded)
            .map((event, place) => (
              <ActivityRow
                key={event.id}
                event={event}
                day={place > 0 || days[index] === days[index - 1] ? undefined : days[index]}
                more={folded > 0 ? { count: folded, onShow: () => unfold(burst) } : undefined}
                isLater={later.has(event.id)}
                userId={userId}
                entityTypes={entityTypes}
                eager={index < eagerRows}
              />
            ))
        })}
      </ol>
    </div>
  )
}
