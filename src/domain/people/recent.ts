import { useEffect, useState } from 'react'
import { useMatches } from 'react-router'

import { sharedStorage } from '../../auth/storage.ts'
import { useKept } from '../kept-for.ts'

// Ids alone: who they are is looked up when it is to be shown.
const recentKey = 'data-store.recent'
const maxVisits = 6

/** At the end of a session: whom somebody looked at is nobody's business after it. */
export const forgetVisits = () => sharedStorage?.removeItem(recentKey)

/** A user or a segment whose page was opened. */
export interface Visit {
  readonly kind: 'user' | 'segment'
  readonly id: string
}

/** Users and segments whose pages were opened before this one, the latest first: those of this person, in every tab. */
export function useRecent(): readonly Visit[] {
  const { kept, keep } = useKept(recentKey)
  /** Fallback where the browser keeps nothing: it lives as long as the page. */
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
