import { Button } from '@mantine/core'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { userList as text } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { ListedPlace } from './ListedUsers.tsx'
import { NewUserButton } from './UsersFrame.tsx'

/** In the place of the rows, where there are none. */
export function NoUsers({ segment, offset }: ListedPlace) {
  const { list } = text
  if (offset !== '')
    return (
      <EmptyState
        title={list.emptyPageTitle}
        action={<Link to={links.users({ segment })}>{list.firstPage}</Link>}
      >
        {list.emptyPageBody}
      </EmptyState>
    )
  if (segment !== '')
    return (
      <EmptyState
        title={list.emptySegmentTitle}
        action={
          <Button variant="default" component={Link} to={links.segment(segment)}>
            {list.showSegment}
          </Button>
        }
      >
        {list.emptySegmentBody}
      </EmptyState>
    )
  return (
    <EmptyState title={list.emptyTitle} action={<NewUserButton />}>
      {list.emptyBody}
    </EmptyState>
  )
}
