import { defineMessages } from '../language/message.ts'

/** Texts about the reason for a change. */
export const reasonText = defineMessages({
  label: 'Reason',
  optional: 'Reason (optional)',
  hint: 'Stored with the change, for colleagues who can see sensitive values.',
  toOpen:
    'This change makes a hidden value readable for everyone who can see users. It’s logged with your name and this reason.',
  missing: 'Enter a reason.',
  tooLong: 'Use at most 500 characters.',
  quoted: '“{reason}”',
  masked: 'Your role can’t see the reason.',
  undone: 'Undid the deletion',
  undoneChange: 'Undid a change',
})
