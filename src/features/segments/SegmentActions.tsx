import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'

import type { Segment } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { usePins } from '../../domain/people/pins.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import { nameOf } from '../../domain/segments/names.ts'
import { segmentEditText, segmentText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { MainAction } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { DeleteSegment } from './DeleteSegment.tsx'
import { dependentsOf } from './dependents.ts'
import { SegmentMenu } from './SegmentMenu.tsx'

const text = segmentText.detail

export interface SegmentActionsProps {
  readonly segment: Segment
  /** Absent: they could not be read. */
  readonly all: readonly Segment[] | undefined
}

/** What can be done with a segment: what is done often, and the rest behind ⋯. */
export function SegmentActions({ segment, all }: SegmentActionsProps) {
  const { id } = segment
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const pins = usePins('segments')
  const mayNotRead = useDenied('users:read')
  const mayNotWrite = useDenied('segments:write')
  const mayNotStart = mayNotWrite ?? (segment.filter === undefined ? segmentEditText.noFilter : undefined)
  // Refused where the filter looks at sensitive values: then the list of users says why.
  const { data: users } = useQuery({ ...usersQuery({ segment: id }), enabled: mayNotRead === undefined })

  const leave = async () => {
    if (pins.ids.includes(id)) pins.toggle?.(id)
    await navigate(links.segments(), { replace: true })
    showToast({ message: segmentText.remove.deleted(nameOf(segment)) })
  }
  return (
    <>
      <DisabledReason reason={mayNotRead}>
        <Button
          variant="default"
          component={Link}
          to={links.users({ segment: id })}
          leftSection={<IconUsers size={15} stroke={1.75} aria-hidden />}
        >
          {text.users(users?.total ?? undefined)}
        </Button>
      </DisabledReason>
      <DisabledReason reason={mayNotRead}>
        <Button variant="default" component={Link} to={links.exportUsers({ segment: id })}>
          {text.export}
        </Button>
      </DisabledReason>
      <MainAction>
        <DisabledReason reason={mayNotStart}>
          <Button component={Link} to={links.editSegment(id)}>
            {text.edit}
          </Button>
        </DisabledReason>
        <SegmentMenu
          segmentId={id}
          mayNotStart={mayNotStart}
          mayNotWrite={mayNotWrite}
          onDelete={() => setDeleting(true)}
        />
      </MainAction>
      {deleting && (
        <DeleteSegment
          segment={segment}
          dependents={all && dependentsOf(id, all)}
          onDeleted={leave}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
