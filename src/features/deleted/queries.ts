import { mutationOptions } from '@tanstack/react-query'

import type { BodyInput, Endpoints } from '#contract/index.ts'
import { api } from '../../api/index.ts'

/** Asks whether a user was deleted. The service records the question. */
export const checkErasure = mutationOptions({
  mutationFn: (body: BodyInput<Endpoints['checkErasure']>) => api.checkErasure({ body }),
  // A question is personal data, and not kept once the dialog is closed.
  gcTime: 0,
})
