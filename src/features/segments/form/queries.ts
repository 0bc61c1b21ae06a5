import { queryOptions } from '@tanstack/react-query'

import type { Filter } from '#contract/index.ts'
import { api, fileUnder } from '../../../api/index.ts'

/** Reads the users that an unsaved filter finds, and how long that takes. */
export function previewQuery(body: { readonly filter: Filter; readonly tz: string } | undefined) {
  return queryOptions({
    ...fileUnder('previewSegment', { body }),
    queryFn: async ({ signal }) => {
      const startMs = performance.now()
      const preview = await api.previewSegment({ body: body as NonNullable<typeof body>, signal })
      return { ...preview, tookMs: performance.now() - startMs }
    },
    gcTime: 0,
  })
}
