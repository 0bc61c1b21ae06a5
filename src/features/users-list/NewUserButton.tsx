import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'

import { useDenied } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { userText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'

export function NewUserButton() {
  const denied = useDenied('users:write')
  return (
    <DisabledReason reason={denied}>
      <Button component={Link} to={links.newUser()} leftSection={<IconPlus size={15} />}>
        {userText.create.action}
      </Button>
    </DisabledReason>
  )
}
