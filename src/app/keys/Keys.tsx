import { useLayoutEffect, useState } from 'react'

import { singleKeyOf } from '../../ui/single-key.ts'
import { areKeysOn, showKeysOn } from '../preferences.ts'
import { KeysSheet } from './KeysSheet.tsx'
import { press } from './press.ts'

/** Sent to the document by whoever wants the sheet of keys to open. */
export const showKeys = 'ds-keys'

/** Single keys that act on the whole page, and the sheet that tells them. */
export function Keys() {
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
