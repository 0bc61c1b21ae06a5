import type { QueryClient } from '@tanstack/react-query'

import type { Event } from '#contract/index.ts'
import { peek } from '../../api/index.ts'
import { wait } from '../../api/wait.ts'
import { eventProperty } from '../../domain/changes/what-happened.ts'
import { changesetQuery } from '../../domain/queries/changesets.ts'

/** Number of rows whose changes are read at once, about a screenful; those of others when they come near. */
export const eagerRows = 20

/** Longest time that events stay away until their changes are known. */
const patienceMs = 2000

/** Returns the changeset of the event; undefined if it has none. Those of a deleted user are erased together with the user. */
export function changesetOf(event: Event): string | undefined {
  return event.type === 'USER_DELETED' ? undefined : eventProperty(event, 'changeset')
}

function eagerQueries(userId: string, events: readonly Event[]) {
  return events.slice(0, eagerRows).flatMap((event) => {
    const id = changesetOf(event)
    return id === undefined ? [] : [changesetQuery(userId, id)]
  })
}

/** Whether the changes of the first events are read, so that their rows have their words and their height at once. */
export function areChangesRead(client: QueryClient, userId: string, events: readonly Event[]): boolean {
  return eagerQueries(userId, events).every((query) => peek(client, query) !== undefined)
}

/** Reads the changes of the first events. Resolves after some time whatever becomes of it: a row tells of a failure. */
export async function readChanges(
  client: QueryClient,
  userId: string,
  events: readonly Event[],
): Promise<void> {
  const reads = eagerQueries(userId, events).map((query) => client.query(query))
  await Promise.race([Promise.allSettled(reads), wait(patienceMs)])
}
