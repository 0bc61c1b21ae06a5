import { IconColumns3 } from '@tabler/icons-react'

import { userText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { LazyMenu } from '../../ui/LazyMenu.tsx'
import type { ColumnMenuProps } from './ColumnMenu.tsx'

const load = async () => (await import('./ColumnMenu.tsx')).ColumnMenu

/** The button of the menu of columns, which comes when it is reached for. */
export function ChooseColumns(given: Omit<ColumnMenuProps, 'face'>) {
  return (
    <LazyMenu
      load={load}
      given={given}
      face={
        <IconButton
          data-choose-columns
          bordered
          size="large"
          aria-haspopup="menu"
          aria-label={userText.chooseColumns}
          {...hint(userText.chooseColumns)}
        >
          <IconColumns3 size={16} />
        </IconButton>
      }
    />
  )
}
