import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'

import type { Filter, Segment, SegmentWrite } from '#contract/index.ts'
import { api, etagOf, invalidate, type keyedWrites } from '../../api/index.ts'
import { segmentQuery } from '../../domain/queries/segments.ts'

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
    queryKey: ['getSegment', 'edited', id],
    queryFn: ({ signal }) => readSegment(id, signal),
    staleTime: Infinity,
    gcTime: 0,
  })
}

/** Reads the users that an unsaved filter finds, and how long that takes. */
export function previewQuery(body: { readonly filter: Filter; readonly tz: string } | undefined) {
  return queryOptions({
    queryKey: ['previewSegment', body],
    queryFn: async ({ signal }) => {
      const startMs = performance.now()
      const preview = await api.previewSegment({ body: body as NonNullable<typeof body>, signal })
      return { ...preview, tookMs: performance.now() - startMs }
    },
    gcTime: 0,
  })
}

/** Drops the lists of users, and marks segments, their history and previews as stale: an edit may have changed them. */
export async function forgetSegments(client: QueryClient): Promise<void> {
  client.removeQueries({ queryKey: ['users', 'list'] })
  const names = ['listSegments', 'getSegment', 'listSegmentHistory', 'previewSegment']
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name], refetchType: 'none' })))
}

export function createSegment(write: ReturnType<typeof keyedWrites>) {
  return mutationOptions({
    mutationFn: (body: SegmentWrite) => write(body, (keyed) => api.createSegment({ body, ...keyed })),
    // A lost answer may hide a success, so the list is read again after a failure too.
    onSettled: (_written, _error, _body, _result, { client }) => invalidate(client, 'listSegments'),
  })
}

export function deleteSegment(id: string) {
  return mutationOptions({
    mutationFn: () => api.deleteSegment({ params: { segment_id: id } }),
    // The segment's own page is still open and must not refetch it; the next visit does.
    onSuccess: (_nothing, _void, _result, { client }) =>
      client.invalidateQueries({ queryKey: segmentQuery(id).queryKey, refetchType: 'none' }),
    onSettled: (_nothing, _error, _void, _result, { client }) => invalidate(client, 'listSegments'),
  })
}
