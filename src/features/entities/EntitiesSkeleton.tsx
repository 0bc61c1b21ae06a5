import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'

/** Placeholder shown while the code and data of the entities load. */
export function EntitiesSkeleton() {
  return <SkeletonRows rows={8} />
}
