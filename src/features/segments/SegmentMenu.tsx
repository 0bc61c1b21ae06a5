import { Menu } from '@mantine/core'
import { IconCopy, IconDots, IconEdit, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { hasPage, links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { segmentDetailText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { hint } from '../../ui/Hint.tsx'
import { showToast } from '../../ui/toast.tsx'

export interface SegmentMenuProps {
  readonly segmentId: string
  /** Reasons why the segment cannot be copied (`mayNotStart`) or changed (`mayNotWrite`); undefined if it can. */
  readonly mayNotStart: string | undefined
  readonly mayNotWrite: string | undefined
  readonly onDelete: () => void
}

export function SegmentMenu({ segmentId, mayNotStart, mayNotWrite, onDelete }: SegmentMenuProps) {
  const { ids, toggle } = usePins('segments')
  const mayNotSet = useDenied('users:read', 'entities:read', 'entities:write')
  const isPinned = ids.includes(segmentId)
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <IconButton
          size="large"
          bordered
          {...hint(segmentDetailText.actions)}
          aria-label={segmentDetailText.actions}
        >
          <IconDots size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {hasPage('batch') && (
          <DisabledReason reason={mayNotSet}>
            <Menu.Item
              component={Link}
              to={links.batch({ segment: segmentId })}
              leftSection={<IconEdit size={15} />}
            >
              {segmentDetailText.setProperty}
            </Menu.Item>
          </DisabledReason>
        )}
        <DisabledReason reason={mayNotStart}>
          <Menu.Item
            component={Link}
            to={links.newSegment({ from: segmentId })}
            leftSection={<IconCopy size={15} />}
          >
            {segmentDetailText.duplicate}
          </Menu.Item>
        </DisabledReason>
        {/* Pinned segments are shown on the home page. */}
        {toggle && hasPage('home') && (
          <Menu.Item
            leftSection={isPinned ? <IconPinnedOff size={15} /> : <IconPin size={15} />}
            onClick={() => {
              toggle(segmentId)
              showToast({ message: isPinned ? segmentDetailText.unpinned : segmentDetailText.pinned })
            }}
          >
            {isPinned ? segmentDetailText.unpin : segmentDetailText.pin}
          </Menu.Item>
        )}
        <Menu.Divider />
        <DisabledReason reason={mayNotWrite}>
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={15} />} onClick={onDelete}>
            {segmentDetailText.delete}
          </Menu.Item>
        </DisabledReason>
      </Menu.Dropdown>
    </Menu>
  )
}
