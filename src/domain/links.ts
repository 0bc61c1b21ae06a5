import { pagePath, pages } from '#contract/pages.ts'

// Links to the pages of `contract/pages.ts`, with the state that their addresses carry. No personal data: ids and offsets only.

function search(values: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`
}

export const links = {
  home: () => pages.home.path,
  users: (state: { readonly segment?: string | undefined; readonly offset?: string | undefined } = {}) =>
    `${pages.users.path}${search(state)}`,
  newUser: () => pages.newUser.path,
  importUsers: () => pages.importUsers.path,
  exportUsers: (state: { readonly segment?: string | undefined } = {}) =>
    `${pages.exportUsers.path}${search(state)}`,
  /** Batch over a segment's members or, by the history's state, over `{ids: string[]}` or an entry of the list. */
  batch: (state: { readonly segment?: string | undefined } = {}) => `${pages.batch.path}${search(state)}`,
  /** Progress and results of a batch. */
  batchJob: (jobId: string) => pagePath('batchJob', { jobId }),
  /** `offset`: of the page, as `GET /erasures` spells it. */
  deletedUsers: (state: { readonly state?: string | undefined; readonly offset?: string | undefined } = {}) =>
    `${pages.deletedUsers.path}${search(state)}`,
  deletionReceipt: (userId: string) => pagePath('deletionReceipt', { userId }),
  user: (userId: string) => pagePath('user', { userId }),
  userActivity: (userId: string) => pagePath('userActivity', { userId }),
  /** `why`: the segment that is explained. */
  userSegments: (userId: string, state: { readonly why?: string | undefined } = {}) =>
    `${pagePath('userSegments', { userId })}${search(state)}`,
  userRecord: (userId: string) => pagePath('userRecord', { userId }),
  subjectAccess: (userId: string) => pagePath('subjectAccess', { userId }),
  entity: (userId: string, entityId: string) => pagePath('entity', { userId, entityId }),
  newEntity: (userId: string) => pagePath('newEntity', { userId }),
  segments: () => pages.segments.path,
  newSegment: (state: { readonly from?: string | undefined } = {}) =>
    `${pages.newSegment.path}${search(state)}`,
  segment: (segmentId: string) => pagePath('segment', { segmentId }),
  editSegment: (segmentId: string) => pagePath('editSegment', { segmentId }),
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
  ) => `${pages.events.path}${search(state)}`,
  event: (eventId: string) => pagePath('event', { eventId }),
  dictionary: () => pages.dictionary.path,
  /** Filters as `GET /audit` spells them. */
  audit: (
    state: Readonly<
      Partial<Record<'actor' | 'user' | 'key' | 'kind' | 'from' | 'to' | 'after', string | undefined>>
    > = {},
  ) => `${pages.audit.path}${search(state)}`,
  webhooks: () => pages.webhooks.path,
  newWebhook: () => pages.newWebhook.path,
  webhook: (subscriptionId: string) => pagePath('webhook', { subscriptionId }),
  editWebhook: (subscriptionId: string) => pagePath('editWebhook', { subscriptionId }),
  /** A span of time, as instants with their zone. */
  recoverWebhook: (
    subscriptionId: string,
    state: { readonly since?: string | undefined; readonly until?: string | undefined } = {},
  ) => `${pagePath('recoverWebhook', { subscriptionId })}${search(state)}`,
}
