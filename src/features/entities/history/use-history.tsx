import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useCallback, useState } from 'react'

import { offers } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { entityText } from '../../../messages/index.ts'
import { useAnnounced } from '../../../ui/announced.tsx'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { EntityDraft } from '../draft/entity-draft.ts'
import { useLabel } from '../draft/entity-type.ts'
import type { HistoryPanelProps } from './HistoryPanel.tsx'

const HistoryPanel = lazyPart(async () => (await import('./HistoryPanel.tsx')).HistoryPanel)

interface HistoryOptions extends Pick<HistoryPanelProps, 'userId' | 'draft' | 'denied' | 'onReadAgain'> {
  readonly entityId: string | undefined
  /** Whether it is not known what the last save has stored, so that nothing may be put back. */
  readonly isUnsettled: boolean
  readonly onRevertDraft: (draft: EntityDraft, rowId?: string) => void
}

export function useHistory(options: HistoryOptions) {
  const { entityId, isUnsettled, denied, onRevertDraft, ...props } = options
  const [request, setRequest] = useState<{ readonly about: string | undefined }>()
  const [said, setSaid] = useState('')
  const open = useCallback((about?: string) => {
    setSaid('')
    setRequest({ about })
  }, [])
  useAnnounced(said)
  const panel = (
    <>
      {request && entityId !== undefined && (
        <HistoryPanel
          {...props}
          entityId={entityId}
          denied={isUnsettled ? { ...denied, write: entityText.history.unsettled } : denied}
          about={request.about}
          onClose={() => setRequest(undefined)}
          onRevertDraft={(draft, words, rowId) => {
            setRequest(undefined)
            setSaid(words)
            onRevertDraft(draft, rowId)
          }}
        />
      )}
    </>
  )
  return { open, panel }
}

export interface HistoryButtonProps {
  /** Stored key of the property whose history is opened; undefined for the whole entity. */
  readonly about?: string
  readonly onOpen: (about?: string) => void
}

export function HistoryButton({ about, onOpen }: HistoryButtonProps) {
  const label = useLabel()
  const lacking = useDenied('events:read', 'users:read', 'entities:read')
  const denied = offers('getChangeset') ? lacking : entityText.history.unavailable
  const does = {
    onClick: () => onOpen(about),
    ...(denied === undefined && { onPointerEnter: HistoryPanel.prefetch, onFocus: HistoryPanel.prefetch }),
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
        <IconButton aria-label={entityText.history.of({ label: label(about) })} hinted {...does}>
          <IconHistory size={16} stroke={1.75} />
        </IconButton>
      )}
    </DisabledReason>
  )
}
