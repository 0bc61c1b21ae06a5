import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'

import { Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

import { sharedText } from '../messages/index.ts'
import { useFocusBack } from './use-focus-back.ts'

export interface DialogProps {
  readonly title: string
  /** Escape, the close button, a click beside it. Absent: it can only be answered. */
  readonly onClose?: () => void
  readonly children: ReactNode
  /** Buttons, the main one last. */
  readonly actions?: ReactNode
  /** In pixels, where there is room for it: more than a question where things stand side by side. */
  readonly width?: number
  /** Hides the page behind it, and lies over other dialogs, for a locked session. */
  readonly opaque?: boolean
}

/** Mantine's own focus comes a moment later, and what is typed in between would go to the page behind. */
function focusAtOnce(content: HTMLElement | null) {
  content?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
}

/** A question in Mantine's Modal, with its answers at the foot. Mount it to open it. */
export function Dialog({ title, onClose, children, actions, width = 460, opaque = false }: DialogProps) {
  useFocusBack()
  const isClosable = onClose !== undefined
  return (
    <Modal
      opened
      title={title}
      size={width}
      onClose={() => onClose?.()}
      withCloseButton={isClosable}
      closeOnEscape={isClosable}
      closeOnClickOutside={isClosable}
      closeButtonProps={{ 'aria-label': sharedText.close }}
      {...(opaque && { zIndex: 400, overlayProps: { style: { background: 'var(--ds-surface)' } } })}
    >
      <Stack gap="sm" ref={focusAtOnce}>
        {children}
      </Stack>
      {actions !== undefined && (
        <Group gap="xs" justify="flex-end" mt="lg">
          {actions}
        </Group>
      )}
    </Modal>
  )
}
