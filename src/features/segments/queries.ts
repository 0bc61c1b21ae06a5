import { mutationOptions, queryOptions } from '@tanstack/react-query'

import type { SegmentWrite } from '#contract/index.ts'
import { api, type keyedWrites } from '../../api/index.ts'

/** All segments, oldest first, as the service answers them. */
export function segmentsQuery() {
  return queryOptions({
    queryKey: ['segments', 'list'],
    queryFn: ({ signal }) => api.listSegments({ signal }),
  })
}

export function segmentQuery(id: string) {
  return queryOptions({
    queryKey: ['segments', 'one', id],
    queryFn: ({ signal }) => api.getSegment({ params: { segment_id: id }, signal }),
  })
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
