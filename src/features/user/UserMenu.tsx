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

import { ApiError } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { userEditText, userPageText } from '../../messages/index.ts'
import { copyText } from '../../ui/clipboard.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { readInvitation } from './queries.ts'

interface UserMenuProps {
  readonly userId: string
  /** Called when the menu opens, so that the dialog of the deletion is there at once. */
  readonly onPrepareDelete: () => void
  readonly onDelete: () => void
}

export function UserMenu({ userId, onPrepareDelete, onDelete }: UserMenuProps) {
  const denied = useDenied('users:delete')
  const { ids, toggle } = usePins()
  const isPinned = ids.includes(userId)
  const userText = userEditText.user
  return (
    <Menu position="bottom-end" width={220} onOpen={() => denied === undefined && onPrepareDelete()}>
      <Menu.Target>
        <IconButton aria-label={userText.actions} hinted bordered size="large">
          <IconDots size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLink size={15} />} onClick={() => void copyInvitation(userId)}>
          {userText.copyInvitation}
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

async function copyInvitation(userId: string) {
  const { invitationCopied, invitationMissing, invitationFailed } = userEditText.user
  try {
    const link = await readInvitation(userId)
    if (link === undefined) return showToast({ tone: 'failure', message: invitationMissing })
    await copyText(link)
    showToast({ message: invitationCopied })
  } catch (error) {
    const requestId = error instanceof ApiError ? error.requestId : undefined
    showToast({ tone: 'failure', message: invitationFailed, requestId })
  }
}
