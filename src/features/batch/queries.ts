import { mutationOptions, type QueryClient } from '@tanstack/react-query'

import type { BodyInput, Endpoints, Filter } from '#contract/index.ts'
import { api, refresh } from '../../api/index.ts'
import type { Keyed } from '../../api/keyed-writes.ts'
import type { FormState } from './form-state.ts'

/** Creates a job and returns its id; undefined if the response has no readable address. */
export function createBatch() {
  return mutationOptions({
    mutationFn: ({ body, ...keyed }: Keyed & { readonly body: BodyInput<Endpoints['createBatch']> }) =>
      api.createBatch({ body, ...keyed }),
    onSettled: (_written, _error, _body, _result, { client }) => refresh(client, 'listJobs'),
  })
}

export type BatchTarget =
  | { readonly ids: string[] }
  | { readonly segment: string }
  | { readonly filter: Filter }

interface RememberedForm {
  readonly target: BatchTarget
  readonly state: FormState
  readonly reason: string
  /** Undefined if the answer that began the job had no readable address. */
  readonly jobId: string | undefined
}

/** Last form, for returning from its dry run. Its values are personal data, so they stay in this tab's memory. */
export const rememberedForms = new WeakMap<QueryClient, RememberedForm>()
