import { useLayoutEffect, useState } from 'react'

import { LazyDialog } from '../../ui/LazyDialog.tsx'
import { singleKeyOf } from '../../ui/single-key.ts'
import { areKeysOn, showKeysOn } from '../preferences.ts'

const loadKeys = () => import('./press.ts')
const loadSheet = async () => (await import('./KeysSheet.tsx')).KeysSheet

/** Sent to the document by whoever wants the sheet of keys to open. */
export const showKeys = 'ds-keys'

/** Single keys that act on the whole page, and the sheet that tells them. Their code comes with the first of them. */
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
      loadKeys().then(
        ({ press }) => press(key, target, open),
        () => undefined,
      )
    }
    addEventListener('keydown', onKey, { signal, capture: true })
    document.addEventListener(showKeys, open, { signal })
    return () => listening.abort()
  }, [])
  return isOpen && <LazyDialog load={loadSheet} given={{ onClose: () => setOpen(false) }} />
}
