import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'

import { type SkeletonProps, useComingPage } from '../../domain/next-page/next-page.ts'
import { nameOf } from '../../domain/people/user-fields.ts'
import type { UserWithoutInvitation } from '../../domain/queries/users.ts'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { knownUser } from '../../domain/user-list/known-user.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonBar, SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { BesideSpace, FactBars, UserLayout } from './UserLayout.tsx'
import type { KnownUserPageProps } from './UserPage.tsx'

// With the page's own code, which is on its way too. That it cannot be had is for the page to say.
const KnownUserPage = lazy<ComponentType<KnownUserPageProps>>(() =>
  import('./UserPage.tsx').then(
    (page) => ({ default: page.KnownUserPage }),
    () => ({ default: Bars }),
  ),
)

/** A user's page before its code and data have come: what a list has told of them, or title, identity and what is open. */
export function UserSkeleton({ next }: SkeletonProps) {
  const client = useQueryClient()
  const { params, pathname } = useComingPage(next)
  const user = knownUser(client, params['userId'] ?? '')
  const Below = next?.InnerSkeleton
  if (!user) return <Bars />
  return (
    <Suspense fallback={<Bars user={user} />}>
      <KnownUserPage user={user} pathname={pathname} below={Below && <Below />} />
    </Suspense>
  )
}

function Bars({ user }: { readonly user?: UserWithoutInvitation }) {
  const name = user && nameOf(user)
  return (
    <>
      <PageHeader
        above={<BackToList />}
        mark={
          user ? <Avatar id={user.id} name={name} size={32} /> : <SkeletonBar width="32px" height="32px" />
        }
        title={name ?? <SkeletonBar width="200px" />}
      />
      <UserLayout identity={<FactBars />} beside={<BesideSpace />}>
        <SkeletonRows rows={12} />
      </UserLayout>
    </>
  )
}
