import { mutationOptions } from '@tanstack/react-query'

import { api, refresh } from '../../api/index.ts'
import type { Keyed } from '../../api/keyed-writes.ts'
import type { ExportBody } from './export-choices.ts'

/** Begins an export and returns the id of its job; undefined if the response has no readable address. */
export function createExport() {
  return mutationOptions({
    mutationFn: ({ body, ...keyed }: Keyed & { readonly body: ExportBody }) =>
      api.createExport({ body, ...keyed }),
    onSettled: (_written, _error, _body, _result, { client }) => refresh(client, 'listJobs'),
  })
}
