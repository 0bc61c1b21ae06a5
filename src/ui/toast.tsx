import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

import { sharedText } from '../messages/index.ts'

export interface Toast {
  readonly message: string
  /** A failure stays until it is dismissed, a success for six seconds, or thirty if it has an action. */
  readonly tone?: 'success' | 'failure'
  /** Optional action, such as undo. It must be available elsewhere too, because it disappears with the message. */
  readonly action?: { readonly label: string; readonly onPress: () => void } | undefined
  /** Complete id of the request, for a problem report. */
  readonly requestId?: string | undefined
}

/** Reports the outcome of an action without a place of its own. Form errors are shown in the form instead. */
export function showToast(toast: Toast): void {
  show(toast)
}

/** Reports a state. Returns a function that removes the message when the state has ended. */
export function showWhile(toast: Toast): () => void {
  const id = show(toast)
  return () => void notifications.hide(id)
}

function show({ message, tone = 'success', action, requestId }: Toast): string {
  const failed = tone === 'failure'
  const id = notifications.show({
    // The region around it is live already: a toast that were, too, would be read twice.
    role: 'group',
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
  return id
}

/** Removes all toasts when the person signs out, because a message may contain personal data. */
export function clearToasts(): void {
  notifications.cleanQueue()
  notifications.clean()
}
