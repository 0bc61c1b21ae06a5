import { useLocation, useMatches, useParams } from 'react-router'

import type { PageHandle } from '../domain/page-route.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { SkeletonBar, SkeletonRows, SkeletonTitle } from '../ui/skeletons/SkeletonRows.tsx'

/** Replaces a page while its code and data load; a route may have its own skeleton. */
export function PageSkeleton() {
  const { pathname } = useLocation()
  const params = useParams()
  const { title } = (useMatches().at(-1)?.handle ?? {}) as PageHandle
  // A page about one thing has that thing's name as its title.
  const isNamed = Object.keys(params).length === 0
  const isBelow = pathname.lastIndexOf('/') > 0
  return (
    <>
      <PageHeader
        {...(isBelow && { above: <SkeletonBar width="64px" /> })}
        title={isNamed && title !== undefined ? title : <SkeletonTitle width="160px" />}
      />
      <SkeletonRows rows={20} />
    </>
  )
}
