import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonBar, SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { BesideSpace, UserLayout } from './UserLayout.tsx'

export function UserSkeleton() {
  return (
    <>
      <PageHeader
        above={<BackToList />}
        mark={<SkeletonBar width="32px" height="32px" />}
        title={<SkeletonBar width="200px" />}
      />
      <UserLayout identity={<SkeletonRows rows={6} />} beside={<BesideSpace />}>
        <SkeletonRows rows={12} />
      </UserLayout>
    </>
  )
}
