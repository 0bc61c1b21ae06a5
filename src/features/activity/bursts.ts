import type { Event } from '#contract/index.ts'
import { eventProperty, isRead } from '../../domain/changes/what-happened.ts'

/**
 * Maximum time between events of a burst. They are of one type, by one person, for one reason, and about one object or
 * of one job: an import may bring a crowd of entities.
 */
const burstPauseMs = 2 * 60_000
const minBurst = 3

export type ActivityKind = 'change' | 'read'

export function activityKind(event: Event): ActivityKind {
  return isRead(event) ? 'read' : 'change'
}

/** Consecutive events, newest first: a single event or a burst. */
export type Burst = readonly [Event, ...Event[]]

/** @param events Newest first. */
export function burstsOf(events: readonly Event[]): readonly Burst[] {
  const groups: [Event, ...Event[]][] = []
  for (const event of events) {
    const group = groups.at(-1)
    if (group && isSameBurst(event, group.at(-1) ?? group[0])) group.push(event)
    else groups.push([event])
  }
  return groups.flatMap((group): Burst[] =>
    group.length < minBurst ? group.map((event): Burst => [event]) : [group],
  )
}

function isSameBurst(event: Event, newer: Event): boolean {
  const isSame = (name: string) => eventProperty(event, name) === eventProperty(newer, name)
  return (
    event.type === newer.type &&
    eventProperty(event, 'actor') !== undefined &&
    isSame('actor') &&
    isSame('job') &&
    isSame('reason') &&
    (isSame('entity') || eventProperty(event, 'job') !== undefined) &&
    Date.parse(newer.eventtime) - Date.parse(event.eventtime) <= burstPauseMs
  )
}
