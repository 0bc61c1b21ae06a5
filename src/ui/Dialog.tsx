import { Button, Group, Modal, Stack } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef } from 'react'

import { sharedText } from '../messages/index.ts'
import { useCovering, useFocusBack, useOverlay } from './overlay-hooks.ts'

interface DialogProps {
  readonly title: string
  /** Called on Escape, the close button, or a click outside. Without it, only an answer closes the dialog. */
  readonly onClose?: () => void
  /** Label of a button before `actions` that closes the dialog too. */
  readonly back?: string
  /** Whether an answer is being carried out, until which the dialog cannot be closed. */
  readonly isBusy?: boolean
  readonly children: ReactNode
  /** Buttons, the main one last. The main one gets the initial focus unless another element has `data-autofocus`. */
  readonly actions?: ReactNode
  /** Preferred width in pixels, for content wider than a question, such as a side-by-side comparison. */
  readonly width?: number
  /** Whether the dialog hides the page and covers other dialogs, as for a locked session. */
  readonly opaque?: boolean
}

const padding = 20

/** The answers stay in sight while a long content is scrolled, with the padding of the dialog below them. */
const answers = {
  gap: 'xs',
  justify: 'flex-end',
  pos: 'sticky',
  bottom: 0,
  mt: 'xs',
  mb: -padding,
  pt: 'sm',
  pb: padding,
  bg: 'var(--ds-raised)',
} as const

/** Focuses the main control first, so that Enter performs the dialog's action. */
function focusFirst(content: HTMLElement | null) {
  const first =
    content?.querySelector<HTMLElement>('[data-autofocus]') ??
    content?.querySelector<HTMLElement>('[data-answers] > :last-child')
  // Mantine focuses the marked element a moment later. It is focused here as well, so that no key pressed until then
  // reaches the page behind.
  first?.setAttribute('data-autofocus', 'true')
  first?.focus({ preventScroll: true })
}

/** Ignores key repeats of the Enter that opened the dialog, so that holding it down does not press a button. */
function ignoreHeld(event: KeyboardEvent) {
  if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement)
    event.preventDefault()
}

/** Dialog that asks a question, with its answers at the bottom, based on Mantine's Modal. Mounting opens it. */
export function Dialog({
  title,
  onClose,
  back,
  isBusy = false,
  children,
  actions,
  width = 460,
  opaque = false,
}: DialogProps) {
  useFocusBack()
  useCovering(opaque)
  const isTopmost = useOverlay()
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
    // A menu returns the focus to its button some milliseconds after the dialog has taken it, so the next keys would go
    // to that button.
    const keepFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      if (content.current?.contains(target)) last = target
      else if (target.getAttribute('aria-haspopup') === 'menu' && isTopmost() && content.current) {
        last?.focus({ preventScroll: true })
        // The previously focused element may be removed or disabled by now.
        if (document.activeElement === target) focusFirst(content.current)
      }
    }
    document.addEventListener('focusin', keepFocus)
    return () => document.removeEventListener('focusin', keepFocus)
  }, [isTopmost])
  const isClosable = onClose !== undefined && !isBusy
  return (
    <Modal
      opened
      title={title}
      size={width}
      padding={padding}
      onClose={() => {
        if (isTopmost()) onClose?.()
      }}
      withCloseButton={isClosable}
      closeOnEscape={isClosable}
      closeOnClickOutside={isClosable}
      closeButtonProps={{ 'aria-label': sharedText.close }}
      {...(opaque && {
        zIndex: 400,
        overlayProps: { style: { background: 'var(--ds-surface)' } },
        // Hides everything else from readers and from paper too (base.css).
        'data-covers': true,
      })}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the buttons in it are what is pressed */}
      <div ref={begin} onKeyDown={ignoreHeld}>
        <Stack gap="sm">{children}</Stack>
        {actions !== undefined && (
          <Group {...answers} data-answers>
            {back !== undefined && (
              <Button variant="default" onClick={onClose} disabled={isBusy}>
                {back}
              </Button>
            )}
            {actions}
          </Group>
        )}
      </div>
    </Modal>
  )
}
