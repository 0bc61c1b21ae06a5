import { expect, type Page } from '@playwright/test'

/** Every text of the page is in its box and in the window, or in something that can be scrolled, or ends in an ellipsis. */
export async function expectFits(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(findOverflow), 'texts that do not fit').toEqual([])
}

/** Texts that are cut, or lie outside of their box or the window, each with by how many pixels. Runs in the page. */
function findOverflow(): string[] {
  const found: string[] = []
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} wider than the window`)
  const styleOf = (element: Element) => getComputedStyle(element)
  const isHidden = (element: Element) =>
    !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.clientWidth === 1
  const ends = (element: Element) => styleOf(element).textOverflow === 'ellipsis'
  for (const element of document.body.querySelectorAll('*')) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent?.trim())
    if (texts.length === 0 || isHidden(element)) continue
    const range = document.createRange()
    range.setStartBefore(texts[0] ?? element)
    range.setEndAfter(texts.at(-1) ?? element)
    const { right } = range.getBoundingClientRect()
    for (let box: Element | null = element; box; box = box.parentElement) {
      const { overflowX, display } = styleOf(box)
      if (['auto', 'scroll'].includes(overflowX) || isHidden(box)) break
      const isBox = overflowX !== 'visible' || /^(button|a|td|th|label)$/i.test(box.tagName)
      const over = Math.floor(right - box.getBoundingClientRect().right)
      if (isBox && display !== 'inline' && over > 1) {
        if (!ends(box) && !ends(element))
          found.push(`${over}: ${element.textContent?.trim()} in ${box.tagName}.${box.className}`)
        break
      }
      if (overflowX !== 'visible') break
    }
    const edge = document.documentElement.clientWidth
    if (right > edge + 1 && right < 2 * edge && found.length === 0 && scrollWidth > clientWidth)
      found.push(`${Math.floor(right - edge)} beyond the window: ${element.textContent?.trim()}`)
  }
  return [...new Set(found)]
}
