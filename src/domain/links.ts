// The addresses of the console, in one place. No personal data: ids, offsets and segment ids only.

function search(values: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`
}

const id = encodeURIComponent

export const links = {
  home: () => '/home',
  users: (state: { readonly segment?: string | undefined; readonly offset?: string | undefined } = {}) =>
    `/users${search(state)}`,
  newUser: () => '/users/new',
  importUsers: () => '/users/import',
  exportUsers: (state: { readonly segment?: string | undefined } = {}) => `/users/export${search(state)}`,
  /** Batch over a segment's members or, by the history's state, over `{ids: string[]}` or an entry of the list. */
  batch: (state: { readonly segment?: string | undefined } = {}) => `/users/batch${search(state)}`,
  /** Progress and results of a batch. */
  batchJob: (jobId: string) => `/users/batch/${id(jobId)}`,
  /** `offset`: of the page, as `GET /erasures` spells it. */
  deletedUsers: (state: { readonly state?: string | undefined; readonly offset?: string | undefined } = {}) =>
    `/users/deleted${search(state)}`,
  deletionReceipt: (userId: string) => `/users/deleted/${id(userId)}`,
  user: (userId: string) => `/users/${id(userId)}`,
  userActivity: (userId: string) => `/users/${id(userId)}/activity`,
  /** `why`: the segment that is explained. */
  userSegments: (userId: string, state: { readonly why?: string | undefined } = {}) =>
    `/users/${id(userId)}/segments${search(state)}`,
  userRecord: (userId: string) => `/users/${id(userId)}/record`,
  subjectAccess: (userId: string) => `/users/${id(userId)}/access`,
  entity: (userId: string, entityId: string) => `/users/${id(userId)}/entities/${id(entityId)}`,
  newEntity: (userId: string) => `/users/${id(userId)}/entities/new`,
  segments: () => '/segments',
  newSegment: (state: { readonly from?: string | undefined } = {}) => `/segments/new${search(state)}`,
  segment: (segmentId: string) => `/segments/${id(segmentId)}`,
  editSegment: (segmentId: string) => `/segments/${id(segmentId)}/edit`,
  /** Filters as `GET /events` spells them; `at`: a moment to open the list at. */
  events: (
    state: Readonly<
      Partial<
        Record<
          'type' | 'delivered' | 'delivery' | 'user' | 'entity' | 'from' | 'to' | 'at',
          string | undefined
        >
      >
    > = {},
  ) => `/events${search(state)}`,
  event: (eventId: string) => `/events/${id(eventId)}`,
  dictionary: () => '/dictionary',
  /** Filters as `GET /audit` spells them. */
  audit: (
    state: Readonly<
      Partial<Record<'actor' | 'user' | 'key' | 'kind' | 'from' | 'to' | 'after', string | undefined>>
    > = {},
  ) => `/audit${search(state)}`,
  webhooks: () => '/webhooks',
  newWebhook: () => '/webhooks/new',
  webhook: (subscriptionId: string) => `/webhooks/${id(subscriptionId)}`,
  editWebhook: (subscriptionId: string) => `/webhooks/${id(subscriptionId)}/edit`,
  /** A span of time, as instants with their zone. */
  recoverWebhook: (
    subscriptionId: string,
    state: { readonly since?: string | undefined; readonly until?: string | undefined } = {},
  ) => `/webhooks/${id(subscriptionId)}/recover${search(state)}`,
}
