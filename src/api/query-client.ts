import { type DefaultOptions, QueryClient } from '@tanstack/react-query'

import type { EndpointName, WriteName } from '#contract/index.ts'
import type { ReadName } from './operations.ts'

type Policy = Pick<NonNullable<DefaultOptions['queries']>, 'staleTime' | 'gcTime' | 'refetchInterval'>

/** Delivery status changes without a user's action, so cached data is shown and read again. */
const live: Policy = { staleTime: 0 }

/** Stale and cache times of operations for which the defaults below do not fit. */
const policies: Readonly<Partial<Record<EndpointName, Policy>>> = {
  // A pending deletion becomes final without a user's action.
  listErasures: live,
  searchErasures: live,
  listSubscriptions: live,
  getSubscription: live,
  listRecentAttempts: live,
  getHealth: { ...live, refetchInterval: 30_000 },
  recoverSubscription: { staleTime: 0, gcTime: 0 },
  // Data types do not change while the service runs.
  listDataTypes: { staleTime: Infinity },
  // Asked for by every picker; writes of the console make it stale, and others seldom change it.
  listDefinitions: { staleTime: 60_000 },
  // The audit log always has newer entries.
  listAudit: { staleTime: 0 },
}

const listsOfUsers = ['listUsers', 'searchUsers', 'lookUpUsers'] as const
const ofEntities = [
  'listEntities',
  'getEntity',
  'listUserSegments',
  'listEvents',
  // Lists have columns of properties, and forms suggest from the keys that are there.
  ...listsOfUsers,
  'listKeys',
  'listKeyValues',
  'getDictionary',
  'listDefinitions',
] as const
const ofSegments = ['listSegments', 'listSegmentHistory', 'listUserSegments'] as const
const ofDefinitions = ['listDefinitions', 'getDefinition', 'getTypeDefinition', 'listKeyValues'] as const
const ofSubscriptions = [
  'listSubscriptions',
  'getSubscription',
  'listRecentAttempts',
  'getHealth',
  // Asked for a dry run, which counts missed events.
  'recoverSubscription',
] as const

/**
 * Answers that each write makes stale, if they are about the same user, entity, segment, webhook or job
 * (`outdate` in `cache.ts`). A write that deletes also drops every answer about what it deleted, whatever is listed here.
 */
export const stale: Readonly<Record<WriteName, readonly ReadName[]>> = {
  createUser: listsOfUsers,
  patchUser: ['getUser', 'listUserSegments', 'listEvents', ...listsOfUsers],
  deleteUser: [...listsOfUsers, 'lookUpChangesets', 'listErasures', 'searchErasures'],
  // An invitation is accepted outside the console.
  acceptInvitation: [],
  createEntity: ofEntities,
  replaceEntity: ofEntities,
  patchEntity: ofEntities,
  deleteEntity: ofEntities,
  restoreEntity: ofEntities,
  // A revert is of an entity, or of the fields of a user.
  revertChangeset: [...ofEntities, 'getUser', 'getChangeset', 'lookUpChangesets'],
  // The service records each look at sensitive values.
  revealProperties: ['listEvents'],
  revealChanges: ['listEvents'],
  beginAccess: ['listEvents'],
  checkValue: ['listEvents'],
  checkErasure: ['listEvents'],
  createSegment: ofSegments,
  replaceSegment: [...ofSegments, 'getSegment', 'listUsers', 'searchUsers'],
  deleteSegment: ofSegments,
  putDefinition: ofDefinitions,
  deleteDefinition: ofDefinitions,
  putTypeDefinition: ofDefinitions,
  deleteTypeDefinition: ofDefinitions,
  replaceDefinitions: ofDefinitions,
  createSubscription: ofSubscriptions,
  patchSubscription: ofSubscriptions,
  rotateSecret: ofSubscriptions,
  deleteSubscription: ['listSubscriptions', 'getHealth'],
  recoverSubscription: ['getSubscription'],
  // The page of the webhook asks for the attempts of its test itself.
  testSubscription: [],
  redeliverEvent: ['listDeliveries'],
  createBatch: ['listJobs'],
  createExport: ['listJobs'],
  deleteUsers: ['listJobs'],
  createImport: ['listJobs'],
  mapImport: ['getImport', 'getJob', 'getImportRows', 'listJobs'],
  stopJob: ['listJobs', 'getJob', 'getJobReport'],
  resumeJob: ['listJobs', 'getJob', 'getJobReport'],
  applyJob: ['listJobs', 'getJob', 'getJobReport', 'getImportRows'],
  undoJob: ['listJobs', 'getJob', 'getJobReport', 'getImportRows'],
  checkImport: ['listJobs', 'getJob', 'getImportRows'],
}

/** Answers that the writing page brings up to date itself (`put`), so that they are not read again while on screen. */
export const putByWriter: Readonly<Partial<Record<WriteName, ReadName>>> = {
  createEntity: 'listEntities',
  replaceEntity: 'listEntities',
  patchEntity: 'listEntities',
}

/**
 * Answers that are dropped instead of being shown once more while they are read again, except after a write of an entity:
 * a user may be gone from them.
 */
export const dropped: ReadonlySet<string> = new Set<ReadName>([...listsOfUsers, 'lookUpChangesets'])

/** Answers about anybody that may quote reasons, of which the service deletes those about a deleted user. */
export const quoting: ReadonlySet<string> = new Set(['events', 'getEvent', 'listAudit'])

/** Answers about anybody, which only age makes stale, unless they were asked for one user. */
export const logs: ReadonlySet<string> = new Set<ReadName>(['listEvents'])

/**
 * Creates the cache of answers, in memory only. The transport retries failed reads. An answer stays fresh for half a
 * minute. A list may set `refetchOnWindowFocus: true`; a page that is being read or edited never changes because of a
 * window switch.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      // A write may contain personal data, so it is dropped as soon as nothing observes it.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  })
  for (const [name, policy] of Object.entries(policies)) client.setQueryDefaults([name], policy)
  return client
}
