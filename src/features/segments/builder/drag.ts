import classes from './drag.module.css'
import type { Destination } from './moves.ts'

interface Drag {
  /** Root element of the builder; elements shown during the drag are appended to it. */
  readonly builder: HTMLElement
  readonly id: string
  /** Description of the dragged node, for its drag image. */
  readonly label: string
  readonly groups: readonly string[]
  readonly onDrop: (destination: Destination) => void
}

interface Gap extends Destination {
  /** Viewport coordinates. */
  readonly left: number
  readonly top: number
  readonly width: number
}

const startPx = 4
const scrollZonePx = 56
const scrollPx = 9
/** Half of the gap between two parts, and the indent of a group's parts (`.rail` in Rail.module.css), in pixels. */
const halfGapPx = 6
const indentPx = 16

/** Drags a node from the press on its handle until the release. Escape cancels the drag. */
export function startDrag(event: PointerEvent, handle: HTMLElement, drag: Drag): void {
  if (event.button !== 0 || !event.isPrimary) return
  const { pointerId, clientX, clientY } = event
  const end = new AbortController()
  const { signal } = end
  let at = { x: clientX, y: clientY }
  let gap: Gap | undefined
  let shown: { readonly line: HTMLElement; readonly carried: HTMLElement } | undefined

  const show = () => {
    const node = nodeElement(drag, drag.id)
    if (!shown) {
      shown = { line: appendPiece(drag, classes.line), carried: appendPiece(drag, classes.carried) }
      shown.carried.textContent = drag.label
      node?.setAttribute('data-dragged', '')
    }
    const { line, carried } = shown
    gap = nearestGap(gapsOf(drag), at)
    const { left, top } = drag.builder.getBoundingClientRect()
    carried.style.translate = `${at.x - left + 12}px ${at.y - top + 12}px`
    line.hidden = gap === undefined
    if (!gap) return
    line.style.translate = `${gap.left - left}px ${gap.top - top - 1}px`
    line.style.width = `${gap.width}px`
  }
  const scroll = () => {
    if (signal.aborted) return
    const step = at.y < scrollZonePx ? -scrollPx : at.y > innerHeight - scrollZonePx ? scrollPx : 0
    if (step !== 0) {
      scrollBy({ top: step, behavior: 'instant' })
      show()
    }
    requestAnimationFrame(scroll)
  }
  const listen = <Type extends keyof WindowEventMap>(
    type: Type,
    listener: (event: WindowEventMap[Type]) => void,
  ) => addEventListener(type, listener, { signal, capture: true })
  signal.addEventListener('abort', () => {
    nodeElement(drag, drag.id)?.removeAttribute('data-dragged')
    shown?.line.remove()
    shown?.carried.remove()
  })

  // The tooltip of the handle would cover the drop targets.
  listen('pointerover', (event) => event.stopPropagation())
  handle.setPointerCapture(pointerId)
  listen('pointermove', (moved) => {
    if (moved.pointerId !== pointerId) return
    at = { x: moved.clientX, y: moved.clientY }
    if (!shown && Math.hypot(at.x - clientX, at.y - clientY) < startPx) return
    if (!shown) requestAnimationFrame(scroll)
    show()
  })
  listen('pointerup', (lifted) => {
    if (lifted.pointerId !== pointerId) return
    end.abort()
    if (!shown) return
    swallowClick()
    if (gap) drag.onDrop({ group: gap.group, index: gap.index })
  })
  listen('pointercancel', () => end.abort())
  listen('keydown', (pressed) => {
    // Keys pressed during a drag must not change the filter under it.
    pressed.stopPropagation()
    pressed.preventDefault()
    if (pressed.key !== 'Escape') return
    end.abort()
    addEventListener('pointerup', swallowClick, { once: true, capture: true })
  })
}

/** Ignores the click that may directly follow a drag, because it is not a press on the handle. */
function swallowClick() {
  const over = new AbortController()
  addEventListener('click', (click) => click.stopPropagation(), { capture: true, signal: over.signal })
  setTimeout(() => over.abort(), 0)
}

function nodeElement({ builder }: Drag, id: string) {
  return builder.querySelector<HTMLElement>(`[data-node="${id}"]`)
}

function appendPiece({ builder }: Drag, className = ''): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  element.ariaHidden = 'true'
  builder.append(element)
  return element
}

/** Returns the drop positions before, between and after the parts of every group that accepts the node. */
function gapsOf({ builder, groups }: Drag): readonly Gap[] {
  return groups.flatMap((group) => {
    const box = builder.querySelector<HTMLElement>(`[data-parts="${group}"]`)
    if (!box) return []
    const { left, top, width } = box.getBoundingClientRect()
    const inner = { group, left: left + indentPx, width: width - indentPx }
    const parts = [...box.children].filter((part) => part.hasAttribute('data-node'))
    const rects = parts.map((part) => part.getBoundingClientRect())
    const last = rects.at(-1)
    return [
      ...rects.map((rect, index) => ({ ...inner, index, top: rect.top - halfGapPx })),
      { ...inner, index: rects.length, top: last ? last.bottom + halfGapPx : top },
    ]
  })
}

/** Returns the closest gap, mainly vertically. Left of a group's start, gaps outside the group win. */
function nearestGap(gaps: readonly Gap[], at: { readonly x: number; readonly y: number }): Gap | undefined {
  const distance = ({ left, top }: Gap) => Math.abs(top - at.y) + Math.max(0, left - at.x - indentPx)
  return gaps.toSorted((a, b) => distance(a) - distance(b))[0]
}
