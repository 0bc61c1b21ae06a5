import type { MouseEvent, ReactElement } from 'react'
import { cloneElement } from 'react'

import { hint } from './Hint.tsx'

interface Disableable {
  'aria-disabled'?: boolean
  'data-disabled'?: boolean
  'data-hint'?: string
  onClick?: (event: MouseEvent<never>) => void
}

export interface DisabledReasonProps {
  /** Reason why the control cannot be used now; undefined leaves the control enabled. */
  readonly reason: string | undefined
  /** A single button-like control. */
  readonly children: ReactElement<Disableable>
}

/**
 * Disables a control with an explanation. The control stays visible and reachable by keyboard, and does nothing. Uses
 * `aria-disabled`, because `disabled` would remove the control and its explanation from the tab order.
 */
export function DisabledReason({ reason, children }: DisabledReasonProps) {
  if (reason === undefined) return children
  return cloneElement(children, {
    'aria-disabled': true,
    'data-disabled': true,
    ...hint(reason),
    onClick: (event) => event.preventDefault(),
  })
}
