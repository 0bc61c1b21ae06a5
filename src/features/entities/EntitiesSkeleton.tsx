import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'

/** The entities before their code and data have come. */
export function EntitiesSkeleton() {
  return <SkeletonRows rows={8} />
}
