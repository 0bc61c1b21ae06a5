import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation, useNavigate, useLoaderData, useNavigation, useSearchParams } from 'react-router'

import { links } from '../../app/links.ts'
import { users as text } from '../../messages/index.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { columns } from './columns.tsx'
import { rememberList } from './list-address.tsx'
import { OutdatedList } from './OutdatedList.tsx'
import { position, type Step } from './paging.ts'
import { usersQuery } from './queries.ts'
import type { ListLoad } from './routes.ts'
import { NewUserButton, UsersFrame } from './UsersFrame.tsx'
import classes from './UsersPage.module.css'

/** The users of a segment, or all of them, 50 at a time. */
export function UsersPage() {
  const { missing } = useLoaderData<ListLoad>()
  const [search] = useSearchParams()
  const segment = search.get('segment') ?? ''
  return missing === undefined ? (
    <UserList segment={segment} offset={search.get('offset') ?? ''} />
  ) : (
    <OutdatedList missing={missing} segment={segment} />
  )
}

function UserList({ segment, offset }: { readonly segment: string; readonly offset: string }) {
  const location = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { location: coming } = useNavigation()
  const { data: page } = useSuspenseQuery(usersQuery({ segment, offset }))
  const { first, previous, next, range, isWayBackUnknown } = position(
    page,
    { segment, offset },
    location.state,
  )
  // The way back from a user leads here.
  useEffect(() => rememberList(location), [location])

  const go = (step: Step | undefined) => step && (() => void navigate(step.to, { state: step.state }))
  const readNext = () => {
    // A failure is met again, and told, when the page is really wanted.
    if (next) void client.query(usersQuery({ segment, offset: next.offset })).catch(() => undefined)
  }
  const pending = coming?.pathname.endsWith(links.users()) === true

  return (
    <UsersFrame
      segment={(pending ? new URLSearchParams(coming.search).get('segment') : segment) ?? ''}
      total={page.total ?? undefined}
    >
      <DataTable
        label={text.table}
        columns={columns}
        rows={page.users}
        rowKey={(user) => user.id}
        pending={pending}
        empty={<NoUsers segment={segment} offset={offset} />}
      />
      {(first || previous || next) && (
        <div onPointerOver={readNext} onFocus={readNext} className={classes.pager}>
          {isWayBackUnknown && <p className={classes.note}>{text.list.openedInside}</p>}
          <Pager
            {...range}
            total={page.total ?? undefined}
            onFirst={go(first)}
            onPrevious={go(previous)}
            onNext={go(next)}
            pending={pending}
          />
        </div>
      )}
    </UsersFrame>
  )
}

function NoUsers({ segment, offset }: { readonly segment: string; readonly offset: string }) {
  const { list } = text
  if (offset !== '')
    return (
      <EmptyState
        title={list.emptyPageTitle}
        action={<Link to={links.users({ segment })}>{list.firstPage}</Link>}
      >
        {list.emptyPageBody}
      </EmptyState>
    )
  if (segment !== '')
    return (
      <EmptyState
        title={list.emptySegmentTitle}
        action={
          <Button variant="default" component={Link} to={links.segment(segment)}>
            {list.showSegment}
          </Button>
        }
      >
        {list.emptySegmentBody}
      </EmptyState>
    )
  return (
    <EmptyState title={list.emptyTitle} action={<NewUserButton />}>
      {list.emptyBody}
    </EmptyState>
  )
}
