import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import type { User } from '#contract/index.ts'
import { recall, remember } from '../../api/index.ts'

/** Returns the ids of the selected users. They belong to no history entry, since a selection does not expire. */
function recallSelection(client: QueryClient): ReadonlySet<string> {
  return (recall(client, 'selection') as ReadonlySet<string> | undefined) ?? new Set()
}

function rememberSelection(client: QueryClient, ids: ReadonlySet<string>): void {
  remember(client, ['selection'], ids, Infinity)
}

/** Takes a deleted user out of the selection. */
export function deselectUser(client: QueryClient, userId: string): void {
  rememberSelection(client, new Set([...recallSelection(client)].filter((id) => id !== userId)))
}

export type Selection = ReturnType<typeof useSelection>

/**
 * Returns the users selected for an export or a bulk change, across pages and searches of the list. They stay in memory
 * until the page is reloaded, so that returning from a user finds them unchanged.
 */
export function useSelection(rows: readonly User[]) {
  const client = useQueryClient()
  const [ids, setIds] = useState(() => recallSelection(client))
  useEffect(() => rememberSelection(client, ids), [client, ids])
  const last = useRef<string>(undefined)
  return {
    ids,
    /** Toggles a user. `reach` includes all users between this one and the one toggled last. */
    toggle: (id: string, reach: boolean) => {
      const [from, to] = [last.current, id].map((each) => rows.findIndex((row) => row.id === each))
      const isReached = reach && from !== undefined && to !== undefined && from !== -1
      const span = isReached ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [{ id }]
      const next = new Set(ids)
      for (const each of span)
        if (ids.has(id)) next.delete(each.id)
        else next.add(each.id)
      last.current = id
      setIds(next)
    },
    add: (more: readonly string[]) => {
      last.current = more.at(-1)
      setIds(new Set([...ids, ...more]))
    },
    clear: () => setIds(new Set()),
  }
}
