import { defineMessages } from '../language/message.ts'

/** Texts about what one write changed. */
export const changeText = defineMessages({
  gone: 'The service no longer keeps these changes.',
  failed: 'Couldn’t load what changed',
  label: 'What changed',
  key: 'Changed',
  before: 'Before',
  after: 'After',
  none: 'Only the order changed.',
  wasNot: 'Not set',
  removed: 'Removed',
  /** Stands in for a sensitive value that is hidden, by operation. */
  secret:
    '{op, select, add {Sensitive value added} remove {Sensitive value removed} other {Sensitive value changed}}',
  entityType: 'Entity type',
  type: '{before} → {after}',
  /** Texts for the value of a user's `account`: whether the user has one. */
  account: { some: 'active', none: 'none' },
  becameSensitive: 'now sensitive',
  becamePlain: 'no longer sensitive',
})
