import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Popover.layer.css'

import { Menu } from '@mantine/core'
import { IconFileDescription, IconLink, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { user, userEdit as text } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { MenuFace } from './UserActions.tsx'
import classes from './UserPage.module.css'

export interface UserMenuProps {
  readonly userId: string
  readonly onCopyInvitation: () => void
  readonly onDelete: () => void
}

/** Mounted by the click that wants it, so it opens at once. */
export function UserMenu({ userId, onCopyInvitation, onDelete }: UserMenuProps) {
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
        <Menu.Item
          component={Link}
          to={links.subjectAccess(userId)}
          leftSection={<IconFileDescription size={15} />}
        >
          {user.record.access}
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
