import { defineMessages } from '../message.ts'

/** Texts of a list that is cut short within a sentence. */
export const listedText = defineMessages({
  more: '{names} and {count, number} more',
})
