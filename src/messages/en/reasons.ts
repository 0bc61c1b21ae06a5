import { defineMessages } from '../language/message.ts'

/** Texts about the reason for a change. */
export const reasonText = defineMessages({
  label: 'Reason',
  optional: 'Reason (optional)',
  hint: 'Saved with the change. Only colleagues who can see sensitive values can read it.',
  toOpen:
    'This change makes a hidden value readable for everyone who can see users. It’s logged with your name and this reason.',
  missing: 'Enter a reason.',
  tooLong: 'Use at most 500 characters.',
  quoted: '“{reason}”',
  masked: 'Your role can’t see the reason.',
  undone: 'Undid the deletion',
  undoneChange: 'Undid a change',
})
