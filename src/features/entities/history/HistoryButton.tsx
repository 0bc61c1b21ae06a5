import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'

import { entityText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { fetchHistory } from './use-history.tsx'

export interface HistoryButtonProps {
  /** Of one property, by the key that it is stored under; absent: of the entity. */
  readonly about?: string
  readonly denied: string | undefined
  readonly onOpen: (about?: string) => void
}

export function HistoryButton({ about, denied, onOpen }: HistoryButtonProps) {
  const does = {
    onClick: () => onOpen(about),
    ...(denied === undefined && { onPointerEnter: fetchHistory, onFocus: fetchHistory }),
  }
  return (
    <DisabledReason reason={denied}>
      {about === undefined ? (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconHistory size={14} stroke={1.75} />}
          {...does}
        >
          {entityText.history.open}
        </Button>
      ) : (
        <IconButton
          aria-label={entityText.history.of(about)}
          {...hint(entityText.history.of(about))}
          {...does}
        >
          <IconHistory size={16} stroke={1.75} />
        </IconButton>
      )}
    </DisabledReason>
  )
}
