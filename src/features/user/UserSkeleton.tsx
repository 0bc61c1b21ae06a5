import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonBar, SkeletonRows } from '../../ui/SkeletonRows.tsx'

/** A user's page before its code and data have come: title, identity, tabs, what is open. */
export function UserSkeleton() {
  return (
    <>
      <PageHeader above={<SkeletonBar width="48px" />} title={<SkeletonBar width="200px" />} />
      <SkeletonRows rows={1} height="60px" />
      <SkeletonRows rows={12} />
    </>
  )
}
