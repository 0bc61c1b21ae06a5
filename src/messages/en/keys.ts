/** Texts of the sheet of keys. */
export const keysText = {
  title: 'Keyboard shortcuts',
  /** @param control Ctrl, or what stands for it on this machine. */
  keys: (control: string) => [
    { keys: [`${control} K`], does: 'Find anything' },
    { keys: ['/'], does: 'Find in this list' },
    { keys: ['g', 'h'], does: 'Go to the home page' },
    { keys: ['g', 'u'], does: 'Go to the users' },
    { keys: ['g', 's'], does: 'Go to the segments' },
    { keys: ['g', 'e'], does: 'Go to the events' },
    { keys: ['g', 'w'], does: 'Go to the webhooks' },
    { keys: ['g', 'd'], does: 'Go to the dictionary' },
    { keys: ['g', 'a'], does: 'Go to the audit' },
    { keys: ['['], does: 'The previous user of the list' },
    { keys: [']'], does: 'The next user of the list' },
    { keys: ['e'], does: 'Go to the first property; there, edit it' },
    { keys: ['a'], does: 'Add a property to this entity, or the first' },
    { keys: ['↑', '↓'], does: 'From property to property' },
    {
      keys: ['Shift ↓', 'Shift PgDn', `${control} A`],
      does: 'Select users of the list: on the way, ten, the page',
    },
    { keys: [`${control} Enter`, `${control} S`], does: 'Review the changes; there, save them' },
    { keys: ['?'], does: 'Show these shortcuts' },
  ],
  single: 'Single keys act on the page',
  singleHint: 'Off, only shortcuts with Ctrl or ⌘ do something. The account menu opens this sheet.',
}
