import { Button } from '@mantine/core'
import { useQuery, useSuspenseQueries } from '@tanstack/react-query'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import {
  Link,
  Outlet,
  useLoaderData,
  useLocation,
  useNavigate,
  useParams,
  useRevalidator,
} from 'react-router'

import { type Event, eventsPerPage } from '#contract/index.ts'
import { links } from '../../app/links.ts'
import { events as text } from '../../messages/index.ts'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Delivery } from './Delivery.tsx'
import { EventsPager } from './EventsPager.tsx'
import { eventsEndQuery, type EventWindow, pagesOf } from './queries.ts'
import { EventSubject } from './EventSubject.tsx'
import classes from './EventsPage.module.css'

/** The log, newest first. What is shown stays as it is until the reader asks for what came since. */
export function EventsPage() {
  const window = useLoaderData<EventWindow>()
  const { eventId } = useParams()
  const pages = useSuspenseQueries({ queries: pagesOf(window) })
  const loaded = pages.flatMap(({ data }) => data)
  // The pages begin at a multiple of 100, the window anywhere.
  const rows = loaded
    .slice(Math.max(0, window.before - eventsPerPage) % eventsPerPage)
    .slice(0, Math.min(window.before, eventsPerPage))
    .toReversed()

  return (
    <>
      <PageHeader title={text.title} below={text.total(window.count)} actions={<NewEvents {...window} />} />
      <div className={classes.split} data-open={eventId !== undefined || undefined}>
        <div className={classes.list}>
          <DataTable
            label={text.title}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            selectedKey={eventId}
            empty={<EmptyState title={text.empty.title}>{text.empty.body}</EmptyState>}
          />
          {rows.length > 0 && <EventsPager {...window} />}
        </div>
        <Outlet />
      </div>
    </>
  )
}

/** Says how many events came after those that are shown, and shows them when it is pressed; before, looks for some. */
function NewEvents({ count, before }: EventWindow) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [pending, setPending] = useState(false)
  const { data: end, refetch } = useQuery(eventsEndQuery())
  const more = (end?.count ?? count) - count

  const act = async () => {
    setPending(true)
    if (more > 0) await (before === count ? revalidate() : navigate(links.events()))
    else {
      const { isError, data } = await refetch()
      if (isError) showToast({ tone: 'failure', message: text.refreshFailed })
      else if (data?.count === count) showToast({ message: text.nothingNew })
    }
    setPending(false)
  }
  return (
    <Button
      variant={more > 0 ? 'light' : 'default'}
      leftSection={<IconRefresh size={15} stroke={1.75} aria-hidden />}
      onClick={() => void act()}
      loading={pending}
    >
      <span aria-live="polite">{more > 0 ? text.newEvents(more) : text.refresh}</span>
    </Button>
  )
}

function EventLink({ event: { id, type } }: { readonly event: Event }) {
  const { search } = useLocation()
  const label = text.type(type)
  return (
    <>
      <Link to={{ pathname: links.event(id), search }} {...rowLink}>
        {label ?? <span className="ds-mono">{type}</span>}
      </Link>
      {label !== undefined && <span className={`ds-mono ${classes.code}`}>{type}</span>}
    </>
  )
}

const columns: readonly Column<Event>[] = [
  {
    id: 'time',
    header: text.columns.time,
    width: '92px',
    cell: ({ eventtime }) => <Timestamp value={eventtime} />,
  },
  { id: 'type', header: text.columns.type, cell: (event) => <EventLink event={event} /> },
  {
    id: 'subject',
    header: text.columns.subject,
    // Both of a user and an entity fit, so that opening one beside the list moves no row.
    width: '300px',
    cell: (event) => <EventSubject event={event} />,
  },
  {
    id: 'delivered',
    header: text.columns.delivered,
    width: '124px',
    cell: ({ delivered }) => <Delivery delivered={delivered} />,
  },
]
