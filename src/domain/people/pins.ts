import { useKept } from '../kept-for.ts'

// The browser stores only ids, as it does for recently opened pages.
const storageKeys = { users: 'data-store.pinned', segments: 'data-store.pinned-segments' } as const
/** Maximum number of pins, few enough to see at a glance. A further pin replaces the oldest. */
const maxPins = 12

/** Returns the pinned users or segments, the latest first. `toggle` is undefined if the browser cannot store pins. */
export function usePins(of: keyof typeof storageKeys = 'users') {
  const { kept, keep } = useKept(storageKeys[of])
  const ids = kept.filter((id) => typeof id === 'string')
  return {
    ids,
    toggle:
      keep &&
      ((id: string) =>
        keep((before) =>
          before.includes(id) ? before.filter((each) => each !== id) : [id, ...before].slice(0, maxPins),
        )),
  }
}
