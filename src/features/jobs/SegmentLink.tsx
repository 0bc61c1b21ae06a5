import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { segmentQuery } from '../../domain/queries/segments.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { jobsText } from '../../messages/index.ts'

/** Link to the segment that the users of a job are from. */
export function SegmentLink({ segment }: { readonly segment: string }) {
  // The segment may have been deleted, or be hidden from this caller.
  const { data } = useQuery({ ...segmentQuery(segment), retry: false })
  return (
    <Link to={links.segment(segment)}>
      {data ? jobsText.set.segment({ segment: segmentName(data) }) : jobsText.set.members}
    </Link>
  )
}
