import { useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'

import { areas } from '../../auth/areas.ts'
import { isTyped, singleKeyOf } from '../../ui/keys/shortcut.ts'
import { stopTypingAhead } from '../../ui/keys/typed-ahead.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { areKeysOn, showKeysOn } from './preferences.ts'

const KeysSheet = lazyPart(async () => (await import('./KeysSheet.tsx')).KeysSheet)

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
      const { target, repeat, timeStamp } = event
      if (!(target instanceof Element) || target.matches(fields)) return
      if (event.key === ' ' && timeStamp - writtenAtMs <= wordsMs) return keepFromPressing(event, signal)
      const key = singleKeyOf(event)
      // Stops the key before any other listener gets it.
      if (key !== undefined && !areKeysOn()) event.stopImmediatePropagation()
      // The key itself must not be written into what it opens.
      else if (key !== undefined && !repeat && press(key, target, open)) return event.preventDefault()
      if (isTyped(event) && !(key !== undefined && pageKeys.includes(key))) writtenAtMs = timeStamp
    }
    addEventListener('keydown', onKey, { signal, capture: true })
    document.addEventListener(showKeys, open, { signal })
    return () => listening.abort()
  }, [])
  const { state } = useNavigation()
  const { key } = useLocation()
  const arrivedAt = state === 'idle' ? key : undefined
  useEffect(() => {
    if (arrivedAt !== undefined) stopTypingAhead()
  }, [arrivedAt])
  return isOpen && <KeysSheet onClose={() => setOpen(false)} />
}

/** Time within which the second key of a shortcut such as `g u` must follow the `g`. */
const goesMs = 2000

let wentAtMs = Number.NEGATIVE_INFINITY

/** Returns whether the key does something. */
function press(key: string, target: Element, openSheet: () => void, nowMs = performance.now()): boolean {
  const isGoing = nowMs - wentAtMs <= goesMs
  wentAtMs = key === 'g' && !isGoing ? nowMs : Number.NEGATIVE_INFINITY
  if (key === 'g') return true
  if (isGoing) {
    const area = areas.find(({ path }) => path.startsWith(key))
    if (area) control(`aside nav a[href$="/${area.path}"]:not([aria-disabled])`)?.click()
    return area !== undefined
  }
  if (key === '?') openSheet()
  else if (key === 'e') edit(target)
  else if (key === 'a') add(target)
  else if (key === 'f') control('#main [data-add-condition]')?.click()
  else return false
  return true
}

const fields = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]'

/** Keys of which a page makes something itself: to search its list, and to go to the user before or after. */
const pageKeys = '/[]'

/** Time within which a blank belongs to the words before it. */
const wordsMs = 1000

let writtenAtMs = Number.NEGATIVE_INFINITY

/**
 * Keeps a blank among words that somebody types without being in a field from pressing the button that has the focus:
 * the next words would go into what it opens, and the next blank would press the button of that.
 */
function keepFromPressing(event: KeyboardEvent, signal: AbortSignal) {
  event.stopImmediatePropagation()
  event.preventDefault()
  writtenAtMs = event.timeStamp
  // Firefox presses a button as the key is let go.
  addEventListener('keyup', (up) => up.preventDefault(), { signal, capture: true, once: true })
}

const control = (selector: string) => document.querySelector<HTMLElement>(selector)

/** Adds a property to the focused entity, or to the first one. */
function add(target: Element) {
  const way = '[data-adds-property]'
  const here = target.closest('section')?.querySelector<HTMLElement>(way)
  ;(here ?? control(`#main ${way}`))?.click()
}

/** Edits the focused row; if none has the focus, focuses the first row of the record. */
function edit(target: Element) {
  const here =
    target.closest<HTMLElement>('[data-row]') ??
    target.closest('dl > div')?.querySelector<HTMLElement>('[data-row]')
  if (here) here.click()
  else control('#main [data-row="true"]')?.focus()
}
