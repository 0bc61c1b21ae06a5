import { createContext, type ReactNode, useCallback, useMemo, useState } from 'react'

import { Unsaved } from './unsaved.tsx'

/** Unsaved input of forms, kept while they are not on screen, by the id of the edited object. */
export interface KeptEdits {
  /** Returns the kept input as the caller stored it. */
  readonly of: (id: string) => unknown
  /** @param edit Undefined if nothing is unsaved any more. */
  readonly keep: (id: string, edit: unknown) => void
  /** Ids of the objects with unsaved input. */
  readonly ids: ReadonlySet<string>
}

const noEdits: ReadonlySet<string> = new Set()
export const KeptEditsContext = createContext<KeptEdits>({
  of: () => undefined,
  keep: () => {},
  ids: noEdits,
})

export interface KeepEditsProps {
  /** Whether the edits are kept at a path. */
  readonly staysAt: (pathname: string) => boolean
  readonly children: ReactNode
}

/** Keeps unsaved edits on the way between related pages; asks before they are abandoned. */
export function KeepEdits({ staysAt, children }: KeepEditsProps) {
  const [edits] = useState(() => new Map<string, unknown>())
  // The state holds only the ids, so that typing in one form does not re-render the others.
  const [ids, setIds] = useState(noEdits)
  const of = useCallback((id: string) => edits.get(id), [edits])
  const keep = useCallback(
    (id: string, edit: unknown) => {
      const had = edits.has(id)
      if (edit === undefined) edits.delete(id)
      else edits.set(id, edit)
      if (had !== edits.has(id)) setIds(new Set(edits.keys()))
    },
    [edits],
  )
  const value = useMemo<KeptEdits>(() => ({ of, keep, ids }), [of, keep, ids])
  return (
    <KeptEditsContext value={value}>
      {children}
      {ids.size > 0 && <Unsaved staysAt={staysAt} />}
    </KeptEditsContext>
  )
}
