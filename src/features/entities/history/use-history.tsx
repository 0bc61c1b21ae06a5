import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'

import { offers } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { entityText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { EntityDraft } from '../entity-draft.ts'
import type { HistoryPanelProps } from './HistoryPanel.tsx'

// It comes when a button is pointed at, and is opened once it is there: nothing typed hangs on it.
const loadPanel = () => import('./HistoryPanel.tsx')
const HistoryPanel = lazy(async () => ({ default: (await loadPanel()).HistoryPanel }))

/** Asked for ahead, by who points at the button. */
function fetchHistory(): void {
  void loadPanel().catch(() => undefined)
}

/** Why there is no history to see; `undefined`: there is. */
export function useHistoryDenied(): string | undefined {
  const denied = useDenied('events:read', 'users:read', 'entities:read')
  return offers('events.filter') && offers('changesets') ? denied : entityText.history.unavailable
}

/** The history of an entity and of its properties, over its form. */
export function useHistory({
  entityId,
  onPutBack,
  ...props
}: Pick<HistoryPanelProps, 'userId' | 'draft' | 'denied' | 'onReadAgain'> & {
  readonly entityId: string | undefined
  /** @param rowId Where it is to be seen, where that is one row. */
  readonly onPutBack: (draft: EntityDraft, rowId?: string) => void
}): { readonly open: (key?: string) => void; readonly panel: ReactNode } {
  const [asked, setAsked] = useState<{ readonly about: string | undefined }>()
  const [said, setSaid] = useState('')
  const open = useCallback((about?: string) => {
    setSaid('')
    loadPanel().then(
      () => setAsked({ about }),
      () => showToast({ tone: 'failure', message: entityText.history.notLoaded }),
    )
  }, [])
  const panel = (
    <>
      <output className="ds-visually-hidden">{said}</output>
      {asked && entityId !== undefined && (
        <Suspense>
          <HistoryPanel
            {...props}
            entityId={entityId}
            about={asked.about}
            onClose={() => setAsked(undefined)}
            onPutBack={(draft, words, rowId) => {
              setAsked(undefined)
              setSaid(words)
              onPutBack(draft, rowId)
            }}
          />
        </Suspense>
      )}
    </>
  )
  return { open, panel }
}

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
