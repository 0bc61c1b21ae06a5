import { IconX } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'

import { shared } from '../messages/index.ts'
import classes from './Dialog.module.css'
import { Modal } from './Modal.tsx'
import { IconButton } from './IconButton.tsx'

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
 * A question in a modal dialog. Mantine's Modal is for forms whose pickers open in a portal, which could not be reached
 * from here.
 */
export function Dialog({ title, onClose, children, actions, opaque = false }: DialogProps) {
  const titleId = useId()
  return (
    <Modal name={{ labelledBy: titleId }} onClose={onClose} opaque={opaque} className={classes.root}>
      <div className={classes.content}>
        <div className={classes.head}>
          <h2 id={titleId} className={classes.title}>
            {title}
          </h2>
          {onClose && (
            <IconButton aria-label={shared.close} onClick={onClose}>
              <IconX size={16} />
            </IconButton>
          )}
        </div>
        {children}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
    </Modal>
  )
}
