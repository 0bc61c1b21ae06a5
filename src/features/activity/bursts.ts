import type { Event } from '#contract/index.ts'

import { isRead } from '../../domain/changes/is-read.ts'
import { named } from '../../domain/changes/what-happened.ts'

/** Changes to one thing by one person belong together while no longer than this lies between two of them. */
const pauseMs = 2 * 60_000
/** Number of events from which they are collapsed into a burst. */
const fewest = 3

export type Kind = 'change' | 'read'

export function kindOf(event: Event): Kind {
  return isRead(event) ? 'read' : 'change'
}

/** Events that follow each other, newest first: one alone, or a burst. */
export type Burst = readonly [Event, ...Event[]]

/** @param events Newest first. */
export function burstsOf(events: readonly Event[]): readonly Burst[] {
  const groups: [Event, ...Event[]][] = []
  for (const event of events) {
    const group = groups.at(-1)
    if (group && belongs(event, group.at(-1) ?? group[0])) group.push(event)
    else groups.push([event])
  }
  return groups.flatMap((group): Burst[] =>
    group.length < fewest ? group.map((event): Burst => [event]) : [group],
  )
}

function belongs(event: Event, newer: Event): boolean {
  return (
    event.type === newer.type &&
    named(event, 'actor') !== undefined &&
    named(event, 'actor') === named(newer, 'actor') &&
    named(event, 'entity') === named(newer, 'entity') &&
    named(event, 'reason') === named(newer, 'reason') &&
    Date.parse(newer.eventtime) - Date.parse(event.eventtime) <= pauseMs
  )
}
