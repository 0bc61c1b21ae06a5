import { Menu } from '@mantine/core'
import {
  IconBraces,
  IconDots,
  IconFileDescription,
  IconLink,
  IconPin,
  IconPinnedOff,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { useDenied } from '../../auth/use-session.ts'
import { userPageText, userEditText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { showToast } from '../../ui/toast.tsx'

export interface UserMenuProps {
  readonly userId: string
  readonly onCopyInvitation: () => void
  readonly onDelete: () => void
}

export function UserMenu({ userId, onCopyInvitation, onDelete }: UserMenuProps) {
  const denied = useDenied('users:delete')
  const { ids, toggle } = usePins()
  const isPinned = ids.includes(userId)
  const userText = userEditText.user
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <IconButton {...hint(userText.actions)} bordered size="large" aria-label={userText.actions}>
          <IconDots size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLink size={15} />} onClick={onCopyInvitation}>
          {userEditText.user.copyInvitation}
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={links.subjectAccess(userId)}
          leftSection={<IconFileDescription size={15} />}
        >
          {userPageText.record.access}
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={links.userRecord(userId)}
          preventScrollReset
          leftSection={<IconBraces size={15} />}
        >
          {userPageText.record.open}
        </Menu.Item>
        {toggle && (
          <Menu.Item
            leftSection={isPinned ? <IconPinnedOff size={15} /> : <IconPin size={15} />}
            onClick={() => {
              toggle(userId)
              showToast({ message: isPinned ? userText.unpinned : userText.pinned })
            }}
          >
            {isPinned ? userText.unpin : userText.pin}
          </Menu.Item>
        )}
        <Menu.Divider />
        <DisabledReason reason={denied}>
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={15} />} onClick={onDelete}>
            {userEditText.remove.action}
          </Menu.Item>
        </DisabledReason>
      </Menu.Dropdown>
    </Menu>
  )
}
