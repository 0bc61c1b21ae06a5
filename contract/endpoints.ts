import { auditEndpoints } from './audit.ts'
import { capabilityEndpoints } from './capabilities.ts'
import { changesetEndpoints } from './changeset.ts'
import { definitionEndpoints } from './definition.ts'
import { dictionaryEndpoints } from './dictionary.ts'
import type { Endpoint } from './endpoint.ts'
import { entityAdditions, entityEndpoints } from './entity.ts'
import { erasureEndpoints } from './erasure.ts'
import { eventAdditions, eventEndpoints } from './event.ts'
import { exportEndpoints } from './export.ts'
import { importRowEndpoints } from './import-rows.ts'
import { importEndpoints } from './import.ts'
import { jobEndpoints } from './job.ts'
import { dataTypeEndpoints } from './property-value.ts'
import { segmentAdditions, segmentEndpoints } from './segment.ts'
import { userSearchEndpoints } from './user-search.ts'
import { userAdditions, userEndpoints } from './user.ts'
import { webhookEndpoints } from './webhook.ts'

/** The operations of the API document, in its order, then the additions. */
export const endpoints = {
  ...userEndpoints,
  ...entityEndpoints,
  ...segmentEndpoints,
  ...dataTypeEndpoints,
  ...eventEndpoints,
  ...capabilityEndpoints,
  ...userSearchEndpoints,
  ...userAdditions,
  ...entityAdditions,
  ...dictionaryEndpoints,
  ...definitionEndpoints,
  ...segmentAdditions,
  ...eventAdditions,
  ...changesetEndpoints,
  ...webhookEndpoints,
  ...auditEndpoints,
  ...erasureEndpoints,
  ...jobEndpoints,
  ...exportEndpoints,
  ...importEndpoints,
  ...importRowEndpoints,
} as const satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
/** Operations that change what the service stores or records. */
export type WriteName = {
  [Name in EndpointName]: Endpoints[Name] extends { method: 'GET' } | { safe: true } ? never : Name
}[EndpointName]
