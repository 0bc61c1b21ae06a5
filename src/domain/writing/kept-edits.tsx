import { createContext, type ReactNode, useCallback, useMemo, useState } from 'react'

import { Unsaved } from './unsaved.tsx'

/** Unsaved input of forms that are not on screen, by the id of the thing being edited. */
export interface KeptEdits {
  /** Returns the kept input, in the form that the caller stored. */
  readonly of: (id: string) => unknown
  /** @param edit Absent: there is nothing unsaved any more. */
  readonly keep: (id: string, edit: unknown) => void
  /** Ids with something unsaved. */
  readonly ids: ReadonlySet<string>
}

const noEdits: ReadonlySet<string> = new Set()
export const KeptEditsContext = createContext<KeptEdits>({
  of: () => undefined,
  keep: () => {},
  ids: noEdits,
})

export interface KeepEditsProps {
  /** Addresses at which the edits are kept. */
  readonly staysAt: (pathname: string) => boolean
  readonly children: ReactNode
}

/** Keeps unsaved edits while one goes about between addresses that belong together; asks before they are left. */
export function KeepEdits({ staysAt, children }: KeepEditsProps) {
  const [edits] = useState(() => new Map<string, unknown>())
  // A letter more in a form is no news to the others.
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
