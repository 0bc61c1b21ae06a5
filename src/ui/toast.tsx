import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

import { sharedText } from '../messages/index.ts'

export interface Toast {
  readonly message: string
  /** A failure stays until it is dismissed; a success goes after six seconds, one that can be answered after thirty. */
  readonly tone?: 'success' | 'failure'
  /** Takes it back, for example. What is offered here alone would be gone with the message. */
  readonly action?: { readonly label: string; readonly onPress: () => void }
  /** Whole, for a report. */
  readonly requestId?: string | undefined
}

/** Says the outcome of an action that has no place of its own on the page. Form errors stand in the form instead. */
export function showToast({ message, tone = 'success', action, requestId }: Toast): void {
  const failed = tone === 'failure'
  const id = notifications.show({
    role: 'status',
    title: message,
    message: action ? (
      <Button
        variant="default"
        size="compact-sm"
        mt={4}
        onClick={() => {
          notifications.hide(id)
          action.onPress()
        }}
      >
        {action.label}
      </Button>
    ) : (
      requestId !== undefined &&
      sharedText.requestId.withElements({ id: <span className="ds-mono">{requestId}</span> })
    ),
    color: failed ? 'red' : 'green',
    icon: failed ? <IconAlertTriangle size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />,
    autoClose: failed ? false : action ? 30_000 : 6000,
    withBorder: true,
    closeButtonProps: { 'aria-label': sharedText.dismiss },
  })
}

/** On signing out: a message may name a person. */
export function clearToasts(): void {
  notifications.cleanQueue()
  notifications.clean()
}
