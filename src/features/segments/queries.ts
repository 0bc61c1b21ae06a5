import { mutationOptions, queryOptions } from '@tanstack/react-query'

import type { Segment, SegmentWrite } from '#contract/index.ts'
import { api, etagOf, fileUnder, type keyedWrites, refresh } from '../../api/index.ts'

export interface SegmentReading {
  readonly segment: Segment
  readonly etag: string | undefined
}

export async function readSegment(id: string, signal?: AbortSignal): Promise<SegmentReading> {
  const segment = await api.getSegment({ params: { segment_id: id }, ...(signal && { signal }) })
  return { segment, etag: etagOf(segment) }
}

/** Reads a segment to edit, with its ETag. Reads again for each edit, but not while one is in progress. */
export function editedSegmentQuery(id: string) {
  return queryOptions({
    ...fileUnder('getSegment', { params: { segment_id: id }, as: 'edited' }),
    queryFn: ({ signal }) => readSegment(id, signal),
    staleTime: 'static',
    gcTime: 0,
  })
}

export function createSegment(write: ReturnType<typeof keyedWrites>) {
  return mutationOptions({
    mutationFn: (body: SegmentWrite) => write(body, (keyed) => api.createSegment({ body, ...keyed })),
    onSettled: (_written, _error, _body, _result, { client }) => refresh(client, 'listSegments'),
  })
}

export function deleteSegment(id: string) {
  return mutationOptions({
    mutationFn: () => api.deleteSegment({ params: { segment_id: id } }),
    onSettled: (_nothing, _error, _void, _result, { client }) => refresh(client, 'listSegments'),
  })
}
