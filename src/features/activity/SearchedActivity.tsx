import { Button, Group, Text } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { use, useEffect, useEffectEvent, useState } from 'react'

import { activityText } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { instantMs } from '../../ui/time.ts'
import { Timestamp, ZonesContext } from '../../ui/Timestamp.tsx'
import { eventsEndQuery, logPages } from '../../domain/queries/events.ts'
import { aboutUser, userQuery } from '../../domain/queries/users.ts'
import { ActivityList } from './ActivityList.tsx'
import { type LogSearch, createLogSearch, searchLog } from '../../domain/work/log-search.ts'
import { useWork, type Work } from '../../domain/work/use-work.ts'

const scanText = activityText.scan

/** Number of the newest events that are searched initially. */
const initialEvents = 2000

/**
 * Timeline for a service whose event log cannot be filtered by user. It searches the log from its end and shows how
 * far the search has come.
 */
export function SearchedActivity({ userId }: { readonly userId: string }) {
  const { work, search, run, pause, goOn } = useLogSearch(userId)
  const searching = work.phase === 'running'
  const { events, from, to, back, complete } = search
  const searched = to - from
  return (
    <>
      <Text size="sm" c="dimmed" pb={12}>
        {scanText.explain}
      </Text>
      {events.length > 0 && <ActivityList userId={userId} events={events} />}
      {work.phase === 'failed' && (
        <InlineFailure
          title={scanText.failedTitle}
          error={work.error}
          own={{ kept: scanText.failedBody }}
          onRetry={goOn}
        />
      )}
      {events.length === 0 && !searching && work.phase !== 'failed' && <p>{scanText.nothing}</p>}
      <Group gap="8px 16px" pt={12} fz="sm" c="dimmed">
        {searching ? (
          <Button variant="default" onClick={pause}>
            {scanText.stop}
          </Button>
        ) : (
          !complete &&
          work.phase !== 'failed' && (
            <Button variant="default" onClick={() => run(to)}>
              {scanText.older}
            </Button>
          )
        )}
        <span>
          {scanText.searched({ count: searched, total: to })}
          {back !== undefined && (
            <>
              {' · '}
              {scanText.back.withElements({ time: <Timestamp value={back} mode="minute" /> })}
            </>
          )}
          {` · ${scanText.found({ count: events.length })}`}
        </span>
        {searching && (
          <progress
            style={{ width: 'min(320px, 100%)' }}
            aria-label={scanText.progress}
            value={searched}
            max={to}
          />
        )}
        <output>{searching ? scanText.searching : complete ? scanText.complete : ''}</output>
      </Group>
    </>
  )
}

const searchKey = (userId: string) => [...aboutUser(userId), 'log search']

function useLogSearch(userId: string) {
  const client = useQueryClient()
  const { service } = use(ZonesContext)
  const { created } = useSuspenseQuery(userQuery(userId)).data.user
  // Length of the log when the tab was opened, which the loader has just read.
  const [count] = useState(() => client.getQueryData(eventsEndQuery().queryKey)?.count ?? 0)
  const kept = useState<Work<LogSearch, void>>(() => {
    const known = client.getQueryData<LogSearch>(searchKey(userId))
    // A shorter log means that the log has been replaced.
    return { phase: 'paused', progress: known && known.to <= count ? known : createLogSearch(count) }
  })
  const { work, begin, pause, goOn } = useWork<LogSearch>(kept)
  const search = work.progress ?? createLogSearch(count)

  /** Continues the search until `goal` of the newest events have been read. */
  const run = (goal: number) =>
    begin(async (signal, onProgress, from = createLogSearch(count)) => {
      const isFar = ({ from, to }: LogSearch) => to === count && to - from >= goal
      if (isFar(from)) return
      const log = {
        userId,
        createdMs: typeof created === 'string' ? instantMs(created, service) : undefined,
        readPage: logPages(signal),
      }
      for await (const reached of searchLog(log, from, count)) {
        signal.throwIfAborted()
        onProgress(reached)
        if (isFar(reached)) return
      }
    })
  const start = useEffectEvent(() => run(initialEvents))
  useEffect(() => start(), [])
  // Returning to the page resumes the search from the query cache. The entry holds only ids and times, and is dropped
  // with the user and at sign-out.
  useEffect(() => void client.setQueryData(searchKey(userId), search), [client, userId, search])
  return { work, search, run, pause, goOn }
}
