import { defineMessages } from '../language/message.ts'

/** Texts of the list of deleted users, and of the receipt of a deletion. */
export const deletedText = defineMessages({
  lead: 'Every deletion, with its reference and who made it. Users are listed by id only.',
  columns: {
    user: 'User id',
    deleted: 'Deleted',
    actor: 'Deleted by',
    reference: 'Reference',
    state: 'State',
    receipt: 'Receipt',
  },
  filter: 'Show',
  filters: {
    q: 'Reference, deleted by, or id',
    email: 'E-mails aren’t kept here. Use “Check e-mail or ref” instead.',
    apply: 'Show deletions',
    isQ: 'Matches “{text}”',
  },
  states: { all: 'All', waiting: 'Not final yet', final: 'Final' },
  stateHint: 'Final: the sensitive data is unrecoverable.',
  final: 'Final',
  finalSince: 'Final {time}',
  finalBy: 'Final by {time}',
  operator: 'Waiting for a new master key',
  receiptOf: 'Receipt for {id}',
  unknown: 'Not recorded',
  noReference: 'None',
  empty: { title: 'No deleted users', body: 'Deleted users stay listed here by their id.' },
  noneWaiting: {
    title: 'All deletions are final',
    body: 'The sensitive data of every deleted user is unrecoverable.',
  },
  noneFinal: { title: 'No final deletions yet', body: 'See “Not final yet” for the others.' },
  noMatch: {
    title: 'No matching deletions',
    body: 'The search covers references, who deleted the user, and the start of ids.',
    clear: 'Clear filters',
  },
  /** Whether somebody was deleted, by e-mail or ref. */
  check: {
    button: 'Check e-mail or ref…',
    title: 'Was this user deleted?',
    body: 'We compare what you enter with a fingerprint kept of each deleted user. The check is logged with your name, but not what you enter.',
    by: 'Check by',
    email: 'E-mail',
    ref: 'Ref',
    said: { email: 'E-mail of the user', ref: 'Ref of the user' },
    badEmail: 'Enter an e-mail address, such as ana@example.org.',
    badRef: 'Enter a ref.',
    action: 'Check',
    yes: '{count, plural, one {Yes, deleted} other {Yes, deleted # times}}',
    withoutReference: 'No reference',
    no: 'No deletion found',
    noBody: 'No deleted user had this e-mail or ref at the time of deletion.',
    unknown: 'Deletions up to {time} may not be found.',
    failed: 'Not checked',
    failure: {
      lost: { body: 'The service didn’t answer. You can check again, which counts as another check.' },
      codes: {
        digests_not_kept:
          'This service no longer keeps what deleted users can be recognised by. Search the list by reference or id instead.',
      },
    },
    busy: 'Too many checks in a short time. Try again later.',
    busyFor:
      '{minutes, plural, one {Too many checks in a short time. Try again in # minute.} other {Too many checks in a short time. Try again in # minutes.}}',
  },
  export: {
    title: 'Export deleted users',
    all: 'All deletions in the list, newest first.',
    filtered: 'All deletions that match the filters, newest first.',
    holds:
      'The file contains the users’ ids, times, references and who deleted them. It contains no personal data of deleted users.',
    running: 'Exporting deleted users',
    rows: '{count, plural, one {# deletion} other {# deletions}}',
    /** `time`: time of the oldest deletion so far. */
    rowsBackTo: '{count, plural, one {# deletion, back to {time}} other {# deletions, back to {time}}}',
    done: '{count, plural, one {# deletion in {file}.} other {# deletions in {file}.}}',
  },
  receipt: {
    label: 'The receipt',
    print: 'Print…',
    events: 'Events of this user',
    service: 'Service',
    asOf: 'As of',
    missing: 'No deletion found for this id',
    missingBody: 'The user still exists, or the link is wrong.',
    toList: 'Go to deleted users',
    traces: {
      title: 'Still named elsewhere',
      body: 'These still hold the user’s e-mail, name, ref or id. They lose it when the deletion is final.',
      segment: 'Segment “{name}”',
      job: 'Job {id}',
    },
    removed:
      'The user and all their entities and properties were removed from this service at the time of deletion. Events and this record keep only the id.',
    removedButDigests:
      'The user and all their entities and properties were removed from this service at the time of deletion. Events and this record keep only the id, and a fingerprint of the e-mail and ref, so that the deletion can be confirmed on request.',
    waiting: 'Sensitive data becomes unrecoverable by {minute}. Backups made before then still contain it.',
    operator:
      'Sensitive data becomes unrecoverable once the operator of this service has replaced its master key. Backups made before then still contain it.',
    final: 'Sensitive data has been unrecoverable since {minute}. Backups made before then still contain it.',
    finalUndated: 'Sensitive data is unrecoverable. Backups made before the deletion still contain it.',
  },
})
