import { useEffect, useState } from 'react'
import { useMatches } from 'react-router'

import { sharedStorage } from '../../auth/storage.ts'
import { useKept } from '../kept-for.ts'

// The browser stores only ids; names are looked up when they are shown.
const recentKey = 'data-store.recent'
const maxVisits = 6

/** Removes the visits at the end of a session, so that nobody can see afterwards which users the person viewed. */
export const forgetVisits = () => sharedStorage?.removeItem(recentKey)

export interface Visit {
  readonly kind: 'user' | 'segment'
  readonly id: string
}

/** Returns the users and segments that this person opened before the current one, in any tab, the latest first. */
export function useRecent(): readonly Visit[] {
  const { kept, keep } = useKept(recentKey)
  /** In-memory fallback if the browser cannot store visits; lost on reload. */
  const [own, setOwn] = useState<readonly Visit[]>([])
  const { userId, segmentId } = useMatches().at(-1)?.params ?? {}
  const kind = userId === undefined ? 'segment' : 'user'
  const id = userId ?? segmentId
  if (!keep && id !== undefined && own[0]?.id !== id) setOwn(withVisit(own, { kind, id }))
  useEffect(() => {
    if (id !== undefined) keep?.((before) => withVisit(before, { kind, id }))
  }, [keep, kind, id])
  const all = keep ? kept.filter(isVisit) : own
  return all.filter((each) => each.id !== id)
}

function withVisit(before: readonly unknown[], visit: Visit): readonly Visit[] {
  const others = before.filter(isVisit).filter(({ id }) => id !== visit.id)
  return [visit, ...others.slice(0, maxVisits - 1)]
}

function isVisit(value: unknown): value is Visit {
  const { kind, id } = (value ?? {}) as Record<string, unknown>
  return (kind === 'user' || kind === 'segment') && typeof id === 'string'
}
