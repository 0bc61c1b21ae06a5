import { useLayoutEffect, useState } from 'react'

import { singleKeyOf } from '../../ui/keys/single-key.ts'
import { areKeysOn, showKeysOn } from '../preferences.ts'
import { earlyPart } from '../../ui/lazy-part.tsx'

const KeysSheet = earlyPart(async () => (await import('./KeysSheet.tsx')).KeysSheet)

/** Sent to the document by whoever wants the sheet of keys to open. */
export const showKeys = 'ds-keys'

/** Single keys that act on the whole page, and the sheet that tells them. */
export function PageKeys() {
  const [isOpen, setOpen] = useState(false)
  // Before the page can be seen, so that no key is lost.
  useLayoutEffect(() => {
    showKeysOn()
    const listening = new AbortController()
    const { signal } = listening
    const open = () => setOpen(true)
    const onKey = (event: KeyboardEvent) => {
      const { target, repeat } = event
      const key = singleKeyOf(event)
      if (key === undefined || !(target instanceof Element)) return
      // Before anybody else hears of it.
      if (!areKeysOn()) return event.stopImmediatePropagation()
      if (repeat) return
      press(key, target, open)
    }
    addEventListener('keydown', onKey, { signal, capture: true })
    document.addEventListener(showKeys, open, { signal })
    return () => listening.abort()
  }, [])
  return isOpen && <KeysSheet onClose={() => setOpen(false)} />
}

/** An area of the navigation, by the letter after `g`. */
const areas: Readonly<Record<string, string>> = {
  h: 'home',
  u: 'users',
  s: 'segments',
  e: 'events',
  w: 'webhooks',
  d: 'dictionary',
  a: 'audit',
}
/** So long the letter after `g` may take. */
const goesMs = 2000

let wentAtMs = Number.NEGATIVE_INFINITY

/** Does what a key stands for, where the page has something for it. */
function press(key: string, target: Element, openSheet: () => void, nowMs = performance.now()): void {
  const isGoing = nowMs - wentAtMs <= goesMs
  wentAtMs = key === 'g' && !isGoing ? nowMs : Number.NEGATIVE_INFINITY
  if (key === 'g') return
  const area = areas[key]
  if (isGoing) {
    if (area !== undefined) control(`aside nav a[href$="/${area}"]:not([aria-disabled])`)?.click()
  } else if (key === '?') openSheet()
  else if (key === 'e') edit(target)
  else if (key === 'a') add(target)
}

const control = (selector: string) => document.querySelector<HTMLElement>(selector)

/** To the entity that has the focus; without one to the first. */
function add(target: Element) {
  const way = '[data-adds-property]'
  const here = target.closest('section')?.querySelector<HTMLElement>(way)
  ;(here ?? control(`#main ${way}`))?.click()
}

/** The row that has the focus; without one the first row takes it. */
function edit(target: Element) {
  const here = target.closest('dl > div')?.querySelector<HTMLElement>('[data-row]')
  if (here) here.click()
  else control('#main [data-row]')?.focus()
}
