import { Drawer } from '@mantine/core'

import { shellText } from '../messages/index.ts'
import { useOverlay } from '../ui/overlay-hooks.ts'
import { Navigation } from './Navigation.tsx'
import classes from './Shell.module.css'

/** Navigation on narrow screens. Mounting it opens it. */
export function NavigationDrawer({ onClose }: { readonly onClose: () => void }) {
  const isTopmost = useOverlay()
  return (
    <Drawer
      opened
      onClose={() => {
        if (isTopmost()) onClose()
      }}
      size="min(280px, calc(100vw - 56px))"
      padding="0 8px"
      withCloseButton={false}
      // `onClose` moves the focus back to the button.
      returnFocus={false}
      // Closes without a transition, so that the next page's heading can take the focus.
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': shellText.navigation } }}
      className={classes.drawer}
    >
      <Navigation onFollow={onClose} />
    </Drawer>
  )
}
