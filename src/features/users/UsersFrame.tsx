import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'

import { links } from '../../app/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { users as text } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { OpenById } from './OpenById.tsx'
import { SegmentPicker } from './SegmentPicker.tsx'
import classes from './UsersPage.module.css'

export interface UsersFrameProps {
  readonly segment: string
  /** How many users there are to page through; absent where it is not known. */
  readonly total?: number | undefined
  readonly children: ReactNode
}

/** What stands above the rows, and stays when there are none. */
export function UsersFrame({ segment, total, children }: UsersFrameProps) {
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title={text.title} actions={<NewUserButton />} />
      <div className={classes.toolbar}>
        <SegmentPicker
          value={segment}
          onChange={(next) => {
            if (next !== segment) void navigate(links.users({ segment: next }))
          }}
        />
        <OpenById />
        <p className={classes.total} aria-live="polite">
          {total !== undefined && text.total(total)}
        </p>
      </div>
      {children}
    </>
  )
}

export function NewUserButton() {
  const denied = useDenied('users:write')
  return (
    <DisabledReason reason={denied}>
      <Button component={Link} to={links.newUser()} leftSection={<IconPlus size={15} />}>
        {text.create.action}
      </Button>
    </DisabledReason>
  )
}
