import { Drawer } from '@mantine/core'
import { cloneElement, type ComponentProps, useRef, useState } from 'react'

import { shellText } from '../messages/index.ts'
import { useTopmost } from '../ui/use-topmost.ts'
import { burger, Product } from './Frame.tsx'
import { Navigation } from './Navigation.tsx'
import classes from './Shell.module.css'
import { ShellFoot } from './ShellFoot.tsx'

/** The navigation of narrow screens, and the button that opens it. */
export function NavigationDrawer() {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isTopmost = useTopmost(isOpen)
  const close = () => {
    setIsOpen(false)
    button.current?.focus({ preventScroll: true })
  }
  return (
    <>
      {cloneElement<ComponentProps<'button'>>(burger, { ref: button, onClick: () => setIsOpen(true) })}
      <Drawer
        opened={isOpen}
        onClose={() => {
          if (isTopmost()) close()
        }}
        size="min(280px, calc(100vw - 56px))"
        padding="0 8px"
        withCloseButton={false}
        // To the button of now: the one that was pressed has been drawn anew.
        returnFocus={false}
        // Gone at once, so that the next page's heading may take the focus.
        transitionProps={{ duration: 0 }}
        attributes={{ content: { 'aria-label': shellText.navigation } }}
        className={classes.drawer}
      >
        <Product />
        <Navigation onFollow={close} />
        <ShellFoot onFollow={close} />
      </Drawer>
    </>
  )
}
