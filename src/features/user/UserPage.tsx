import { Box } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useLoaderData, useLocation, useParams } from 'react-router'

import { userEditText, userPageText, userText } from '../../messages/index.ts'
import { hasPage, links } from '../../domain/links.ts'
import { ListSteps } from './ListSteps.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { IdentityCard } from './IdentityCard.tsx'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { PutAway } from '../../domain/put-away/PutAway.tsx'
import { NoSuchUser } from '../../domain/people/NoSuchUser.tsx'
import { userQuery } from '../../domain/queries/users.ts'
import type { UserLoad } from '../../domain/loading.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import { KeepEdits } from '../../domain/writing/kept-edits.tsx'
import { isAbout } from './is-about.ts'
import { Consents, SegmentChips } from './KnownFacts.tsx'
import { UserActions } from './UserActions.tsx'
import { Beside, type BesideProps, UserLayout } from './UserLayout.tsx'
import classes from './UserTabs.module.css'

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
  return (
    <>
      <PageHeader
        above={
          <>
            <BackToList />
            <ListSteps userId={userId} />
          </>
        }
        mark={<Avatar id={user.id} name={name} size={32} />}
        title={name ?? <span className="ds-dimmed">{userText.noName}</span>}
        actions={<UserActions user={user} recordsDeletions={hasPage('deletionReceipt')} />}
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
        identity={<IdentityCard user={user} etag={etag} />}
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
    </>
  )
}

/**
 * Tabs of a user's page. Each has its own URL, so that it can be shared, reloaded and returned to. The record, which
 * is reached through the menu, has a tab only while it is open.
 */
function UserTabs({ userId, pathname }: { readonly userId: string; readonly pathname: string }) {
  const tabs = {
    entities: links.user(userId),
    activity: links.userActivity(userId),
    ...(hasPage('userSegments') && { segments: links.userSegments(userId) }),
    ...(pathname === links.userRecord(userId) && { record: pathname }),
  }
  const others = new Set([tabs.activity, tabs.segments, tabs.record])
  return (
    <nav aria-label={userPageText.tabs.label} className={classes.root}>
      <ul className={classes.list}>
        {Object.entries(tabs).map(([name, to]) => {
          // The entities have URLs below the user's own, so every page that is no other tab counts as theirs.
          const isOpen = name === 'entities' ? !others.has(pathname) : to === pathname
          return (
            <li key={name} data-tab={name}>
              <Link
                to={to}
                preventScrollReset
                aria-current={isOpen ? 'page' : undefined}
                className={classes.tab ?? ''}
              >
                {userPageText.tabs[name as keyof typeof tabs]}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
