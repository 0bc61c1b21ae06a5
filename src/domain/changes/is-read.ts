import type { Event } from '#contract/index.ts'

const reads: ReadonlySet<string> = new Set([
  'SENSITIVE_DATA_ACCESSED',
  'SENSITIVE_DATA_CHECKED',
  'SENSITIVE_DATA_SEARCHED',
])

/**
 * Whether the event only reads sensitive values: somebody viewed, compared or filtered by them without changing
 * anything.
 */
export function isRead({ type }: Pick<Event, 'type'>): boolean {
  return reads.has(type)
}
