import { useKept } from '../kept-for.ts'

// Ids alone, as of those who were opened lately.
const storageKey = 'data-store.pinned'
/** As many as are seen at a glance: with one more, the oldest goes. */
const mostPinned = 12

/** Users whom this person has pinned, the latest first. `toggle` is absent where that cannot be kept. */
export function usePins() {
  const { kept, keep } = useKept(storageKey)
  const ids = kept.filter((id) => typeof id === 'string')
  return {
    ids,
    toggle:
      keep &&
      ((id: string) =>
        keep((before) =>
          before.includes(id) ? before.filter((each) => each !== id) : [id, ...before].slice(0, mostPinned),
        )),
  }
}
