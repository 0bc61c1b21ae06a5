/** Texts of the sheet of keys. */
export const keysText = {
  title: 'Keyboard shortcuts',
  /** @param control Ctrl, or what stands for it on this machine. */
  keys: (control: string) => [
    { keys: [`${control} K`], does: 'Find anything' },
    { keys: ['/'], does: 'Search this list' },
    { keys: ['g', 'h'], does: 'Go to Home' },
    { keys: ['g', 'u'], does: 'Go to Users' },
    { keys: ['g', 's'], does: 'Go to Segments' },
    { keys: ['g', 'e'], does: 'Go to Events' },
    { keys: ['g', 'w'], does: 'Go to Webhooks' },
    { keys: ['g', 'd'], does: 'Go to Dictionary' },
    { keys: ['g', 'a'], does: 'Go to Audit' },
    { keys: ['['], does: 'Previous user in the list' },
    { keys: [']'], does: 'Next user in the list' },
    { keys: ['e'], does: 'Go to the first property, or edit the selected one' },
    { keys: ['a'], does: 'Add a property to the selected entity, or the first' },
    { keys: ['↑', '↓'], does: 'Move between properties' },
    {
      keys: ['Shift ↓', 'Shift PgDn', `${control} A`],
      does: 'Select the next user, the next ten, or the whole page',
    },
    { keys: [`${control} Enter`, `${control} S`], does: 'Review changes, or save them in the review' },
    { keys: ['?'], does: 'Show these shortcuts' },
  ],
  single: 'Single-key shortcuts',
  singleHint: 'When off, only Ctrl/⌘ shortcuts work.',
}
