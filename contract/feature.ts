/**
 * Features beyond the API document, as announced by `/capabilities`, each with its version. A client must check for a
 * feature there before using it, because a base service ignores unknown parameters and returns a different result.
 */
export const features = {
  /** `POST /users/search`. */
  'users.search': 1,
  /** `filter`, `tz`, `sort` and `columns` of `POST /users/search`, and `segment` without a search term. */
  'users.filter': 1,
  /** Tests of a PREFERENCE by its current effect: `granted`, `not_granted`, `expired`, `expires_within`. */
  'filter.consents': 1,
  /** `sensitive` in a test of a property. */
  'filter.sensitive': 1,
  /** `q` of `POST /users/search` also finds property values; `matched` names the property that was found. */
  'users.values': 1,
  /** `POST /users/lookup`. */
  'users.lookup': 1,
  /** `columns` of `POST /users/lookup`. */
  'users.columns': 1,
  /** `ETag` on a user, `If-Match` on its writes. */
  'users.etag': 1,
  /** `ETag` and `If-Match`, as in `users.etag`, on an entity. */
  'entities.etag': 1,
  /** `POST /users/{user_id}/account`. */
  'users.account': 1,
  /** `GET /users/{user_id}/segments`. */
  'users.segments': 1,
  /** `POST /users/{user_id}/explain`. */
  'users.explain': 1,
  /** `offset` on the list of segments and on the segments of a user. */
  'segments.pages': 1,
  /** `PUT /segments/{segment_id}`. */
  'segments.replace': 1,
  /** `POST /segments/preview`. */
  'segments.preview': 1,
  /** `GET /segments/{segment_id}/dependents`. */
  'segments.dependents': 1,
  /** `ETag` on a segment, `If-Match` on its writes. */
  'segments.etag': 1,
  /** `total` and `counted` on segments. */
  'segments.counts': 1,
  /** `GET /segments/history`. */
  'segments.history': 1,
  /** `Property-Warnings` on writes of properties, `warnings` on jobs. */
  'properties.warnings': 1,
  /** `GET /keys`. */
  keys: 1,
  /** `GET /keys/{entity_type}/{key}/values`. */
  'keys.values': 1,
  /** `GET /dictionary`. */
  dictionary: 1,
  /** `/definitions`. */
  definitions: 1,
  /** `?sensitive=masked` on reads of entities. */
  'sensitive.masked': 1,
  /** `POST …/reveal`. */
  'sensitive.reveal': 1,
  /** `POST /users/{user_id}/accesses`, `access` of a reveal and of `GET /changesets/{changeset_id}`. */
  'sensitive.accesses': 1,
  /** `POST /users/{user_id}/check`. */
  'sensitive.check': 1,
  /** Sensitive values are visible only by revealing them; filters may test them only in saved segments. */
  'sensitive.reveal.only': 1,
  /** `Idempotency-Key` on every write of the API document. */
  idempotency: 1,
  /** The query parameters of `GET /events` beyond `offset`. */
  'events.filter': 1,
  /** `actor` as a filter of `GET /events` and of their stream. */
  'events.actor': 1,
  /** `job` and `jobs=one` as filters of `GET /events` and of their stream, `jobs=one` of their counts. */
  'events.jobs': 1,
  /** `with=delivery` on events and their stream, `delivery` as a filter. */
  'events.delivery': 1,
  /** `GET /events/counts`. */
  'events.counts': 1,
  /** `GET /events/stream`. */
  'events.stream': 1,
  /** `/subscriptions`, `GET /events/{event_id}/attempts`, `POST /events/{event_id}/redeliver`. */
  webhooks: 1,
  /** `GET /subscriptions/{subscription_id}/health`, `pausedSince` on a subscription. */
  'webhooks.health': 1,
  /** `request` and `response` of delivery attempts. */
  'webhooks.tries': 1,
  /** `GET /changesets/{changeset_id}`. */
  changesets: 1,
  /** `POST /changesets/lookup`. */
  'changesets.lookup': 1,
  /** `POST /changesets/{changeset_id}/reveal`. */
  'changesets.reveal': 1,
  /** `POST /changesets/{changeset_id}/revert`, `POST /users/{user_id}/entities/{entity_id}/restore`. */
  'changesets.revert': 1,
  /** `Change-Reason` on writes of users and entities, except the deletion of a user; `reason` on a changeset. */
  'changes.reason': 1,
  /** The service refuses a change without a reason, and a deletion of a user without a reference. */
  'changes.reason.required': 1,
  /** `GET /audit`, `GET /audit/actors`. */
  audit: 1,
  /** `actor`, `user`, `key` and `kind` of `GET /audit/actors`. */
  'audit.actors': 1,
  /** `GET /erasures`. */
  erasures: 1,
  /**
   * `state` and `offset` of `GET /erasures`: deletions stay listed after they become final, with the deleting subject
   * and the `Deletion-Reference` of the request.
   */
  'erasures.kept': 1,
  /** `traces` of `GET /erasures`: segments and jobs that still name the user, until they are emptied. */
  'erasures.traces': 1,
  /** `POST /erasures/search`. */
  'erasures.search': 1,
  /** `POST /erasures/check`; the service keeps digests of what identified deleted users. */
  'erasures.check': 1,
  /** `POST /users/batch`, `/jobs`. */
  'users.batch': 1,
  /** `POST /jobs/{job_id}/undo`. */
  'jobs.undo': 1,
  /** `POST /users/delete`. */
  'users.delete': 1,
  /** `POST /exports`, `GET /jobs/{job_id}/file`, `export` and `file` on a job. */
  exports: 1,
  /** `/imports`. */
  imports: 1,
} as const

export type Feature = keyof typeof features

/** Additions that depend on the service's settings, so that a full service may lack them. */
export const setUpFeatures = [
  'changes.reason.required',
  'sensitive.reveal.only',
  'erasures.check',
] as const satisfies Feature[]
const setUp: readonly string[] = setUpFeatures

/**
 * Whether the service has every addition of this release, apart from those that depend on settings. False for a bare
 * or older service.
 */
export function isFullService(offered: Readonly<Record<string, number>>): boolean {
  return Object.entries(features).every(
    ([name, version]) => offered[name] === version || setUp.includes(name),
  )
}
