import { PageHeader } from '../ui/PageHeader.tsx'
import { SkeletonBar, SkeletonRows } from '../ui/SkeletonRows.tsx'

/** In the place of the first page while its code and data are on their way; a route may have one of its own. */
export function PageSkeleton() {
  return (
    <>
      <PageHeader title={<SkeletonBar width="120px" />} />
      <SkeletonRows rows={20} />
    </>
  )
}
