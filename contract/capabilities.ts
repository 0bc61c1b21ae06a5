import * as z from 'zod'

import type { Endpoint } from './endpoint.ts'

/**
 * Features that the service offers beyond the API document. A client that cannot read them assumes that there are
 * none.
 */
export const capabilities = z.looseObject({
  api: z.string(),
  /** Version of the software, such as `0.3.0`. */
  release: z.string().optional(),
  features: z.record(z.string(), z.number()).catch({}),
})

export const capabilityEndpoints = {
  getCapabilities: {
    method: 'GET',
    path: '/capabilities',
    tag: 'Service',
    summary: 'What this service offers beyond the base document.',
    needs: 'public',
    reply: capabilities,
    status: [200],
  },
} as const satisfies Record<string, Endpoint>
