import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import type { User } from '#contract/index.ts'
import { selectionKey } from '../../../domain/user-list/list-state.ts'

/** Users selected for an export or a bulk change, across pages and searches of the list. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  /** Toggles a user. `reach` includes all users between this one and the one toggled last. */
  readonly toggle: (id: string, reach: boolean) => void
  readonly add: (ids: readonly string[]) => void
  readonly clear: () => void
}

const noIds: ReadonlySet<string> = new Set()

/**
 * Returns the selected ids. They stay in memory until the page is reloaded, so that returning from a user finds them
 * unchanged.
 */
export function useSelection(rows: readonly User[]): Selection {
  const client = useQueryClient()
  const [ids, setIds] = useState(() => client.getQueryData<ReadonlySet<string>>(selectionKey) ?? noIds)
  useEffect(() => {
    client.setQueryDefaults(selectionKey, { gcTime: Infinity })
    client.setQueryData(selectionKey, ids)
  }, [client, ids])
  const last = useRef<string>(undefined)
  return {
    ids,
    toggle: (id, reach) => {
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
    add: (more) => {
      last.current = more.at(-1)
      setIds(new Set([...ids, ...more]))
    },
    clear: () => setIds(noIds),
  }
}
