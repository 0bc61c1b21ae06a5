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
  /** Why the control cannot be used now; `undefined` leaves it as it is. */
  readonly reason: string | undefined
  /** One button-like control. */
  readonly children: ReactElement<Disableable>
}

/**
 * A control that the caller may not use stays where it is, can be reached by keyboard, says why, and does nothing:
 * `aria-disabled` instead of `disabled`, which would take it out of the tab order along with its explanation.
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
