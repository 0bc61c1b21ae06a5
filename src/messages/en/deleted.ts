import { defineMessages } from '../language/message.ts'

/** Texts of the list of deleted users, and of the receipt of a deletion. */
export const deletedText = defineMessages({
  lead: 'Every deletion, with its reference and who made it. Only the user’s id is kept, no personal data.',
  columns: {
    user: 'User id',
    deleted: 'Deleted',
    actor: 'Deleted by',
    reference: 'Reference',
    state: 'State',
    receipt: 'Receipt',
  },
  filter: 'Show',
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
  receipt: {
    label: 'The receipt',
    print: 'Print…',
    service: 'Service',
    asOf: 'As of',
    missing: 'No deletion found for this id',
    missingBody: 'The user still exists, or the link is wrong.',
    toList: 'Go to deleted users',
    traces: {
      title: 'Still named elsewhere',
      body: 'These hold the user’s e-mail, name, ref or id. It’s removed from them once the deletion is final.',
      segment: 'Segment “{name}”',
      job: 'Job {id}',
    },
    removed:
      'The user and all their entities and properties were removed from this service at the time of deletion. Events and this record keep only the id.',
    waiting: 'Sensitive data becomes unrecoverable by {minute}. Backups made before then still contain it.',
    operator:
      'Sensitive data becomes unrecoverable once the operator of this service has replaced its master key. Backups made before then still contain it.',
    final: 'Sensitive data has been unrecoverable since {minute}. Backups made before then still contain it.',
    finalUndated: 'Sensitive data is unrecoverable. Backups made before the deletion still contain it.',
  },
})
