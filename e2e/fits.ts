import { expect, type Page } from '@playwright/test'

/**
 * Expects every text of the page to fit its box and the window, to be reachable by scrolling, or to end in an
 * ellipsis. Times must fit whole, on one line: the part that an ellipsis would cut is the one that tells them apart.
 */
export async function expectFits(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(findOverflow), 'texts that do not fit').toEqual([])
}

/**
 * Returns the texts that exceed their box or the window, each with the number of pixels, and the times that take more
 * than one line. Runs in the page.
 */
export function findOverflow(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement
  const isHidden = (element: Element) => {
    const look = { visibilityProperty: true, opacityProperty: true }
    // An element without a box of its own hides nothing, though it is said not to be visible.
    const isSeen = (each: Element) =>
      getComputedStyle(each).display === 'contents' || each.checkVisibility(look)
    for (let each: Element | null = element; each; each = each.parentElement)
      if (each.clientWidth === 1 || !isSeen(each)) return true
    return false
  }
  const says = (element: Element) =>
    `${element.textContent?.trim()} in ${element.tagName}.${element.className}`
  /** Returns the box that a text must fit into; undefined if the rest can be scrolled to or an ellipsis marks it. */
  const boxOf = (element: Element): Element | undefined => {
    const isTime = element.closest('time') !== null
    for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) {
      const { overflowX, display, textOverflow } = getComputedStyle(each)
      if ((textOverflow === 'ellipsis' && !isTime) || ['auto', 'scroll'].includes(overflowX)) return undefined
      const isBox = /^(button|a|td|th|label)$/i.test(each.tagName) && display !== 'inline'
      if (isBox || overflowX !== 'visible') return each
    }
    return document.documentElement
  }
  const found = [...document.body.querySelectorAll('*')].flatMap((element) => {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent?.trim())
    const [first, last] = [texts[0], texts.at(-1)]
    const box = boxOf(element)
    if (!first || !last || !box || isHidden(element)) return []
    const range = document.createRange()
    range.setStartBefore(first)
    range.setEndAfter(last)
    const [inner, outer] = [range.getBoundingClientRect(), box.getBoundingClientRect()]
    // An ellipsis begins where the padding does.
    const padding = element.closest('time') ? Number.parseFloat(getComputedStyle(box).paddingInlineEnd) : 0
    const over = Math.floor(Math.max(inner.right + padding - outer.right, outer.left - inner.left))
    return over > 1 ? [`${over} too wide: ${says(element)}`] : []
  })
  for (const time of document.querySelectorAll('time'))
    if (!isHidden(time) && new Set([...time.getClientRects()].map(({ top }) => top)).size > 1)
      found.push(`broken over lines: ${says(time)}`)
  return scrollWidth > clientWidth
    ? [`the page is ${scrollWidth - clientWidth} wider than the window`, ...found]
    : found
}
