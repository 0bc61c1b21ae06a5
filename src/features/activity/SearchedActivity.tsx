import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { use, useEffect, useState, useSyncExternalStore } from 'react'

import { api, ApiError } from '../../api/index.ts'
import { user as texts } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { instantMs } from '../../ui/time.ts'
import { Timestamp, ZonesContext } from '../../ui/Timestamp.tsx'
import { eventsEndQuery } from '../../domain/queries/events.ts'
import { aboutUser, userQuery } from '../../domain/queries/users.ts'
import { ActivityList } from './ActivityList.tsx'
import classes from './ActivityList.module.css'
import { type LogSearch, nothingSearched } from '../../domain/work/log-search.ts'
import { SearchRun } from './search-run.ts'

const text = texts.activity.scan

/** How many of the newest events are searched unasked. */
const unasked = 2000

/** The log has no way to ask for one user's events: it is searched from its end, and says how far. */
export function SearchedActivity({ userId }: { readonly userId: string }) {
  const { search, status, run, stop } = useLogSearch(userId)
  const searching = status === 'searching'
  const error = status instanceof ApiError ? status : undefined
  const { events, from, to, back, complete } = search
  const searched = to - from
  return (
    <>
      <p className={classes.note}>{text.explain}</p>
      {events.length > 0 && <ActivityList userId={userId} events={events} />}
      {error && (
        <InlineFailure
          title={text.failedTitle}
          error={error}
          own={{ kept: text.failedBody }}
          onRetry={() => run()}
        />
      )}
      {events.length === 0 && !searching && !error && <p>{text.nothing}</p>}
      <div className={classes.foot}>
        {searching ? (
          <Button variant="default" onClick={stop}>
            {text.stop}
          </Button>
        ) : (
          !complete &&
          !error && (
            <Button variant="default" onClick={() => run(to)}>
              {text.older}
            </Button>
          )
        )}
        <span>
          {text.searched(searched, to)}
          {back !== undefined && (
            <>
              {`, ${text.back} `}
              <Timestamp value={back} mode="exact" />
            </>
          )}
          {`. ${text.found(events.length)}.`}
        </span>
        {searching && (
          <progress className={classes.progress} aria-label={text.progress} value={searched} max={to} />
        )}
        <output>{searching ? text.searching : complete ? text.complete : ''}</output>
      </div>
    </>
  )
}

const searchKey = (userId: string) => [...aboutUser(userId), 'log search']

function useLogSearch(userId: string) {
  const client = useQueryClient()
  const { service } = use(ZonesContext)
  const { created } = useSuspenseQuery(userQuery(userId)).data.user
  const [search] = useState(() => {
    // The log as long as it was when the tab was opened: the loader has just looked.
    const count = client.getQueryData(eventsEndQuery().queryKey)?.count ?? 0
    const known = client.getQueryData<LogSearch>(searchKey(userId))
    const place = (signal: AbortSignal) => ({
      userId,
      createdMs: typeof created === 'string' ? instantMs(created, service) : undefined,
      readPage: (offset: number) => api.listEvents({ query: { offset: String(offset) }, signal }),
    })
    // A log that has become shorter is another log.
    return new SearchRun(place, count, known && known.to <= count ? known : nothingSearched(count))
  })
  useEffect(() => {
    search.run(unasked)
    return () => {
      search.stop()
      // Whoever comes back goes on from here: ids and times, gone with the user and with signing out.
      client.setQueryData(searchKey(userId), search.state().search)
    }
  }, [client, search, userId])
  return { ...useSyncExternalStore(search.subscribe, search.state), run: search.run, stop: search.stop }
}
