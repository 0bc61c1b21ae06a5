import type { QueryClient } from '@tanstack/react-query'
import type { Location } from 'react-router'

import type { Filter } from '#contract/index.ts'
import type { FormState } from './form-state.ts'

/** Users that a batch covers. */
export type BatchTarget =
  | { readonly ids: string[] }
  | { readonly segment: string }
  | { readonly filter: Filter }

interface RememberedForm {
  readonly target: BatchTarget
  readonly state: FormState
  readonly reason: string
  /** Location of the form: its address, and the history state that says which users the batch is for. */
  readonly place: Location
  /** The dry run that was started with the form. */
  readonly jobId: string | undefined
}

/** Values are personal data, so the last form is kept in this tab's memory only, for returning from its dry run. */
const rememberedForms = new WeakMap<QueryClient, RememberedForm>()

export function rememberForm(client: QueryClient, form: RememberedForm): void {
  rememberedForms.set(client, form)
}

export const recallForm = (client: QueryClient) => rememberedForms.get(client)

/** Drops the form once its batch has run. */
export function forgetForm(client: QueryClient): void {
  rememberedForms.delete(client)
}
