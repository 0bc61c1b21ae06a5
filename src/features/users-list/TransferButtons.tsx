import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'

import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { users as text } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import type { ExportFrom, UserSource } from '../../domain/user-list/user-pages.ts'

export interface TransferButtonsProps {
  readonly segment: string
  readonly source: UserSource
}

/** Ways out of the list and into it. What is searched for is found by this entry of the history, not in the address. */
export function TransferButtons({ segment, source }: TransferButtonsProps) {
  const { key } = useLocation()
  const denied = useDenied('users:write')
  const from: ExportFrom = { listEntry: key, isSearch: source.search !== undefined }
  return (
    <>
      <DisabledReason reason={denied}>
        <Button variant="default" component={Link} to={links.importUsers()}>
          {text.import}
        </Button>
      </DisabledReason>
      <Button variant="default" component={Link} to={links.exportUsers({ segment })} state={from}>
        {text.export}
      </Button>
    </>
  )
}
