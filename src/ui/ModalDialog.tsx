import { Group, Modal, Stack } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef } from 'react'

import { sharedText } from '../messages/index.ts'

export interface DialogProps {
  readonly title: string
  /** Escape, the close button, a click beside it. Absent: it can only be answered. */
  readonly onClose?: () => void
  readonly children: ReactNode
  /** Buttons, the main one last: it has the focus first, unless something is marked with `data-autofocus`. */
  readonly actions?: ReactNode
  /** In pixels, where there is room for it: more than a question where things stand side by side. */
  readonly width?: number
  /** Hides the page behind it, and lies over other dialogs, for a locked session. */
  readonly opaque?: boolean
}

/** So that Enter does what the dialog is for. */
function focusFirst(content: HTMLElement | null) {
  const first =
    content?.querySelector<HTMLElement>('[data-autofocus]') ??
    content?.querySelector<HTMLElement>('[data-answers] > :last-child')
  // Marks the element for Mantine, which focuses it a moment later. Focused here as well, so that no key pressed until
  // then reaches the page behind.
  first?.setAttribute('data-autofocus', 'true')
  first?.focus({ preventScroll: true })
}

/** Ignores repetitions of an Enter held down since it opened the dialog: they must not press its buttons. */
function ignoreHeld(event: KeyboardEvent) {
  if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement)
    event.preventDefault()
}

interface ModalDialogProps extends DialogProps {
  readonly isTopmost: () => boolean
}

/** The open dialog of `Dialog.tsx`, in the file that comes after the first page. */
export function ModalDialog({
  title,
  onClose,
  children,
  actions,
  width = 460,
  opaque = false,
  isTopmost,
}: ModalDialogProps) {
  const content = useRef<HTMLDivElement>(null)
  const begin = useCallback((element: HTMLDivElement | null) => {
    content.current = element
    focusFirst(element)
  }, [])
  useEffect(() => {
    // The focused element may have been removed or disabled.
    if (document.activeElement === document.body) focusFirst(content.current)
  })
  useEffect(() => {
    let last: HTMLElement | undefined
    // A menu gives the focus back to its button some milliseconds after the dialog took it, and the next keys would go there.
    const keepFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      if (content.current?.contains(target)) last = target
      else if (target.getAttribute('aria-haspopup') === 'menu' && isTopmost() && content.current) {
        last?.focus({ preventScroll: true })
        // The last one may have gone, or be disabled by now.
        if (document.activeElement === target) focusFirst(content.current)
      }
    }
    document.addEventListener('focusin', keepFocus)
    return () => document.removeEventListener('focusin', keepFocus)
  }, [isTopmost])
  const isClosable = onClose !== undefined
  return (
    <Modal
      opened
      title={title}
      size={width}
      onClose={() => {
        if (isTopmost()) onClose?.()
      }}
      withCloseButton={isClosable}
      closeOnEscape={isClosable}
      closeOnClickOutside={isClosable}
      closeButtonProps={{ 'aria-label': sharedText.close }}
      {...(opaque && { zIndex: 400, overlayProps: { style: { background: 'var(--ds-surface)' } } })}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the buttons in it are what is pressed */}
      <div ref={begin} onKeyDown={ignoreHeld}>
        <Stack gap="sm">{children}</Stack>
        {actions !== undefined && (
          <Group gap="xs" justify="flex-end" mt="lg" data-answers>
            {actions}
          </Group>
        )}
      </div>
    </Modal>
  )
}
