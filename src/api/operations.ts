import { endpoints, problem, webhookEndpoints } from '#contract/index.ts'

import { operationsOf, plain } from './operation.ts'

const first = Object.fromEntries(
  Object.entries(endpoints).filter(([name]) => !(name in webhookEndpoints)),
) as unknown as Omit<typeof endpoints, keyof typeof webhookEndpoints>

/**
 * The contract's operations as plain data, but those of `webhook-operations.ts`, which few pages need. The build puts
 * the values in the place of this module (vite.config.ts), so that the first page needs neither the schema library nor
 * the schemas of what it does not write: 25 kB (gzip).
 */
export const operations = operationsOf(first)

export const problemReply = plain(problem)
