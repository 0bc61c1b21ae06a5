import { type ReactNode, useEffect, useRef } from 'react'

import classes from './Modal.module.css'

export interface ModalProps {
  /** What it is called: a text, or the id of the element that says so. */
  readonly name: { readonly label: string } | { readonly labelledBy: string }
  /** Escape and a click beside it. Absent: it can only be answered. */
  readonly onClose?: (() => void) | undefined
  /** Hides the page behind it, for a locked session. */
  readonly opaque?: boolean
  /** Its width and place. */
  readonly className: string | undefined
  readonly children: ReactNode
}

/**
 * The browser's own modal dialog: above everything, the page behind it inert, focus kept and given back;
 * `data-autofocus` marks where it begins.
 */
export function Modal({ name, onClose, opaque = false, className = '', children }: ModalProps) {
  const element = useRef<HTMLDialogElement>(null)
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
      {...('label' in name ? { 'aria-label': name.label } : { 'aria-labelledby': name.labelledBy })}
      className={`${classes.modal} ${className}`}
      data-opaque={opaque || undefined}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose?.()
      }}
    >
      {children}
    </dialog>
  )
}
