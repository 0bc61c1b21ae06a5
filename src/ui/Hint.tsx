import { Suspense, useEffect, useState } from 'react'

import { lazyExtra } from './lazy-extra.ts'

/** With the first hint that shows, so that no page waits for it. */
const OpenHint = lazyExtra(async () => (await import('./OpenHint.tsx')).OpenHint)

/**
 * Spread on any element, gives it a hint on hover and keyboard focus: `<time {...hint('2024-03-01 09:30 UTC')}>`.
 * One layer serves the whole page, so a table of 50 rows pays nothing for its hundred hints.
 */
export function hint(text: string | undefined): { 'data-hint'?: string } {
  return text === undefined || text === '' ? {} : { 'data-hint': text }
}

const textId = 'ds-hint'

/**
 * Rendered once, inside the page's main landmark, as all that is read out. A hint stays while its text is pointed at and goes with Escape
 * (WCAG 1.4.13).
 */
export function HintLayer() {
  const [shown, setShown] = useState<{ readonly target: HTMLElement; readonly text: string }>()

  useEffect(() => {
    let target: HTMLElement | undefined
    // What the hint says may change, or be over, under a pointer at rest.
    const changes = new MutationObserver(() => {
      const text = target?.dataset['hint']
      if (target && text) setShown({ target, text })
      else hide()
    })
    const hide = () => {
      changes.disconnect()
      if (target?.getAttribute('aria-describedby') === textId) target.removeAttribute('aria-describedby')
      target = undefined
      setShown(undefined)
    }
    const show = (event: Event) => {
      if (!(event.target instanceof Element) || event.target.closest('[role=tooltip]')) return
      const next = event.target.closest<HTMLElement>('[data-hint]') ?? undefined
      if (next === target) return
      if (event.type === 'focusin' && next?.matches(':focus-visible') === false) return
      if (target) hide()
      if (!next) return
      target = next
      setShown({ target: next, text: next.dataset['hint'] ?? '' })
      changes.observe(next, { attributeFilter: ['data-hint'] })
      // An element that is described already keeps its own description.
      if (!next.hasAttribute('aria-describedby')) next.setAttribute('aria-describedby', textId)
    }
    const leave = (event: Event) => {
      if (
        event instanceof KeyboardEvent
          ? event.key === 'Escape'
          : event.type !== 'focusout' || target === event.target
      )
        hide()
    }
    const listening = new AbortController()
    const { signal } = listening
    for (const type of ['pointerover', 'focusin']) document.addEventListener(type, show, { signal })
    // What was pressed does something now, and often just there.
    for (const type of ['pointerdown', 'focusout', 'keydown'])
      document.addEventListener(type, leave, { signal })
    document.addEventListener('scroll', leave, { signal, capture: true, passive: true })
    return () => {
      listening.abort()
      changes.disconnect()
    }
  }, [])

  return (
    shown && (
      <Suspense>
        <OpenHint target={shown.target}>
          <span id={textId}>{shown.text}</span>
        </OpenHint>
      </Suspense>
    )
  )
}
