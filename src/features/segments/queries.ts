import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'

import type { Filter, Segment, SegmentWrite } from '#contract/index.ts'
import { api, etagOf, type keyedWrites, offers } from '../../api/index.ts'
import { segmentQuery, segmentsQuery } from '../../domain/queries/segments.ts'

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

/** After an edit: nothing that was read of segments, or of who is in them, is true any more. */
export async function forgetSegments(client: QueryClient): Promise<void> {
  client.removeQueries({ queryKey: ['users', 'list'] })
  await client.invalidateQueries({ queryKey: ['segments'], refetchType: 'none' })
}

export function createSegment(write: ReturnType<typeof keyedWrites>) {
  return mutationOptions({
    mutationFn: (body: SegmentWrite) => write(body, (keyed) => api.createSegment({ body, ...keyed })),
    // A lost answer may hide a success, so the list is read again after a failure too.
    onSettled: (_written, _error, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: segmentsQuery().queryKey }),
  })
}

export function deleteSegment(id: string) {
  return mutationOptions({
    mutationFn: () => api.deleteSegment({ params: { segment_id: id } }),
    // Its own page is still open, and must not read it again; whoever comes back to it does.
    onSuccess: (_nothing, _void, _result, { client }) =>
      client.invalidateQueries({ queryKey: segmentQuery(id).queryKey, refetchType: 'none' }),
    onSettled: (_nothing, _error, _void, _result, { client }) =>
      client.invalidateQueries({ queryKey: segmentsQuery().queryKey }),
  })
}
