import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'

import type { UserList } from '#contract/index.ts'
import { users as text } from '../../messages/index.ts'
import { Pager } from '../../ui/Pager.tsx'
import { position, type Step } from './paging.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import { UserTable, type UserTableProps } from './UserTable.tsx'
import classes from './UsersPage.module.css'

const NoUsers = lazy(async () => ({ default: (await import('./NoUsers.tsx')).NoUsers }))

export interface ListedPlace {
  readonly segment: string
  readonly offset: string
}

export interface ListedUsersProps extends Omit<UserTableProps, 'rows'>, ListedPlace {
  readonly page: UserList
  readonly pending: boolean
}

/** A page of the list, and the way to the others. */
export function ListedUsers({ page, segment, offset, pending, ...table }: ListedUsersProps) {
  const { state } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { first, previous, next, range, isWayBackUnknown } = position(page, { segment, offset }, state)
  const go = (step: Step | undefined) => step && (() => void navigate(step.to, { state: step.state }))
  const readNext = () => {
    // A failure is met again, and told, when the page is really wanted.
    if (next) void client.query(usersQuery({ segment, offset: next.offset })).catch(() => undefined)
  }
  return (
    <>
      {page.users.length === 0 ? (
        <Suspense>
          <NoUsers segment={segment} offset={offset} />
        </Suspense>
      ) : (
        <UserTable {...table} rows={page.users} pending={pending} />
      )}
      {(first || previous || next) && (
        <div onPointerOver={readNext} onFocus={readNext}>
          {isWayBackUnknown && <p className={classes.note}>{text.openedInside}</p>}
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
    </>
  )
}
