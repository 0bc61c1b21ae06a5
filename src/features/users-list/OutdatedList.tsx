import { Button } from '@mantine/core'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { userList as text } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { UsersFrame } from './UsersFrame.tsx'

export interface OutdatedListProps {
  /** What the service does not know (any more). */
  readonly missing: 'segment' | 'offset'
  readonly segment: string
}

/** What an outdated address of the list leads to. */
export function OutdatedList({ missing, segment }: OutdatedListProps) {
  const { list } = text
  return (
    <UsersFrame segment={segment} source={{ segment }}>
      <EmptyState
        title={missing === 'segment' ? list.segmentGoneTitle : list.offsetGoneTitle}
        action={
          <Button component={Link} to={links.users(missing === 'segment' ? {} : { segment })}>
            {missing === 'segment' ? list.allUsers : list.firstPage}
          </Button>
        }
      >
        {missing === 'segment' ? list.segmentGoneBody : list.offsetGoneBody}
      </EmptyState>
    </UsersFrame>
  )
}
