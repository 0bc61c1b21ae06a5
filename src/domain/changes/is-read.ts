import type { Event } from '#contract/index.ts'

const reads: ReadonlySet<string> = new Set(['SENSITIVE_DATA_ACCESSED', 'SENSITIVE_DATA_CHECKED'])

/** Whether somebody looked at sensitive values, or compared one, and changed nothing. */
export function isRead({ type }: Pick<Event, 'type'>): boolean {
  return reads.has(type)
}
