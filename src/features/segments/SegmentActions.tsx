import { Box, Button, Menu } from '@mantine/core'
import {
  IconCopy,
  IconDots,
  IconEdit,
  IconPin,
  IconPinnedOff,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'

import type { Segment } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { hasPage, links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { DeleteUsers } from '../../domain/user-list/DeleteUsers.tsx'
import { DeleteDialog } from '../../domain/writing/DeleteDialog.tsx'
import { deleteUsersText, segmentDetailText, segmentEditText, segmentText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { MainAction } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { dependentsOf } from './dependents.ts'
import { deleteSegment } from './queries.ts'

export interface SegmentActionsProps {
  readonly segment: Segment
  /** All segments; undefined if they could not be read. */
  readonly all: readonly Segment[] | undefined
}

export function SegmentActions({ segment, all }: SegmentActionsProps) {
  const { id } = segment
  const [isDeleting, setDeleting] = useState(false)
  const [deletingUsers, setDeletingUsers] = useState<number>()
  const mayNotRead = useDenied('users:read')
  const denied = useDenied('segments:write')
  const mayNotStart = denied ?? (segment.filter === undefined ? segmentEditText.noFilter : undefined)
  // The service refuses this query if the filter uses sensitive values that are hidden from the caller; the list of
  // users then explains why.
  const { data: users } = useQuery({ ...usersQuery({ segment: id }), enabled: mayNotRead === undefined })
  const count = users?.atLeast === true ? undefined : (users?.total ?? undefined)

  return (
    <>
      <DisabledReason reason={mayNotRead}>
        <Button
          variant="default"
          component={Link}
          to={links.users({ segment: id })}
          leftSection={<IconUsers size={15} stroke={1.75} aria-hidden />}
        >
          {typeof users?.total === 'number'
            ? segmentDetailText.showCountedUsers({ count: users.total })
            : segmentDetailText.showUsers}
        </Button>
      </DisabledReason>
      {hasPage('exportUsers') && (
        <DisabledReason reason={mayNotRead}>
          <Button variant="default" component={Link} to={links.exportUsers({ segment: id })}>
            {segmentDetailText.export}
          </Button>
        </DisabledReason>
      )}
      <MainAction>
        {hasPage('editSegment') && (
          <DisabledReason reason={mayNotStart}>
            <Button component={Link} to={links.editSegment(id)}>
              {segmentDetailText.edit}
            </Button>
          </DisabledReason>
        )}
        <SegmentMenu
          segmentId={id}
          mayNotStart={mayNotStart}
          onDelete={() => setDeleting(true)}
          onDeleteUsers={
            count === undefined || count === 0 ? undefined : { count, open: () => setDeletingUsers(count) }
          }
        />
      </MainAction>
      {deletingUsers !== undefined && (
        <DeleteUsers
          target={{ segment: id }}
          count={deletingUsers}
          onClose={() => setDeletingUsers(undefined)}
        />
      )}
      {isDeleting && <DeleteSegment segment={segment} all={all} onClose={() => setDeleting(false)} />}
    </>
  )
}

const deleteSegmentText = segmentText.remove

/** Maximum length of a name that must be typed to confirm; longer ones are a burden and do not fit the dialog. */
const longestWord = 40

function DeleteSegment({ segment, all, onClose }: SegmentActionsProps & { readonly onClose: () => void }) {
  const { id, name } = segment
  const navigate = useNavigate()
  const pins = usePins('segments')
  const named = name?.trim() ?? ''
  const dependents = all && dependentsOf(id, all)
  const leave = async () => {
    if (pins.ids.includes(id)) pins.toggle?.(id)
    await navigate(links.segments(), { replace: true })
    showToast({ message: deleteSegmentText.deleted({ segment: segmentName(segment) }) })
  }
  return (
    <DeleteDialog
      title={deleteSegmentText.title({ segment: segmentName(segment) })}
      word={named === '' || named.length > longestWord ? deleteSegmentText.word : named}
      action={deleteSegmentText.action}
      deletion={deleteSegment(id)}
      failed={({ code }) => (code === 'segment_in_use' ? deleteSegmentText.inUse : deleteSegmentText.failed)}
      own={{ lost: deleteSegmentText.lost }}
      onDeleted={leave}
      onClose={onClose}
    >
      {deleteSegmentText.body}
      {!dependents && <p style={{ marginBlockStart: 8 }}>{deleteSegmentText.usedByUnknown}</p>}
      {dependents && dependents.length > 0 && (
        <>
          <p style={{ marginBlockStart: 8 }}>{deleteSegmentText.usedBy}</p>
          <SegmentLinks segments={dependents} />
        </>
      )}
    </DeleteDialog>
  )
}

export function SegmentLinks({ segments }: { readonly segments: readonly Segment[] }) {
  return (
    <Box component="ul" m={0} p={0} lh="24px" style={{ listStyle: 'none' }}>
      {segments.map((each) => (
        <li key={each.id}>
          <Link to={links.segment(each.id)} dir="auto">
            {segmentName(each)}
          </Link>
        </li>
      ))}
    </Box>
  )
}

interface SegmentMenuProps {
  readonly segmentId: string
  /** Reason why the segment cannot be copied; undefined if it can. */
  readonly mayNotStart: string | undefined
  readonly onDelete: () => void
  /** Undefined while the number of users is unknown, or nobody is in the segment. */
  readonly onDeleteUsers: { readonly count: number; readonly open: () => void } | undefined
}

function SegmentMenu({ segmentId, mayNotStart, onDelete, onDeleteUsers }: SegmentMenuProps) {
  const mayNotDelete = useDenied('users:read', 'users:delete')
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
        {hasPage('jobs') && onDeleteUsers && (
          <DisabledReason reason={mayNotDelete}>
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconTrash size={15} />}
              onClick={onDeleteUsers.open}
            >
              {deleteUsersText.button({ count: onDeleteUsers.count })}
            </Menu.Item>
          </DisabledReason>
        )}
        <DisabledReason reason={useDenied('segments:write')}>
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={15} />} onClick={onDelete}>
            {segmentDetailText.delete}
          </Menu.Item>
        </DisabledReason>
      </Menu.Dropdown>
    </Menu>
  )
}
