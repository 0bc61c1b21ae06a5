import type { Event } from '#contract/index.ts'

const reads: ReadonlySet<string> = new Set([
  'SENSITIVE_DATA_ACCESSED',
  'SENSITIVE_DATA_CHECKED',
  'SENSITIVE_DATA_SEARCHED',
])

/** Whether somebody looked at sensitive values, compared one or tested them with a filter, and changed nothing. */
export function isRead({ type }: Pick<Event, 'type'>): boolean {
  return reads.has(type)
}
