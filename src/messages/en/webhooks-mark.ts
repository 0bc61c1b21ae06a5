import { defineMessages } from '../language/message.ts'

/** Mark in the navigation: how many webhooks fail or were stopped. */
export const webhooksMarkText = defineMessages({
  needAttention: '{count, plural, one {# needs attention} other {# need attention}}',
})
