import { useRef, useState } from 'react'

/** Steps that can be taken back: a value is small, as most of it is shared with its neighbours. */
const maxSteps = 200

/**
 * Undo for a value that is kept elsewhere. What is typed in one field without leaving it is one step; what comes from
 * elsewhere is one too.
 */
export function useHistory<T>(present: T, onChange: (next: T) => void) {
  const [{ past, future, shown }, setSteps] = useState<{
    readonly past: readonly T[]
    readonly future: readonly T[]
    /** What the last step led to. */
    readonly shown: T
  }>({ past: [], future: [], shown: present })
  const field = useRef<unknown>(undefined)
  const before = shown === present ? past : [...past, shown]
  const [last, next] = [before.at(-1), shown === present ? future[0] : undefined]

  const go = (to: T, steps: { readonly past: readonly T[]; readonly future: readonly T[] }) => {
    field.current = undefined
    setSteps({ ...steps, shown: to })
    onChange(to)
  }
  return {
    /** `typedIn`: the field, where somebody types. */
    change(to: T, typedIn?: unknown) {
      const goesOn = typedIn !== undefined && typedIn === field.current && shown === present
      go(to, { past: goesOn ? past : [...before, present].slice(-maxSteps), future: [] })
      field.current = typedIn
    },
    /** What is typed from now on is another step. */
    endStep() {
      field.current = undefined
    },
    undo:
      last === undefined
        ? undefined
        : () =>
            go(last, { past: before.slice(0, -1), future: [present, ...(shown === present ? future : [])] }),
    redo:
      next === undefined
        ? undefined
        : () => go(next, { past: [...before, present], future: future.slice(1) }),
    undoable: before.length,
    redoable: next === undefined ? 0 : future.length,
  }
}
