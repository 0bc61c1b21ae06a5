import { counted } from '../format.ts'

/** Beside the area of webhooks, of those that fail or were stopped. */
export const webhooksMarkText = (count: number) =>
  counted(count, { one: 'needs attention', other: 'need attention' })
