import type { QueryClient } from '@tanstack/react-query'
import type { Location } from 'react-router'

import type { Filter } from '#contract/index.ts'
import type { FormState } from './form-state.ts'

export type BatchTarget =
  | { readonly ids: string[] }
  | { readonly segment: string }
  | { readonly filter: Filter }

interface RememberedForm {
  readonly target: BatchTarget
  readonly state: FormState
  readonly reason: string
  /** Location of the form: its URL, and the history state with the users of the batch. */
  readonly place: Location
  readonly jobId: string | undefined
}

/**
 * The last form, for returning from its dry run. Its values are personal data, so it is kept only in this tab's
 * memory.
 */
export const rememberedForms = new WeakMap<QueryClient, RememberedForm>()
