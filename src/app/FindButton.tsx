import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'

import type { FindDialogProps } from './find/FindDialog.tsx'
import { useRecent } from '../domain/people/recent.ts'
import { shellText } from '../messages/index.ts'
import { isApple, nameControlKey } from '../ui/keys/platform.ts'
import { isModalOpen } from '../ui/is-modal-open.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import classes from './Shell.module.css'

const FindDialog = lazyPart(async () => (await import('./find/FindDialog.tsx')).FindDialog)

/** Button and shortcut for finding anything from any page. The dialog's code is loaded on demand. */
export function FindButton(commanded: Pick<FindDialogProps, 'zone' | 'onZone'>) {
  const recent = useRecent()
  const [isOpen, setIsOpen] = useState(false)
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event)) return
    if ((!isOpen && isModalOpen()) || event.isComposing) return
    event.preventDefault()
    setIsOpen(!isOpen)
  })
  // Listens from the first paint on: the shortcut may be pressed as soon as the page is visible.
  useLayoutEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    // Loads the dialog early, so that keys typed right after the shortcut reach its field.
    const timer = setTimeout(FindDialog.prefetch, idleMs)
    return () => clearTimeout(timer)
  }, [])

  return (
    <>
      <Button
        variant="default"
        classNames={{ root: classes.find ?? '', section: classes.findIcon ?? '' }}
        leftSection={<IconSearch size={15} stroke={1.75} aria-hidden />}
        rightSection={<kbd aria-hidden>{nameControlKey()} K</kbd>}
        aria-haspopup="dialog"
        aria-keyshortcuts={isApple() ? 'Meta+K' : 'Control+K'}
        onClick={() => setIsOpen(true)}
        onPointerEnter={FindDialog.prefetch}
        onFocus={FindDialog.prefetch}
      >
        <span className={classes.findText}>{shellText.find}</span>
      </Button>
      {isOpen && <FindDialog {...commanded} recent={recent} onClose={() => setIsOpen(false)} />}
    </>
  )
}

const idleMs = 3000

function isShortcut({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  // On keyboards of other scripts the key has another letter but the same position.
  const isKey = /^[a-z]$/i.test(key) ? key.toLowerCase() === 'k' : code === 'KeyK'
  // On Apple systems Control-K is another command of text fields.
  return isKey && !altKey && !shiftKey && (isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey)
}
