import { expect, type Locator, type Page } from '@playwright/test'

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

/** Expects each element that takes the focus to show its ring whole: above, below and at both sides. */
export async function expectRings(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(findCutRings), 'rings that are cut or missing').toEqual([])
}

/**
 * Gives the focus to each element that a key reaches, and returns those without a ring, and those whose ring is cut by
 * a box around it that cannot be scrolled. Runs in the page.
 */
export function findCutRings(): string[] {
  const says = (element: Element) =>
    `${element.getAttribute('aria-label') ?? element.textContent?.trim()} in ${element.tagName}.${element.className}`
  const ringOf = (element: Element, part?: string) => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element, part)
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
  }
  const isRinged = (element: Element, part?: string) =>
    getComputedStyle(element, part).outlineStyle !== 'none' &&
    getComputedStyle(element, part).outlineWidth !== '0px'
  const lookOf = (element: Element) => {
    const { boxShadow, borderColor, backgroundColor } = getComputedStyle(element)
    return [boxShadow, borderColor, backgroundColor].join()
  }
  /** Returns the box within which a ring is drawn; without an end in the directions that can be scrolled to. */
  const boxOf = (element: Element) => {
    const { overflowX, overflowY, overflowClipMargin } = getComputedStyle(element)
    const marginOf = (overflow: string) => {
      if (overflow === 'hidden') return 0
      return overflow === 'clip' ? Number.parseFloat(overflowClipMargin.replace(/^\D*/, '')) || 0 : Infinity
    }
    const [across, down] = [marginOf(overflowX), marginOf(overflowY)]
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return { left: left - across, right: right + across, top: top - down, bottom: bottom + down }
  }
  const reached = 'a[href], button:enabled, input:enabled, textarea:enabled, select:enabled, [tabindex="0"]'
  const found: string[] = []
  for (const element of document.querySelectorAll<HTMLElement>(reached)) {
    if (element.tabIndex < 0) continue
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    const before = lookOf(element)
    element.focus({ focusVisible: true })
    if (document.activeElement !== element) continue
    // A row or a field may draw the ring of what is within it.
    let drawn: Element | null = element
    while (drawn && !isRinged(drawn) && !isRinged(drawn, '::after')) drawn = drawn.parentElement
    if (!drawn) {
      if (lookOf(element) === before) found.push(`no ring: ${says(element)}`)
      continue
    }
    // Within a row, the ring keeps to the row's own box.
    if (!isRinged(drawn)) continue
    const ring = ringOf(drawn)
    const { left, right, top, bottom } = drawn.getBoundingClientRect()
    for (
      let around = drawn.parentElement;
      around && around !== document.body;
      around = around.parentElement
    ) {
      const box = boxOf(around)
      const cut = Math.max(
        box.left - left + ring,
        right + ring - box.right,
        box.top - top + ring,
        bottom + ring - box.bottom,
      )
      if (cut < 1) continue
      found.push(`cut by ${cut} in ${around.tagName}.${around.className}: ${says(element)}`)
      break
    }
  }
  return found
}

/** Expects no lock of a sensitive thing to be drawn over a text or over the ellipsis that a text ends in. */
export async function expectLocksClear(page: Page): Promise<void> {
  await expect(page.locator('#main .tabler-icon-lock').first()).toBeAttached()
  await expect.poll(() => page.evaluate(findCoveredTexts), 'texts below a lock').toEqual([])
}

/** Returns the texts that a lock is drawn over. Runs in the page. */
export function findCoveredTexts(): string[] {
  const isOver = (a: DOMRect, b: DOMRect) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
  /** Returns the part of a box that the boxes around the element do not cut. */
  const cut = (box: DOMRect, element: Element | null) => {
    let { left, right } = box
    for (let each = element; each && each !== document.body; each = each.parentElement) {
      if (getComputedStyle(each).overflowX === 'visible') continue
      const around = each.getBoundingClientRect()
      left = Math.max(left, around.left)
      right = Math.min(right, around.right)
    }
    return new DOMRect(left, box.top, Math.max(0, right - left), box.height)
  }
  /** Returns where the ellipsis is; undefined if the text of the element is whole. */
  const ellipsisOf = (element: Element) => {
    const { textOverflow, fontSize, paddingInlineEnd } = getComputedStyle(element)
    if (textOverflow !== 'ellipsis' || element.scrollWidth <= element.clientWidth) return undefined
    const { right, top, height } = element.getBoundingClientRect()
    const [width, end] = [Number.parseFloat(fontSize) * 0.8, right - Number.parseFloat(paddingInlineEnd)]
    return new DOMRect(end - width, top, width, height)
  }
  return [...document.querySelectorAll('#main .tabler-icon-lock')].flatMap((lock) => {
    lock.scrollIntoView({ block: 'center', inline: 'nearest' })
    const box = lock.getBoundingClientRect()
    const drawn = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    // A lock behind an ellipsis is not drawn.
    if (!drawn || !(lock.contains(drawn) || drawn.contains(lock))) return []
    const texts = document.createTreeWalker(document.querySelector('#main') ?? lock, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (texts.nextNode()) {
      const { currentNode: text } = texts
      const element = text.parentElement
      if (!element?.checkVisibility() || element.closest('.ds-visually-hidden') || !text.textContent?.trim())
        continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const boxes = [...range.getClientRects()].map((each) => cut(each, element))
      const ellipsis = ellipsisOf(element)
      if ([...boxes, ...(ellipsis ? [ellipsis] : [])].some((each) => isOver(box, each)))
        found.push(text.textContent)
    }
    return found
  })
}

/** Returns the text of an element by the lines it is broken into. */
export function linesOf(element: Locator): Promise<string[]> {
  return element.evaluate((within) => {
    const texts: string[] = []
    let lastTop = Number.NaN
    const nodes = document.createTreeWalker(within, NodeFilter.SHOW_TEXT)
    for (let node = nodes.nextNode(); node; node = nodes.nextNode())
      for (const [at, letter] of (node.nodeValue ?? '').split('').entries()) {
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const { top } = range.getBoundingClientRect()
        if (top !== lastTop) texts.push('')
        lastTop = top
        texts[texts.length - 1] += letter
      }
    return texts
  })
}
