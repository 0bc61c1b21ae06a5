import { counted } from '../format.ts'

/** Mark beside the area of webhooks: how many fail or were stopped. */
export const webhooksMarkText = (count: number) =>
  counted(count, { one: 'needs attention', other: 'need attention' })
