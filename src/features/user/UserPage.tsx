import { Box } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLoaderData, useParams } from 'react-router'

import { userEditText, userText } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { IdentityCard } from './IdentityCard.tsx'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { NoSuchUser } from '../../domain/people/NoSuchUser.tsx'
import { userQuery } from '../../domain/queries/users.ts'
import type { UserLoad } from '../../domain/loading.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { UserActions } from './UserActions.tsx'
import { UserTabs } from './UserTabs.tsx'

export function UserPage() {
  const { userId = '' } = useParams()
  const { exists } = useLoaderData<UserLoad>()
  if (!exists) return <NoSuchUser />
  // Another user is another page: nothing that is open or typed here goes along.
  return <OneUser key={userId} userId={userId} />
}

function OneUser({ userId }: { readonly userId: string }) {
  const { data, isRefetchError, isFetching, refetch } = useSuspenseQuery(userQuery(userId))
  const { user, etag } = data
  return (
    <>
      <PageHeader
        above={<BackToList />}
        title={nameOf(user) ?? <span className="ds-dimmed">{userText.noName}</span>}
        actions={<UserActions user={user} />}
      />
      {isRefetchError && (
        <Box pb={16}>
          <InlineFailure
            title={userEditText.user.outdatedTitle}
            onRetry={() => void refetch()}
            retrying={isFetching}
          >
            {userEditText.user.outdatedBody}
          </InlineFailure>
        </Box>
      )}
      <IdentityCard user={user} etag={etag} />
      <UserTabs userId={userId} />
      <Box pt={16} pb={32}>
        <Outlet />
      </Box>
    </>
  )
}
