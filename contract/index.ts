import * as z from 'zod'

import { changesetEndpoints } from './changeset.ts'
import { entityAdditions, entityEndpoints } from './entity.ts'
import type { Endpoint } from './endpoint.ts'
import { erasureEndpoints } from './erasure.ts'
import { eventEndpoints } from './event.ts'
import { dataType } from './property-value.ts'
import { segmentAdditions, segmentEndpoints } from './segment.ts'
import { userAdditions, userEndpoints } from './user.ts'
import { webhookEndpoints } from './webhook.ts'

export * from './changeset.ts'
export * from './code.ts'
export * from './common.ts'
export * from './endpoint.ts'
export * from './entity.ts'
export * from './erasure.ts'
export * from './event.ts'
export * from './feature.ts'
export * from './permissions.ts'
export * from './property-value.ts'
export * from './segment.ts'
export * from './user.ts'
export * from './webhook.ts'

/** What the service offers beyond the API document; any failure to read it means: nothing. */
export const capabilities = z.looseObject({
  api: z.string(),
  features: z.record(z.string(), z.number()).catch({}),
})

/** The operations of the API document, in its order, then the additions. */
export const endpoints = {
  ...userEndpoints,
  ...entityEndpoints,
  ...segmentEndpoints,
  listDataTypes: {
    method: 'GET',
    path: '/datatypes',
    tag: 'Data types',
    summary: 'The data types that a property may have.',
    needs: 'public',
    reply: z.array(z.string()),
    status: [200],
  },
  ...eventEndpoints,
  getCapabilities: {
    method: 'GET',
    path: '/capabilities',
    tag: 'Service',
    summary: 'What this service offers beyond the base document.',
    needs: 'public',
    reply: capabilities,
    status: [200],
  },
  ...userAdditions,
  ...entityAdditions,
  ...segmentAdditions,
  ...changesetEndpoints,
  ...webhookEndpoints,
  ...erasureEndpoints,
} as const satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints

export const dataTypes = dataType.options
