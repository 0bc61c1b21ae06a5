import { defineMessages } from '../language/message.ts'

/** Texts of the bulk change, which sets one property for many users. */
export const batchText = defineMessages({
  title: 'Bulk change',
  chosen: '{count, plural, one {# user selected} other {# users selected}}',
  listed: 'All users in the list with these conditions: {conditions}',
  members: 'All users in “{segment}”',
  membersCount: '{count, plural, one {# user now} other {# users now}}',
  nobody: 'No users selected',
  nobodyBody: 'Select users in the list or open a segment, then start a bulk change there.',
  listGone: 'The list of users to change is gone',
  listGoneBody:
    'The list has changed, or this page was reloaded. Nothing was changed. Go back to the list and start the bulk change again.',
  toList: 'Go to the list',
  form: {
    label: 'Bulk change',
    entity: 'Entity type',
    entityInvalid: 'Start with a lower-case letter, then use only a-z, 0-9, _ and -.',
    key: 'Property',
    keyMissing: 'Choose a property.',
    keyTooLong: 'Use at most 128 characters.',
    type: 'Type',
    value: 'Value',
    valueMissing: 'Enter a value, or choose “Clear value”.',
    clear: 'Clear value',
    clearHint: 'Keeps the property, without a value.',
    sensitive: 'Sensitive',
    sensitiveHint: 'Also marks the property as sensitive where it isn’t yet.',
    create: 'Create one for users who have no {entity} entity',
    first: 'If a user has more than one, change the oldest {entity} entity',
    firstHint: 'Otherwise these users are skipped and listed.',
    which: 'Which entity to change',
    check: 'Preview change',
    checkHint: 'Nothing changes yet. You’ll preview every user first.',
  },
  failures: {
    notBegun: 'Couldn’t start the preview',
    lost: {
      title: 'The preview may have been started',
      body: 'The service didn’t answer. Look in Jobs for the preview. You can safely start it again.',
    },
    kept: 'What you chose is still here.',
    keysUnread: 'Couldn’t check whether this property is sensitive. What you chose is still here.',
  },
})
