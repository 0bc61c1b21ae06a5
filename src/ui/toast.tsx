import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

import { sharedText } from '../messages/index.ts'

export interface Toast {
  readonly message: string
  /** A failure stays until it is dismissed; a success goes after six seconds. */
  readonly tone?: 'success' | 'failure'
  /** Whole, for a report. */
  readonly requestId?: string | undefined
}

/** Says the outcome of an action that has no place of its own on the page. Form errors stand in the form instead. */
export function showToast({ message, tone = 'success', requestId }: Toast): void {
  const failed = tone === 'failure'
  notifications.show({
    role: 'status',
    title: message,
    message: requestId !== undefined && (
      <>
        {sharedText.requestId} <span className="ds-mono">{requestId}</span>
      </>
    ),
    color: failed ? 'red' : 'green',
    icon: failed ? <IconAlertTriangle size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />,
    autoClose: failed ? false : 6000,
    withBorder: true,
    closeButtonProps: { 'aria-label': sharedText.dismiss },
  })
}

/** On signing out: a message may name a person. */
export function clearToasts(): void {
  notifications.cleanQueue()
  notifications.clean()
}
