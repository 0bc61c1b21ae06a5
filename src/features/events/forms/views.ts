import { useKept } from '../../../domain/kept-for.ts'
import { links } from '../../../domain/links.ts'
import { type EventFilter, filterIn, parametersOf } from '../log/filter.ts'

/** A filter of the log, under a name that its owner gave it. */
export interface View {
  readonly name: string
  readonly filter: EventFilter
}

// The owner's own words, and codes, ids and moments.
const storageKey = 'data-store.event-views'
/** Number of saved views; one more replaces the oldest. */
const mostViews = 30

/**
 * Views that this person saved in this browser, by name. `save` and `remove` are undefined if storage is unavailable.
 */
export function useViews() {
  const { kept, keep } = useKept(storageKey)
  const views = kept.flatMap(viewOf).toSorted((a, b) => a.name.localeCompare(b.name))
  const others = (before: readonly unknown[], name: string) =>
    before.filter((each) => viewOf(each)[0]?.name !== name)
  return {
    views,
    /** Saves a view, replacing one of the same name. */
    save:
      keep &&
      ((name: string, filter: EventFilter) => {
        const { search } = new URL(links.events(parametersOf(filter)), 'http://console.invalid')
        keep((before) => [{ name, search }, ...others(before, name)].slice(0, mostViews))
      }),
    remove: keep && ((name: string) => keep((before) => others(before, name))),
  }
}

/** None: it is by another hand. */
function viewOf(kept: unknown): View[] {
  const { name, search } = (kept ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || name === '' || typeof search !== 'string') return []
  return [{ name, filter: filterIn(new URLSearchParams(search)) }]
}
