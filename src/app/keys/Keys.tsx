import { useLayoutEffect, useState } from 'react'

import { areas } from '../../auth/areas.ts'
import { singleKeyOf } from '../../ui/keys/shortcut.ts'
import { areKeysOn, showKeysOn } from '../preferences.ts'
import { earlyPart } from '../../ui/lazy-part.tsx'

const KeysSheet = earlyPart(async () => (await import('./KeysSheet.tsx')).KeysSheet)

/** Event that opens the sheet of keys; dispatched on the document. */
export const showKeys = 'ds-keys'

/** Handles single keys that act on the whole page, and shows the sheet that lists them. */
export function PageKeys() {
  const [isOpen, setOpen] = useState(false)
  // Listens before the page is visible, so that no key is lost.
  useLayoutEffect(() => {
    showKeysOn()
    const listening = new AbortController()
    const { signal } = listening
    const open = () => setOpen(true)
    const onKey = (event: KeyboardEvent) => {
      const { target, repeat } = event
      const key = singleKeyOf(event)
      if (key === undefined || !(target instanceof Element)) return
      // Stops the key before any other listener gets it.
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

/** Time within which the second key of a shortcut such as `g u` must follow the `g`. */
const goesMs = 2000

let wentAtMs = Number.NEGATIVE_INFINITY

function press(key: string, target: Element, openSheet: () => void, nowMs = performance.now()): void {
  const isGoing = nowMs - wentAtMs <= goesMs
  wentAtMs = key === 'g' && !isGoing ? nowMs : Number.NEGATIVE_INFINITY
  if (key === 'g') return
  if (isGoing) {
    const area = areas.find(({ path }) => path.startsWith(key))
    if (area) control(`aside nav a[href$="/${area.path}"]:not([aria-disabled])`)?.click()
  } else if (key === '?') openSheet()
  else if (key === 'e') edit(target)
  else if (key === 'a') add(target)
}

const control = (selector: string) => document.querySelector<HTMLElement>(selector)

/** Adds a property to the focused entity, or to the first one. */
function add(target: Element) {
  const way = '[data-adds-property]'
  const here = target.closest('section')?.querySelector<HTMLElement>(way)
  ;(here ?? control(`#main ${way}`))?.click()
}

/** Edits the focused row; if none has the focus, focuses the first row. */
function edit(target: Element) {
  const here = target.closest('dl > div')?.querySelector<HTMLElement>('[data-row]')
  if (here) here.click()
  else control('#main [data-row]')?.focus()
}
