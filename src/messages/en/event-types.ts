import type { EventType } from '#contract/index.ts'

const types: Record<EventType, string> = {
  USER_CREATED: 'User created',
  USER_UPDATED: 'User changed',
  USER_DELETED: 'User deleted',
  DIRECT_DATA_CHANGE: 'Data changed',
  SEGMENT_CREATED: 'Segment created',
  SEGMENT_UPDATED: 'Segment changed',
  SEGMENT_DELETED: 'Segment deleted',
  SENSITIVE_DATA_ACCESSED: 'Sensitive values read',
  SUBSCRIPTION_CREATED: 'Webhook created',
  SUBSCRIPTION_UPDATED: 'Webhook changed',
  SUBSCRIPTION_DELETED: 'Webhook deleted',
  SUBSCRIPTION_SECRET_ROTATED: 'Webhook secret rotated',
  WEBHOOK_TEST: 'Webhook tested',
}

/** The name of an event type; those of another service have none and are shown as they come. */
export const eventType = (code: string): string | undefined =>
  (types as Readonly<Record<string, string>>)[code]
