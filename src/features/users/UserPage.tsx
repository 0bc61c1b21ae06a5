import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link, Outlet, useLoaderData, useParams } from 'react-router'

import { links } from '../../app/links.ts'
import { users as text } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { InlineFailure } from '../../ui/InlineFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ShortId } from '../../ui/ShortId.tsx'
import { AccountState } from './AccountState.tsx'
import { IdentityCard } from './IdentityCard.tsx'
import { BackToList } from './list-address.tsx'
import { userQuery } from './queries.ts'
import type { UserLoad } from './routes.ts'
import { nameOf } from './user-fields.ts'
import { UserActions } from './UserActions.tsx'
import classes from './UserPage.module.css'

export function UserPage() {
  const { userId = '' } = useParams()
  const { exists } = useLoaderData<UserLoad>()
  if (!exists) return <NoSuchUser />
  // Another user is another page: nothing that is open or typed here goes along.
  return <OneUser key={userId} userId={userId} />
}

function OneUser({ userId }: { readonly userId: string }) {
  const { data: user, isRefetchError, isFetching, refetch } = useSuspenseQuery(userQuery(userId))
  const entitiesTitle = useId()
  return (
    <>
      <PageHeader
        above={<BackToList />}
        title={nameOf(user) ?? <span className={classes.noName}>{text.noName}</span>}
        below={
          <>
            <AccountState value={user.account} />
            <ShortId id={user.id} />
          </>
        }
        actions={<UserActions user={user} />}
      />
      {isRefetchError && (
        <div className={classes.outdated}>
          <InlineFailure title={text.user.outdatedTitle} onRetry={() => void refetch()} retrying={isFetching}>
            {text.user.outdatedBody}
          </InlineFailure>
        </div>
      )}
      <IdentityCard user={user} />
      <section aria-labelledby={entitiesTitle} className={classes.entities}>
        <h2 id={entitiesTitle} className={classes.sectionTitle}>
          {text.user.entities}
        </h2>
        <Outlet />
      </section>
    </>
  )
}

function NoSuchUser() {
  return (
    <>
      <PageHeader above={<BackToList />} title={text.user.goneTitle} />
      <EmptyState
        title={text.user.goneBody}
        action={
          <Button variant="default" component={Link} to={links.users()}>
            {text.user.toList}
          </Button>
        }
      />
    </>
  )
}
