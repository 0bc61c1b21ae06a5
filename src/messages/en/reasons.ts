/** Texts about the reason of a change. */
export const reasonText = {
  label: 'Reason',
  optional: 'Reason (optional)',
  hint: 'Kept with the change, for those who may see sensitive values.',
  missing: 'Say why this is changed.',
  tooLong: 'At most 500 characters.',
  quoted: (reason: string) => `“${reason}”`,
  masked: 'With a reason that you may not read.',
  undone: 'Undone right after it was deleted',
}
