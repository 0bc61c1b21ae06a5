import { queryOptions } from '@tanstack/react-query'

import type { Filter } from '#contract/index.ts'
import { api } from '../../api/index.ts'

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
