import { offersPage, type PageName, pagePath, pages } from '#contract/page-paths.ts'
import { queryString } from '../api/connection.ts'
import { isFull } from '../api/index.ts'

// Links to the pages of `contract/page-paths.ts`. Their URLs contain ids, offsets and filters, never a user's data.

/** Whether the service has the page, so that a link may lead there. */
export function hasPage(name: PageName): boolean {
  return offersPage(name, isFull())
}

/** Values of a query string; those that are undefined or empty are left out. */
type Search<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>

export const links = {
  home: () => pages.home.path,
  users: (state: Search<'segment' | 'offset'> = {}) => `${pages.users.path}${queryString(state)}`,
  newUser: () => pages.newUser.path,
  importUsers: () => pages.importUsers.path,
  importJob: (jobId: string) => pagePath('importJob', { jobId }),
  exportUsers: (state: Search<'segment'> = {}) => `${pages.exportUsers.path}${queryString(state)}`,
  /** Batch for a segment's members, or for the `{ids: string[]}` or list entry in the history state. */
  batch: (state: Search<'segment'> = {}) => `${pages.batch.path}${queryString(state)}`,
  /** Filters in the format of `POST /erasures/search`, without the text, which somebody typed. */
  deletedUsers: ({ state, from, to, offset }: Search<'state' | 'from' | 'to' | 'offset'> = {}) =>
    `${pages.deletedUsers.path}${queryString({ state, from, to, offset })}`,
  deletionReceipt: (userId: string) => pagePath('deletionReceipt', { userId }),
  user: (userId: string) => pagePath('user', { userId }),
  userActivity: (userId: string) => pagePath('userActivity', { userId }),
  /** `why`: id of the segment to explain. */
  userSegments: (userId: string, state: Search<'why'> = {}) =>
    `${pagePath('userSegments', { userId })}${queryString(state)}`,
  userRecord: (userId: string) => pagePath('userRecord', { userId }),
  subjectAccess: (userId: string) => pagePath('subjectAccess', { userId }),
  entity: (userId: string, entityId: string) => pagePath('entity', { userId, entityId }),
  newEntity: (userId: string) => pagePath('newEntity', { userId }),
  segments: () => pages.segments.path,
  newSegment: (state: Search<'from'> = {}) => `${pages.newSegment.path}${queryString(state)}`,
  segment: (segmentId: string) => pagePath('segment', { segmentId }),
  editSegment: (segmentId: string) => pagePath('editSegment', { segmentId }),
  /** Filters in the format of `GET /events`. `at`: moment at which to open the list. */
  events: (
    state: Search<
      'type' | 'delivered' | 'delivery' | 'user' | 'entity' | 'actor' | 'job' | 'jobs' | 'from' | 'to' | 'at'
    > = {},
  ) => `${pages.events.path}${queryString(state)}`,
  event: (eventId: string) => pagePath('event', { eventId }),
  jobs: () => pages.jobs.path,
  job: (jobId: string) => pagePath('job', { jobId }),
  dictionary: () => pages.dictionary.path,
  /** Filters in the format of `GET /audit`. */
  audit: (state: Search<'actor' | 'user' | 'key' | 'kind' | 'from' | 'to' | 'after'> = {}) =>
    `${pages.audit.path}${queryString(state)}`,
  webhooks: () => pages.webhooks.path,
  newWebhook: () => pages.newWebhook.path,
  webhook: (subscriptionId: string) => pagePath('webhook', { subscriptionId }),
  editWebhook: (subscriptionId: string) => pagePath('editWebhook', { subscriptionId }),
  /** Time span, as instants with a zone. */
  recoverWebhook: (subscriptionId: string, state: Search<'since' | 'until'> = {}) =>
    `${pagePath('recoverWebhook', { subscriptionId })}${queryString(state)}`,
}
