import { queryOptions } from '@tanstack/react-query'

import type { Filter, Segment } from '#contract/index.ts'
import { api, etagOf, offers } from '../../api/index.ts'

/** A segment as it was read, with the tag that the service gave it then. */
export interface Reading {
  readonly segment: Segment
  readonly etag: string | undefined
}

export async function readSegment(id: string, signal?: AbortSignal): Promise<Reading> {
  const segment = await api.getSegment({ params: { segment_id: id }, ...(signal && { signal }) })
  return { segment, etag: offers('segments.etag') ? etagOf(segment) : undefined }
}

/** One to be edited, with its tag: read anew for each edit, and not again underneath it. */
export function editedSegmentQuery(id: string) {
  return queryOptions({
    queryKey: ['segments', 'edited', id],
    queryFn: ({ signal }) => readSegment(id, signal),
    staleTime: Infinity,
    gcTime: 0,
  })
}

/** Who a filter finds before it is saved, and how long that took. `request` names it. */
export function previewQuery(
  request: string,
  body: { readonly filter: Filter; readonly tz: string } | undefined,
) {
  return queryOptions({
    queryKey: ['segments', 'preview', request],
    queryFn: async ({ signal }) => {
      const startMs = performance.now()
      const preview = await api.previewSegment({ body: body as NonNullable<typeof body>, signal })
      return { ...preview, tookMs: performance.now() - startMs }
    },
    gcTime: 0,
  })
}
