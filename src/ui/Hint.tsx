import { useEffect, useRef } from 'react'

import classes from './Hint.module.css'

/**
 * Spread on any element, gives it a hint on hover and keyboard focus: `<time {...hint('2024-03-01 09:30 UTC')}>`.
 * One layer serves the whole page, so a table of 50 rows pays nothing for its hundred hints.
 */
export function hint(text: string | undefined): { 'data-hint'?: string } {
  return text === undefined || text === '' ? {} : { 'data-hint': text }
}

const layerId = 'ds-hint'
const gapPx = 6

/**
 * Rendered once, in the shell. The hint lies in the top layer (above dialogs), stays while pointed at and goes with
 * Escape (WCAG 1.4.13).
 */
export function HintLayer() {
  const layer = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let target: Element | undefined
    const hide = () => {
      target?.removeAttribute('aria-describedby')
      target = undefined
      layer.current?.hidePopover()
    }
    const show = (event: Event) => {
      const element = layer.current
      if (!(event.target instanceof Element) || !element || element.contains(event.target)) return
      const next = event.target.closest('[data-hint]') ?? undefined
      if (next === target) return
      if (event.type === 'focusin' && next?.matches(':focus-visible') === false) return
      if (target) hide()
      if (!next) return
      target = next
      element.textContent = next.getAttribute('data-hint')
      // An element that is described already keeps its own description.
      if (!next.hasAttribute('aria-describedby')) next.setAttribute('aria-describedby', layerId)
      element.showPopover()
      place(element, next.getBoundingClientRect())
    }
    const leave = (event: Event) => {
      if (
        event instanceof KeyboardEvent
          ? event.key === 'Escape'
          : event.type !== 'focusout' || target === event.target
      )
        hide()
    }
    document.addEventListener('pointerover', show)
    document.addEventListener('focusin', show)
    // What was pressed does something now, and often just there.
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusout', leave)
    document.addEventListener('keydown', leave)
    document.addEventListener('scroll', leave, { capture: true, passive: true })
    return () => {
      document.removeEventListener('pointerover', show)
      document.removeEventListener('focusin', show)
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusout', leave)
      document.removeEventListener('keydown', leave)
      document.removeEventListener('scroll', leave, { capture: true })
    }
  }, [])

  return <div ref={layer} id={layerId} role="tooltip" popover="manual" className={classes.layer} />
}

function place(element: HTMLElement, anchor: DOMRect) {
  const { width, height } = element.getBoundingClientRect()
  const below = anchor.bottom + gapPx + height < window.innerHeight
  const left = Math.min(
    Math.max(gapPx, anchor.left + (anchor.width - width) / 2),
    window.innerWidth - width - gapPx,
  )
  element.style.setProperty('left', `${Math.max(gapPx, left)}px`)
  element.style.setProperty('top', `${below ? anchor.bottom + gapPx : anchor.top - height - gapPx}px`)
}
