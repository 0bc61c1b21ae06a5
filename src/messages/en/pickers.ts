import { defineMessages } from '../language/message.ts'

export const pickerText = defineMessages({
  properties: 'Properties',
  types: 'Entity types',
  /** `name` is the typed text. */
  newProperty: 'New property “{name}”',
  newType: 'New type “{name}”',
  /** "Number, km". */
  typeAndUnit: '{type}, {unit}',
  users: '{users, plural, =1 {1 user} other {# users}}',
  more: '{count, plural, =1 {1 more. Type to narrow.} other {# more. Type to narrow.}}',
  /** Heading above the properties of no group, below those of named groups. */
  otherProperties: 'Other',
})
