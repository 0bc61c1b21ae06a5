import { Box } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLoaderData, useLocation, useParams } from 'react-router'

import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { hasPage, links } from '../../domain/links.ts'
import type { UserLoad } from '../../domain/page-route.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { PutAway } from '../../domain/put-away/PutAway.tsx'
import { userQuery } from '../../domain/queries/users.ts'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { ListSteps } from '../../domain/user-list/ListSteps.tsx'
import { NoSuchUser } from '../../domain/user-list/NoSuchUser.tsx'
import { KeepEdits } from '../../domain/writing/kept-edits.tsx'
import { LastUndo } from '../../domain/writing/last-undo.tsx'
import { userEditText, userPageText, userText } from '../../messages/index.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { isAbout } from './EditUser.tsx'
import { useIdentityCard } from './IdentityCard.tsx'
import { Consents, SegmentChips } from './KnownFacts.tsx'
import { UserActions } from './UserActions.tsx'
import { Beside, type BesideProps, UserLayout } from './UserLayout.tsx'
import { UserTabs } from './UserTabs.tsx'

export interface UserPageProps {
  readonly Timeline: BesideProps['Timeline']
}

export function UserPage({ Timeline }: UserPageProps) {
  const { userId = '' } = useParams()
  const { exists } = useLoaderData<UserLoad>()
  if (!exists) return <NoSuchUser />
  // The key resets the page for another user, so that no dialog or input carries over.
  return <ExistingUser key={userId} userId={userId} Timeline={Timeline} />
}

function ExistingUser({ userId, Timeline }: UserPageProps & { readonly userId: string }) {
  const { pathname } = useLocation()
  const { data, isRefetchError, isFetching, refetch } = useSuspenseQuery(userQuery(userId))
  const { user, etag } = data
  const name = nameOf(user)
  const { card, namePencil } = useIdentityCard({ user, etag })
  return (
    <LastUndo>
      <PageHeader
        above={
          <>
            <BackToList />
            <ListSteps userId={userId} />
          </>
        }
        mark={<Avatar id={user.id} name={name} size={32} />}
        title={name ?? <span className="ds-dimmed">{userText.noName}</span>}
        besideTitle={namePencil}
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
      <UserLayout
        identity={card}
        more={
          <PutAway>
            <Consents userId={userId} />
            {hasPage('userSegments') && pathname !== links.userSegments(userId) && (
              <SegmentChips userId={userId} />
            )}
          </PutAway>
        }
        beside={
          // Hidden on the tab that shows the whole timeline.
          hasPage('userActivity') &&
          pathname !== links.userActivity(userId) && (
            <Beside userId={userId} label={userPageText.side.timeline} Timeline={Timeline} />
          )
        }
      >
        <KeepEdits staysAt={(address) => isAbout(userId, address)}>
          <UserTabs userId={userId} pathname={pathname} />
          <Box pt={16} pb={32}>
            <PutAway>
              <Outlet />
            </PutAway>
          </Box>
        </KeepEdits>
      </UserLayout>
    </LastUndo>
  )
}
