import { defineMessages } from '../language/message.ts'

/** Texts of a list within a sentence, which may be cut short. */
export const listedText = defineMessages({
  all: '{names} and {last}',
  more: '{names} and {count, number} more',
})
