import { Drawer } from '@mantine/core'

import { shellText } from '../messages/index.ts'
import { useTopmost } from '../ui/use-topmost.ts'
import { Product } from './Frame.tsx'
import { Navigation } from './Navigation.tsx'
import classes from './Shell.module.css'
import { ShellFoot } from './ShellFoot.tsx'

/** The navigation of narrow screens. Mount it to open it. */
export function NavigationDrawer({ onClose }: { readonly onClose: () => void }) {
  const isTopmost = useTopmost()
  return (
    <Drawer
      opened
      onClose={() => {
        if (isTopmost()) onClose()
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
      <Navigation onFollow={onClose} />
      <ShellFoot onFollow={onClose} />
    </Drawer>
  )
}
