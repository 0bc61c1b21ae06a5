import { IconColumns3 } from '@tabler/icons-react'

import { userText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { earlyPart } from '../../ui/lazy-part.tsx'
import { OpeningButton } from '../../ui/OpeningButton.tsx'
import type { ColumnMenuProps } from './ColumnMenu.tsx'

const ColumnMenu = earlyPart(async () => (await import('./ColumnMenu.tsx')).ColumnMenu)

export function ColumnButton(props: ColumnMenuProps) {
  const face = (
    <IconButton
      data-choose-columns
      bordered
      size="large"
      aria-label={userText.chooseColumns}
      {...hint(userText.chooseColumns)}
    >
      <IconColumns3 size={16} />
    </IconButton>
  )
  return <OpeningButton face={face} opens="menu" part={ColumnMenu} props={props} />
}
