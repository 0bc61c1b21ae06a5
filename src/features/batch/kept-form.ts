import type { QueryClient } from '@tanstack/react-query'
import type { Location } from 'react-router'

import type { Filter } from '#contract/index.ts'
import type { FormState } from './form-state.ts'

/** Users that a batch covers. */
export type Whom = { readonly ids: string[] } | { readonly segment: string } | { readonly filter: Filter }

interface KeptForm {
  readonly whom: Whom
  readonly state: FormState
  readonly reason: string
  /** Location of the form: its address, and the history state that says whom the batch is for. */
  readonly place: Location
  /** The check that was begun with it. */
  readonly jobId: string | undefined
}

/** Values are personal data, so the last form is kept in this tab's memory only, for returning from its dry run. */
const kept = new WeakMap<QueryClient, KeptForm>()

export function keepForm(client: QueryClient, form: KeptForm): void {
  kept.set(client, form)
}

export const keptForm = (client: QueryClient) => kept.get(client)

/** Drops the form once its batch has run. */
export function forgetForm(client: QueryClient): void {
  kept.delete(client)
}
