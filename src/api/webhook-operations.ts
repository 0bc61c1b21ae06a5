import { webhookEndpoints } from '#contract/index.ts'

import { operationsOf } from './operation.ts'

/** Like `operations.ts`, in a file of its own: fetched with the first of them that is asked for. */
export const webhookOperations = operationsOf(webhookEndpoints)
