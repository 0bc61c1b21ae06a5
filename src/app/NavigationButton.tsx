import { IconMenu2 } from '@tabler/icons-react'
import { useRef, useState } from 'react'

import { shellText } from '../messages/index.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { earlyPart } from '../ui/lazy-part.tsx'
import classes from './Shell.module.css'

const NavigationDrawer = earlyPart(async () => (await import('./NavigationDrawer.tsx')).NavigationDrawer)

export function NavigationButton() {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setIsOpen(false)
    button.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <IconButton
        ref={button}
        className={classes.burger}
        size="large"
        aria-label={shellText.openNavigation}
        onClick={() => setIsOpen(true)}
      >
        <IconMenu2 size={18} />
      </IconButton>
      {isOpen && <NavigationDrawer onClose={close} />}
    </>
  )
}
