import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react'

/** Selection in progress: indices of its first and its current bar. `to` may be smaller than `from`. */
interface Selection {
  readonly from: number
  readonly to: number
}

/** Pointer movement below this many pixels counts as an unsteady click, not as a drag. */
const leastPx = 4

const rangeOf = ({ from, to }: Selection) => ({ first: Math.min(from, to), last: Math.max(from, to) })

/**
 * Selects adjacent bars: by dragging a pointer over them, or with Shift and the arrow keys, then Enter. The handlers
 * belong on the element that contains the bars, which are buttons with their index in `data-place`.
 * @param count Number of all bars, including those without a button.
 */
export function useBrush(count: number, onTake: (first: number, last: number) => void) {
  const [selected, setSelected] = useState<Selection>()
  const pressed = useRef<{ readonly x: number; readonly place: number }>(undefined)
  const isDragged = useRef(false)

  const placeAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(Math.max(Math.floor(((clientX - left) / width) * count), 0), count - 1)
  }
  const take = (selection: Selection) => {
    setSelected(undefined)
    const { first, last } = rangeOf(selection)
    onTake(first, last)
  }
  const leave = () => {
    pressed.current = undefined
    setSelected(undefined)
  }
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      isDragged.current = false
      setSelected(undefined)
      if (event.button === 0) pressed.current = { x: event.clientX, place: placeAt(event) }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!pressed.current) return
      if (!isDragged.current) {
        if (Math.abs(event.clientX - pressed.current.x) < leastPx) return
        isDragged.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }
      const next = { from: pressed.current.place, to: placeAt(event) }
      setSelected((before) => (before?.from === next.from && before.to === next.to ? before : next))
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const from = pressed.current?.place
      pressed.current = undefined
      if (isDragged.current && from !== undefined) take({ from, to: placeAt(event) })
    },
    onPointerCancel: leave,
    // The click at the end of a drag must not press the bar where the drag began.
    onClickCapture(event: MouseEvent) {
      if (isDragged.current) event.stopPropagation()
      else if (selected) {
        event.stopPropagation()
        take(selected)
      }
      isDragged.current = false
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key === 'Escape' && selected) {
        event.stopPropagation()
        return leave()
      }
      const next = moveFocus(event)
      if (next) setSelected(event.shiftKey ? { from: selected?.from ?? next.from, to: next.to } : undefined)
    },
    onBlur({ currentTarget, relatedTarget }: React.FocusEvent) {
      if (!currentTarget.contains(relatedTarget)) leave()
    },
  }
  return { range: selected && rangeOf(selected), handlers }
}

/** Moves the focus to the next bar, skipping empty ones. */
function moveFocus(event: KeyboardEvent<HTMLElement>): Selection | undefined {
  const bars = [...event.currentTarget.querySelectorAll('button')]
  const at = bars.findIndex((bar) => bar === event.target)
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key]
  if (to === undefined) return undefined
  event.preventDefault()
  const next = bars[Math.min(Math.max(to, 0), bars.length - 1)]
  next?.focus()
  return { from: Number(bars[at]?.dataset['place']), to: Number(next?.dataset['place']) }
}
