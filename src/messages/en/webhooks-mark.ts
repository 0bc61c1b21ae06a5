import { defineMessages } from '../message.ts'

/** Mark beside the area of webhooks: how many fail or were stopped. */
export const webhooksMarkText = defineMessages({
  needAttention: '{count, plural, one {# needs attention} other {# need attention}}',
})
