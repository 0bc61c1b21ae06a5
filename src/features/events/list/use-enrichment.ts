import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

import type { Event } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { eventProperty } from '../../../domain/changes/what-happened.ts'
import type { EventLog } from '../log/log.ts'
import { type BatchedLookup, type EventLookups, getEventLookups } from '../log/lookups.ts'

/** Distance from the visible rows at which missing lookups trigger a fetch. */
const nearRows = 20
/** Distance from the visible rows up to which a fetch includes further rows. */
const stretchRows = 75

/** Lookups for the rows; `undefined` on a bare service, or if the caller may not use them. */
export interface Enrichment {
  readonly people: EventLookups['people'] | undefined
  readonly changes: EventLookups['changes'] | undefined
}

/**
 * Looks up users and changes for the visible rows, in batches ahead of scrolling. Each response renders the list
 * again, but only the rows it concerns.
 */
export function useEnrichment(
  { isFull }: EventLog,
  rows: readonly Event[],
  arrived: number,
  range: { readonly startIndex: number; readonly endIndex: number } | null,
): Enrichment {
  const client = useQueryClient()
  const [lookups] = useState(() => getEventLookups(client))
  const mayUsers = useDenied('users:read') === undefined
  const mayChanges = useDenied('users:read', 'entities:read') === undefined
  const people = mayUsers && isFull ? lookups.people : undefined
  const changes = mayChanges && isFull ? lookups.changes : undefined
  useSyncExternalStore(lookups.people.subscribe, lookups.people.version)
  useSyncExternalStore(lookups.changes.subscribe, lookups.changes.version)

  const before = useRef(arrived)
  const first = range?.startIndex ?? -1
  const last = range?.endIndex ?? -1
  useEffect(() => {
    for (const event of rows.slice(0, arrived - before.current)) outdateLookups(lookups, event)
    before.current = arrived
    if (last === -1) return
    lookUpNear(people, rows, 'user', first, last)
    lookUpNear(changes, rows, 'changeset', first, last)
  }, [lookups, people, changes, rows, arrived, first, last])
  return { people, changes }
}

/** Marks lookups as stale when an event changes or deletes their subject. */
function outdateLookups({ people, changes }: EventLookups, event: Event) {
  if (!event.type.startsWith('USER_')) return
  people.outdate(eventProperty(event, 'user'))
  if (event.type === 'USER_DELETED') changes.outdate()
}

function lookUpNear<Answer>(
  lookup: BatchedLookup<Answer> | undefined,
  rows: readonly Event[],
  name: 'user' | 'changeset',
  first: number,
  last: number,
) {
  if (!lookup) return
  const idsOf = (from: number, to: number) =>
    rows.slice(Math.max(0, from), to).flatMap((event) => eventProperty(event, name) ?? [])
  const near = idsOf(first - nearRows, last + 1 + nearRows)
  if (near.every((id) => lookup.isKnown(id))) return
  // Ids on screen come first, in case the request cannot take all of them.
  lookup.want([...idsOf(first, last + 1), ...idsOf(first - stretchRows, last + 1 + stretchRows)])
}
