import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'

import { KeyHint } from './keys/KeyHint.tsx'
import { ariaKeys } from './keys/shortcut.ts'
import classes from './Hint.module.css'

/**
 * Returns props that give any element a tooltip on hover and keyboard focus: `<time {...hint('2024-03-01 09:30
 * UTC')}>`. One layer serves the whole page, so a table of 50 rows does not pay for its hundred hints. The hint
 * opens below the element; with `data-hint-side="right"` beside it, for elements with text directly below.
 * @param shortcut Keys that trigger the element; passed without a text if the element's own words describe the action.
 */
export function hint(text = '', shortcut?: string) {
  if (shortcut === undefined) return text === '' ? {} : { 'data-hint': text }
  return { 'data-hint': text, 'data-hint-keys': shortcut, 'aria-keyshortcuts': ariaKeys(shortcut) }
}

const textId = 'ds-hint'

interface ShownHint {
  readonly target: HTMLElement
  readonly text: string
  readonly shortcut: string | undefined
  readonly side: 'right' | 'bottom' | 'top'
}

/** Time that the pointer must rest, so that passing over opens nothing. The next hint does not wait again. */
const hintRestMs = 300

function shownOf(target: HTMLElement): ShownHint | undefined {
  const { hint: text = '', hintKeys: shortcut, hintSide } = target.dataset
  // The error of a field is below it.
  const field = target.closest('.mantine-InputWrapper-root, .mantine-Input-wrapper')
  const isWrong = field?.querySelector('[aria-invalid=true]') != null
  const side = hintSide === 'right' ? 'right' : isWrong ? 'top' : 'bottom'
  // Single-key shortcuts are hidden if they are switched off.
  const isOff = 'noSingleKeys' in document.documentElement.dataset && shortcut?.includes('Mod') === false
  return text === '' && (shortcut === undefined || isOff) ? undefined : { target, text, shortcut, side }
}

/** Renders the open hint. Mount it once, in the main landmark. It stays under the pointer, and Escape closes it. */
export function HintLayer() {
  const [shown, setShown] = useState<ShownHint>()

  useEffect(() => {
    let target: HTMLElement | undefined
    let opening: ReturnType<typeof setTimeout> | undefined
    let lastShownMs = Number.NEGATIVE_INFINITY
    // The hint's text may change or vanish while the pointer rests, and so may its element, which tells no other event.
    const changes = new MutationObserver((records) => {
      const next = target?.isConnected === true ? shownOf(target) : undefined
      if (!next) hide()
      else if (opening === undefined && records.some(({ type }) => type === 'attributes')) setShown(next)
    })
    const hide = () => {
      changes.disconnect()
      // A hint that never opened does not count as read.
      if (target && opening === undefined) lastShownMs = performance.now()
      clearTimeout(opening)
      opening = undefined
      if (target?.getAttribute('aria-describedby') === textId) target.removeAttribute('aria-describedby')
      target = undefined
      setShown(undefined)
    }
    const show = (event: Event) => {
      if (!(event.target instanceof Element) || event.target.closest('[role=tooltip]')) return
      const hinted = event.target.closest<HTMLElement>('[data-hint]') ?? undefined
      // A hint would cover the menu that its button has opened.
      const next = hinted?.matches('[aria-haspopup][aria-expanded=true]') === true ? undefined : hinted
      if (next === target) return
      // Keyboard focus does not open a hint without text: `aria-keyshortcuts` already announces the shortcut.
      const isFocused = next?.matches(':focus-visible') === true && next.dataset['hint'] !== ''
      if (event.type === 'focusin' && next && !isFocused) return
      if (target) hide()
      if (!next) return
      target = next
      const open = () => {
        opening = undefined
        setShown(shownOf(next))
      }
      if (event.type === 'focusin' || performance.now() - lastShownMs < hintRestMs) open()
      else opening = setTimeout(open, hintRestMs)
      changes.observe(next, { attributeFilter: ['data-hint'] })
      changes.observe(document.body, { childList: true, subtree: true })
      // An element with a description of its own keeps it, and one that is named by its hint would be read twice.
      const { hint: words = '' } = next.dataset
      const isNamed = words === '' || words === next.getAttribute('aria-label')
      if (!isNamed && !next.hasAttribute('aria-describedby')) next.setAttribute('aria-describedby', textId)
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
    // A press closes the hint, because its result often appears in the same place.
    for (const type of ['pointerdown', 'focusout', 'keydown'])
      document.addEventListener(type, leave, { signal })
    document.addEventListener('scroll', leave, { signal, capture: true, passive: true })
    return () => {
      listening.abort()
      clearTimeout(opening)
      changes.disconnect()
    }
  }, [])

  return shown && <OpenHint {...shown} />
}

function OpenHint({ target, text, shortcut, side }: ShownHint) {
  return (
    <Tooltip
      opened
      target={target}
      label={
        <>
          <span id={textId}>{text}</span> {shortcut !== undefined && <KeyHint shortcut={shortcut} isRead />}
        </>
      }
      multiline
      interactive
      withinPortal={false}
      floatingStrategy="fixed"
      position={side}
      zIndex="var(--mantine-z-index-max)"
      className={classes.hint ?? ''}
    />
  )
}
