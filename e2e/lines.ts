import { expect, type Page } from '@playwright/test'

/**
 * Expects what stands side by side to share a line: the cells of a table's row, the items of a row or a grid, and the
 * marks and buttons within a line of text.
 */
export async function expectLines(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(findOffLine), 'neighbours that share no line').toEqual([])
}

/**
 * Returns neighbours of which neither the first lines, nor the last, nor the middles are level, each with the number of
 * pixels. What counts is what one sees of them: texts, pictures and fields, not the boxes around these. Two large parts
 * may also share their upper edge. Runs in the page.
 */
export function findOffLine(): string[] {
  /** Half of the difference in height of a title and a small text on one baseline, in pixels. */
  const tolerance = 4
  /** Height, in pixels, from which a part is large: four lines. */
  const large = 72
  interface Band {
    readonly top: number
    readonly bottom: number
    readonly left: number
    readonly right: number
  }
  interface Piece {
    readonly node: Node
    readonly bands: readonly Band[]
    /** Upper edge of a large box, if one sees it. */
    readonly edge: number | undefined
  }
  const isSeen = (element: Element) =>
    getComputedStyle(element).display === 'contents' ||
    (element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.clientWidth !== 1)
  const isFlowing = (element: Element) =>
    !['absolute', 'fixed', 'sticky'].includes(getComputedStyle(element).position)
  const isPart = (node: Node) =>
    node instanceof Element
      ? isSeen(node) && isFlowing(node)
      : node instanceof Text && node.textContent?.trim() !== ''
  const partsOf = (element: Element): Node[] =>
    [...element.childNodes]
      .filter(isPart)
      .flatMap((node) =>
        node instanceof Element && getComputedStyle(node).display === 'contents' ? partsOf(node) : [node],
      )
  /** Returns the boxes of what one sees of a part, without what the boxes around it cut off. */
  const inkOf = (node: Node): Band[] => {
    if (node instanceof Text) {
      const range = document.createRange()
      range.selectNodeContents(node)
      return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
    }
    if (!(node instanceof Element)) return []
    const box = node.getBoundingClientRect()
    if (node.matches('svg, img, input, select, textarea, [role=img]')) return box.height > 1 ? [box] : []
    const ink = partsOf(node).flatMap(inkOf)
    const { overflowX, overflowY, display } = getComputedStyle(node)
    if (display.startsWith('inline') || (overflowX === 'visible' && overflowY === 'visible')) return ink
    return ink.filter(
      ({ top, bottom, left, right }) =>
        (top + bottom) / 2 < box.bottom &&
        (top + bottom) / 2 > box.top &&
        left < box.right &&
        right > box.left,
    )
  }
  const isPainted = (element: Element) => {
    const { backgroundColor, borderTopStyle, borderTopWidth } = getComputedStyle(element)
    return (
      !/^(?:transparent|rgba\(.*, 0\))$/.test(backgroundColor) ||
      (borderTopStyle !== 'none' && borderTopWidth !== '0px')
    )
  }
  /** Returns the upper edge of the first large box that one sees: of the part or within it. */
  const edgeOf = (node: Node) =>
    node instanceof Element
      ? [node, ...node.querySelectorAll('*')]
          .filter((each) => each.clientHeight > large && isPainted(each))
          .map((each) => each.getBoundingClientRect().top)[0]
      : undefined
  const pieceOf = (node: Node): Piece[] => {
    const bands: Band[] = []
    for (const { top, bottom, left, right } of inkOf(node).toSorted((a, b) => a.top - b.top)) {
      const last = bands.at(-1)
      if (last && (top + bottom) / 2 < last.bottom)
        bands[bands.length - 1] = {
          top: last.top,
          bottom: Math.max(last.bottom, bottom),
          left: Math.min(last.left, left),
          right: Math.max(last.right, right),
        }
      else bands.push({ top, bottom, left, right })
    }
    return bands.length > 0 ? [{ node, bands, edge: edgeOf(node) }] : []
  }
  const middleOf = (first?: Band, last = first) => ((first?.top ?? 0) + (last?.bottom ?? 0)) / 2
  const topOf = ({ bands, edge }: Piece) => Math.min(edge ?? Infinity, bands[0]?.top ?? 0)
  const isLarge = ({ bands }: Piece) => (bands.at(-1)?.bottom ?? 0) - (bands[0]?.top ?? 0) > large
  /** Returns how far two neighbours are from sharing a line. */
  const measure = (one: Piece, other: Piece) => {
    const [a, b] = [one.bands, other.bands]
    return Math.min(
      Math.abs(middleOf(a[0]) - middleOf(b[0])),
      Math.abs(middleOf(a.at(-1)) - middleOf(b.at(-1))),
      Math.abs(middleOf(a[0], a.at(-1)) - middleOf(b[0], b.at(-1))),
      isLarge(one) && isLarge(other) ? Math.abs(topOf(one) - topOf(other)) : Infinity,
    )
  }
  const leftOf = ({ bands }: Piece) => Math.min(...bands.map(({ left }) => left))
  const rightOf = ({ bands }: Piece) => Math.max(...bands.map(({ right }) => right))
  const boxOf = (node: Node) => {
    const range = document.createRange()
    range.selectNode(node)
    return range.getBoundingClientRect()
  }
  const overlap = (one: Node, other: Node) =>
    boxOf(one).top < boxOf(other).bottom && boxOf(other).top < boxOf(one).bottom
  const says = ({ node }: Piece) =>
    `${node.nodeName}.${node instanceof Element ? node.getAttribute('class') : ''} “${(node.textContent ?? '').trim().slice(0, 40)}”`
  const isInline = (node: Node) =>
    !(node instanceof Element) || getComputedStyle(node).display.startsWith('inline')
  return [...document.body.querySelectorAll('*')].filter(isSeen).flatMap((element) => {
    const { display, flexDirection, flexWrap } = getComputedStyle(element)
    const parts = partsOf(element)
    const isRow = display.endsWith('flex')
      ? flexDirection.startsWith('row')
      : display.endsWith('grid') || display === 'table-row' || parts.every(isInline)
    if (!isRow || parts.length < 2 || element.closest('svg')) return []
    const pieces = parts.flatMap(pieceOf)
    const hasRows = !(display.endsWith('flex') && flexWrap === 'nowrap') && display !== 'table-row'
    return pieces.slice(1).flatMap((piece, index) => {
      const before = pieces[index]
      // Otherwise it begins another row, or is below.
      if (!before || leftOf(piece) < rightOf(before) - 1) return []
      if (hasRows && !overlap(before.node, piece.node)) return []
      const off = Math.round(measure(before, piece))
      return off > tolerance
        ? [`${off} off: ${says(before)} and ${says(piece)} in ${element.tagName}.${element.className}`]
        : []
    })
  })
}
