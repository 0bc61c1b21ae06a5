import type { ErrorCode, RefusalCode } from '#contract/index.ts'
import { defineMessages } from '../language/message.ts'

const outOfStep = 'The service didn’t accept this request. Reload the page and try again.'
const tooLarge = 'This is more than the service accepts at once. Nothing was changed. Try again with less.'

/** Why something failed, on any screen. */
export const failureText = defineMessages({
  /** Why the service refuses a request, by error code. Other codes have a text by status, or the service's own. */
  refused: {
    bad_request: outOfStep,
    host_missing: outOfStep,
    invalid_change_reason: outOfStep,
    invalid_deletion_reference: outOfStep,
    invalid_host: outOfStep,
    invalid_idempotency_key: outOfStep,
    invalid_if_match: outOfStep,
    invalid_json: outOfStep,
    invalid_offset: 'This page of the list is out of date. Start again from the first page.',
    method_not_allowed: outOfStep,
    request_timeout: 'The request took too long to reach the service. Try again in a moment.',
    already_imported: 'This file has already been imported. To import it again, choose the file again.',
    already_undone: 'This job has already been undone.',
    changed_since: 'A colleague changed this first, so nothing was restored.',
    check_not_finished: 'The check isn’t finished yet. Nothing was changed. Try again once it has finished.',
    email_taken: 'Another user has this e-mail address.',
    count_differs:
      'A different number of users was found, so none was deleted. Check the list, then try again.',
    file_gone: 'This file is no longer available. Export again.',
    file_not_ready: 'This file isn’t ready yet. Try again in a moment.',
    entity_exists: 'This entity still exists, so there is nothing to restore.',
    rows_gone: 'The rows of this file are no longer kept. Choose the file again.',
    older_consent:
      'A later consent is stored. Nothing was changed. Reload the page, and save again to replace it.',
    job_not_ended: 'This job is still running. Nothing was changed. Wait until it has ended, or stop it.',
    not_revertible: 'This can’t be restored. Nothing was changed.',
    not_mapped: 'Choose what the columns of this file are first.',
    nothing_applied: 'This job changed nothing, so there is nothing to undo.',
    ref_taken: 'Another user has this ref.',
    subscription_not_enabled: 'This webhook is paused or stopped, so nothing is sent to it. Resume it first.',
    two_matches: 'The e-mail belongs to one user and the ref to another. Nothing was changed.',
    body_too_large: tooLarge,
    too_many_values: tooLarge,
    unsupported_media_type: outOfStep,
    unknown_expectation: outOfStep,
    idempotency_key_reused:
      'This clashes with an earlier request. Nothing was changed. Reload the page and try again.',
    reason_required:
      'This change needs a reason. Nothing was changed. If this page doesn’t ask for one, reload it.',
    too_many_definitions: 'This service can’t have more definitions. Delete one you don’t need.',
    too_many_entities: 'This user can’t have more entities. Delete one first.',
    too_many_subscriptions: 'This service can’t have more webhooks. Delete one you don’t need.',
    too_many_at_once: 'Too many of your jobs are still running. Wait until one finishes, or stop one.',
    headers_too_large: outOfStep,
    internal:
      'Something went wrong on our side. If this happens again, give an administrator the request id.',
  } satisfies Partial<Record<RefusalCode, string>>,
  /** Why a part of a request is invalid, by error code. For other codes, the service's own text is shown. */
  invalid: {
    duplicate_label: 'Another property of this entity type has this label.',
    cycle: 'A segment can’t use itself, directly or through other segments.',
    email_taken: 'Another user has this e-mail address.',
    empty_span: 'Enter an end after the start, or leave the end empty to use the current time.',
    not_for_subscription: 'Events about webhooks themselves aren’t sent to any webhook.',
    ref_taken: 'Another user has this ref.',
    segment_not_found: 'This segment doesn’t exist. Someone may have deleted it.',
    subscription_not_found: 'This webhook doesn’t exist. Someone may have deleted it.',
    unknown_key: 'This property doesn’t exist. Someone may have removed it.',
    unknown_target: 'This user or entity doesn’t exist. Someone may have deleted it.',
    unknown_zone: 'The service doesn’t know this time zone. Choose another one.',
    unstorable_text:
      'The text contains invisible characters that can’t be stored. Type the text again instead of pasting it.',
  } satisfies Partial<Record<ErrorCode, string>>,
  lost: 'The service didn’t answer, so this may or may not have gone through. Check before you try again.',
  fault: 'Something went wrong on this page. What you saved is safe. Try again.',
  unloaded:
    'Part of Data Store couldn’t be loaded: you may be offline, or there is a new version. Reload the page once you’re connected.',
  offline: 'You may be offline, or the service isn’t answering. Try again in a moment.',
  timeout: 'The service took too long to answer. Try again in a moment.',
  unreadable:
    'The service sent a response that this console can’t read. Try again. If this happens again, tell an administrator.',
  /** `denial` is a text of `scopeText`. */
  forbidden: '{denial} An administrator can change that.',
  sensitiveFilter:
    'Here, only a saved segment can filter by sensitive values. Save the filter as a segment, or reveal the value on the user’s page.',
  notAccepted: 'Your sign-in was rejected. Nothing was changed. Send an administrator the request id.',
  missing: 'This was deleted, or the link is wrong.',
  contended: 'Others keep changing this just before you save. Try again in a moment.',
  marked: 'Fix the marked fields.',
  busy: 'The service is busy. Try again in a moment.',
  busyFor: 'The service is busy. Try again in {seconds, plural, one {# second} other {# seconds}}.',
  other: 'Something went wrong on our side. Your data is safe; nothing was changed. Try again in a moment.',
})
