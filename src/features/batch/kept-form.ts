import type { QueryClient } from '@tanstack/react-query'
import type { Location } from 'react-router'

import type { Filter } from '#contract/index.ts'
import type { FormState } from './form-state.ts'

/** Whom a batch is for. */
export type Whom = { readonly ids: string[] } | { readonly segment: string } | { readonly filter: Filter }

interface KeptForm {
  readonly whom: Whom
  readonly state: FormState
  readonly reason: string
  /** Where it stands: its address, and what the history holds with it of whom it is for. */
  readonly place: Location
  /** The check that was begun with it. */
  readonly jobId: string | undefined
}

/** Values are personal data: the last form stays in the memory of this tab, for the way back from its check. */
const kept = new WeakMap<QueryClient, KeptForm>()

export function keepForm(client: QueryClient, form: KeptForm): void {
  kept.set(client, form)
}

export const keptForm = (client: QueryClient) => kept.get(client)

/** What was chosen has been done. */
export function forgetForm(client: QueryClient): void {
  kept.delete(client)
}
