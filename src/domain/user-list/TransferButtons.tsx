import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'

import { links } from '../links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { users as text } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import type { UserSource } from './pages.ts'

export interface TransferButtonsProps {
  readonly segment: string
  readonly source: UserSource
}

/** Ways out of the list and into it. What is searched for is found by the place of this list, not in the address. */
export function TransferButtons({ segment, source }: TransferButtonsProps) {
  const { key } = useLocation()
  const denied = useDenied('users:write')
  const from: ExportFrom = { place: key, isSearch: source.search !== undefined }
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

/** In the history entry of the export: from which entry of the list it was opened, and whether a search was shown. */
export interface ExportFrom {
  readonly place: string
  readonly isSearch: boolean
}
