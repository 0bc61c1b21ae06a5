import { Menu, type MenuProps } from '@mantine/core'
import { cloneElement } from 'react'

import type { MenuFace } from './LazyMenu.tsx'

/** The menu of a `LazyMenu`: mounted by the press that wants it, so it opens at once. */
export function OpenedMenu({ face, children, ...props }: MenuProps & { readonly face: MenuFace }) {
  return (
    <Menu
      defaultOpened
      returnFocus
      // Beside its button, in the same landmark; and the first item has the focus, without a stop of its own before it.
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      {...props}
    >
      {/* Its hint would stay over the menu. */}
      <Menu.Target>{cloneElement(face, { 'data-hint': undefined } as object)}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
