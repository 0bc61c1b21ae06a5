import { useKept } from '../kept-for.ts'

// Ids alone, as of those who were opened lately.
const storageKeys = { users: 'data-store.pinned', segments: 'data-store.pinned-segments' } as const
/** Maximum number of pins, few enough to see at a glance. One more replaces the oldest. */
const maxPins = 12

/** Users, or segments, that this person has pinned, the latest first. `toggle` is absent where that cannot be kept. */
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
