import { defineMessages } from '../language/message.ts'

/** Texts of the sheet of keys. */
export const keysText = defineMessages({
  tab: 'Tab',
  effects: {
    find: 'Find anything',
    findOrEdit: 'Find anything, or a value to edit',
    search: 'Search this list',
    filter: 'Filter the users',
    home: 'Go to Home',
    users: 'Go to Users',
    segments: 'Go to Segments',
    events: 'Go to Events',
    webhooks: 'Go to Webhooks',
    dictionary: 'Go to Dictionary',
    jobs: 'Go to Jobs',
    audit: 'Go to Audit log',
    previousUser: 'Previous user in the list',
    nextUser: 'Next user in the list',
    edit: 'Go to the first property, or edit the selected one',
    add: 'Add a property to the selected entity, or to the first one',
    move: 'Move between properties',
    select: 'Select the next user, the next ten, or the whole page',
    save: 'Save an open value, or review the changes of a whole entity',
    saveValue: 'Save an open value',
    saveAndGoOn: 'Save an open value and open the next one',
    undo: 'Undo the last saved value',
    shortcuts: 'Show these shortcuts',
  },
  single: 'Single-key shortcuts',
  singleHint: 'When off, only Ctrl/⌘ shortcuts work.',
})
