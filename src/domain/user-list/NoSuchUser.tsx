import { Button, Group } from '@mantine/core'
import { Link } from 'react-router'

import { userEditText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { hasPage, links } from '../links.ts'
import { BackToList } from './BackToList.tsx'

export function NoSuchUser() {
  return (
    <>
      <PageHeader above={<BackToList />} title={userEditText.user.goneTitle} />
      <EmptyState
        underHeading
        title={userEditText.user.goneBody}
        action={
          <Group gap="xs">
            <Button variant="default" component={Link} to={links.users()}>
              {userEditText.user.toList}
            </Button>
            {hasPage('deletedUsers') && (
              <Button variant="default" component={Link} to={links.deletedUsers()}>
                {userEditText.user.toDeleted}
              </Button>
            )}
          </Group>
        }
      />
    </>
  )
}
