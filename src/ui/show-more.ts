import { flushSync } from 'react-dom'

/**
 * Shows what was folded, and puts the focus on the first of what came into `list`: on its link or button, or on itself. The
 * button that was pressed goes with what it was for. Where all of it came into what was there, that is the last.
 */
export function showMore(list: Element | null | undefined, show: () => void): void {
  const before = new Set(list?.children)
  flushSync(show)
  const children = [...(list?.children ?? [])]
  const first = children.find((child) => !before.has(child)) ?? children.at(-1)
  const target = first?.querySelector<HTMLElement>('a[href]') ?? first?.querySelector('button')
  if (target) target.focus()
  else if (first instanceof HTMLElement) {
    first.tabIndex = -1
    first.focus()
  }
}
