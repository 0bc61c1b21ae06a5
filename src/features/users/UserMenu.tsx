import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Popover.layer.css'

import { Menu } from '@mantine/core'
import { IconLink, IconTrash } from '@tabler/icons-react'

import { useDenied } from '../../auth/use-session.ts'
import { users as text } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { MenuFace } from './UserActions.tsx'
import classes from './UserPage.module.css'

export interface UserMenuProps {
  readonly onCopyInvitation: () => void
  readonly onDelete: () => void
}

/** Mounted by the click that wants it, so it opens at once. */
export function UserMenu({ onCopyInvitation, onDelete }: UserMenuProps) {
  const denied = useDenied('users:write')
  return (
    <Menu
      defaultOpened
      position="bottom-end"
      width={220}
      returnFocus
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <MenuFace />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLink size={15} />} onClick={onCopyInvitation}>
          {text.user.copyInvitation}
        </Menu.Item>
        <Menu.Divider />
        <DisabledReason reason={denied}>
          <Menu.Item
            className={classes.danger ?? ''}
            leftSection={<IconTrash size={15} />}
            onClick={onDelete}
          >
            {text.remove.action}
          </Menu.Item>
        </DisabledReason>
      </Menu.Dropdown>
    </Menu>
  )
}
