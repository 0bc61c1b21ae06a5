import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'

import { shared } from '../messages/index.ts'
import classes from './Dialog.module.css'

export interface DialogProps {
  readonly title: string
  /** Escape, the close button, a click beside it. Absent: it can only be answered. */
  readonly onClose?: () => void
  readonly children: ReactNode
  /** Buttons, the main one last. */
  readonly actions?: ReactNode
  /** Hides the page behind it, for a locked session. */
  readonly opaque?: boolean
}

/**
 * The browser's own modal dialog, for questions: above everything, the page behind it inert, focus kept and given
 * back; `data-autofocus` marks where it begins. Mantine's Modal is for forms whose pickers open in a portal, which
 * could not be reached from here.
 */
export function Dialog({ title, onClose, children, actions, opaque = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    // The browser would take the first button, which closes it.
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      dialog?.close()
      // React takes the element out before the browser would give the focus back.
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click beside the dialog closes it; the keyboard has Escape
    <dialog
      ref={element}
      aria-labelledby={titleId}
      className={classes.root}
      data-opaque={opaque || undefined}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose?.()
      }}
    >
      <div className={classes.content}>
        <div className={classes.head}>
          <h2 id={titleId} className={classes.title}>
            {title}
          </h2>
          {onClose && (
            <ActionIcon aria-label={shared.close} onClick={onClose}>
              <IconX size={16} />
            </ActionIcon>
          )}
        </div>
        {children}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
    </dialog>
  )
}
