import { flushSync } from 'react-dom'

/**
 * Expands a collapsed list and focuses the first new child of `list`: its link, the control of its row, its button, or the child itself. The
 * pressed button disappears with the expansion. If no child is new because existing ones were extended, the last child
 * gets the focus.
 * @param items Selector of the items within `list`, if they are not its children.
 */
export function showMore(list: Element | null | undefined, show: () => void, items = ':scope > *'): void {
  const itemsOf = () => [...(list?.querySelectorAll(items) ?? [])]
  const before = new Set(itemsOf())
  flushSync(show)
  const children = itemsOf()
  const first = children.find((child) => !before.has(child)) ?? children.at(-1)
  const target = first?.querySelector<HTMLElement>('a[href], [data-row]') ?? first?.querySelector('button')
  if (target) target.focus()
  else if (first instanceof HTMLElement) {
    first.tabIndex = -1
    first.focus()
  }
}

/** Returns the first few items; all if only one would be hidden, as the line that says so takes as much room. */
export function takeFew<Item>(all: readonly Item[], few: number): readonly Item[] {
  return all.length <= few + 1 ? all : all.slice(0, few)
}
