import { Button, Group } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useParams } from 'react-router'

import { eventsPerPage } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { InlineFailure, RouteFailure } from '../../domain/failures/InlineFailure.tsx'
import { activityText, userPageText } from '../../messages/index.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { showMore } from '../../ui/show-more.ts'
import { ActivityList } from './ActivityList.tsx'
import { readChanges } from './first-changes.ts'
import { activityQuery } from './queries.ts'

export function UserActivityPage() {
  const { userId = '' } = useParams()
  const titleId = useId()
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="ds-visually-hidden">
        {activityText.title}
      </h2>
      <Activity key={userId} userId={userId} />
    </section>
  )
}

/** Events of the user, in pages of 100. Each page follows the last event of the previous page. */
function Activity({ userId }: { readonly userId: string }) {
  const client = useQueryClient()
  const all = useRef<HTMLDivElement>(null)
  const { data: newest } = useSuspenseQuery(activityQuery(userId))
  const [opened, setOpened] = useState<readonly string[]>([])
  const [older, setOlder] = useState<'idle' | 'pending' | ApiError>('idle')
  // Older pages start after the newest page's last event. If an edit pushes that event off the newest page, they are
  // discarded.
  const olderAfter = opened[0] === newest.at(-1)?.id ? opened : []
  const olderPages = useSuspenseQueries({
    queries: olderAfter.map((after) => activityQuery(userId, after)),
  }).map(({ data }) => data)
  const pages = [newest, ...olderPages]
  const events = pages.flat()
  const last = events.at(-1)
  const hasOlder = pages.at(-1)?.length === eventsPerPage

  // Not a mutation, whose cache would keep the events of a user who is deleted.
  const showOlder = async () => {
    if (!last || older === 'pending') return
    setOlder('pending')
    try {
      await readChanges(client, userId, await client.query(activityQuery(userId, last.id)))
      showMore(all.current?.querySelector('ol'), () => {
        setOpened([...olderAfter, last.id])
        setOlder('idle')
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setOlder(error)
    }
  }

  if (events.length === 0)
    return (
      <EmptyState icon={<IconBolt size={28} stroke={1.5} />} title={activityText.empty.title}>
        {activityText.empty.body}
      </EmptyState>
    )
  return (
    <div ref={all}>
      <ActivityList userId={userId} events={events} />
      {older instanceof ApiError && (
        <InlineFailure title={activityText.olderFailed} error={older} onRetry={() => void showOlder()} />
      )}
      <Group gap="8px 16px" pt={12} fz="sm" c="dimmed">
        {hasOlder && (
          <Button variant="default" loading={older === 'pending'} onClick={() => void showOlder()}>
            {activityText.older}
          </Button>
        )}
        <Announced>
          {hasOlder
            ? activityText.loadedMore({ count: events.length })
            : activityText.loaded({ count: events.length })}
        </Announced>
      </Group>
    </div>
  )
}

/** Replaces the tab on failure; the rest of the user's page stays. */
export const ActivityFailure = () => <RouteFailure title={userPageText.failed.activity} />
