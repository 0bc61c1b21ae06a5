import { mutationOptions, type QueryClient } from '@tanstack/react-query'

import type { SegmentWrite } from '#contract/index.ts'
import { api, type keyedWrites } from '../../api/index.ts'
import { segmentQuery, segmentsQuery } from '../../domain/queries/segments.ts'

// Apart from what is read: the routes of these pages, which the first page has, change nothing.

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
