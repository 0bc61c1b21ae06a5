import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

import type { Event } from '#contract/index.ts'
import { isFull } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { eventProperty } from '../../../domain/changes/what-happened.ts'
import { type Told, type ToldOfEvents, toldOf } from '../log/told.ts'

/** Asked for when one of them is so near to the rows on screen, */
const nearRows = 20
/** with all others in so many. */
const stretchRows = 75

/** Lookups for the rows; `undefined` if the service offers none, or this person may not use them. */
export interface Telling {
  readonly people: ToldOfEvents['people'] | undefined
  readonly changes: ToldOfEvents['changes'] | undefined
  /** The service offers details of events beyond the document, though perhaps not to this person. */
  readonly tellsMore: boolean
}

/**
 * Whom and what the rows on screen are about, asked for by stretches of rows, ahead of the scrolling. Whoever draws the rows
 * is drawn again with each answer, the rows that it says nothing of are not.
 */
export function useTold(
  rows: readonly Event[],
  arrived: number,
  range: { readonly startIndex: number; readonly endIndex: number } | null,
): Telling {
  const client = useQueryClient()
  const [told] = useState(() => toldOf(client))
  const mayUsers = useDenied('users:read') === undefined
  const mayChanges = useDenied('users:read', 'entities:read') === undefined
  const people = mayUsers && isFull() ? told.people : undefined
  const changes = mayChanges && isFull() ? told.changes : undefined
  useSyncExternalStore(told.people.subscribe, told.people.version)
  useSyncExternalStore(told.changes.subscribe, told.changes.version)

  const before = useRef(arrived)
  const first = range?.startIndex ?? -1
  const last = range?.endIndex ?? -1
  useEffect(() => {
    for (const event of rows.slice(0, arrived - before.current)) outdate(told, event)
    before.current = arrived
    if (last === -1) return
    want(people, rows, 'user', first, last)
    want(changes, rows, 'changeset', first, last)
  }, [told, people, changes, rows, arrived, first, last])
  return { people, changes, tellsMore: isFull() }
}

/** Marks lookups as out of date when an event changes or deletes their subject. */
function outdate({ people, changes }: ToldOfEvents, event: Event) {
  if (!event.type.startsWith('USER_')) return
  people.outdate(eventProperty(event, 'user'))
  if (event.type === 'USER_DELETED') changes.outdate()
}

function want<Answer>(
  told: Told<Answer> | undefined,
  rows: readonly Event[],
  name: 'user' | 'changeset',
  first: number,
  last: number,
) {
  if (!told) return
  const idsOf = (from: number, to: number) =>
    rows.slice(Math.max(0, from), to).flatMap((event) => eventProperty(event, name) ?? [])
  const near = idsOf(first - nearRows, last + 1 + nearRows)
  if (near.every((id) => told.isKnown(id))) return
  // Ids on screen come first, in case the request cannot take all of them.
  told.want([...idsOf(first, last + 1), ...idsOf(first - stretchRows, last + 1 + stretchRows)])
}
