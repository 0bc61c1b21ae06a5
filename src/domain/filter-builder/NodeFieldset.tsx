import type { ReactNode } from 'react'

import classes from './builder.module.css'

export interface NodeFieldsetProps {
  readonly label: string
  /** Id of the node that the fieldset shows, used to restore the focus to it. */
  readonly nodeId: string
  readonly className?: string | undefined
  /** Called when the focus leaves the fieldset. */
  readonly onLeave?: (() => void) | undefined
  readonly children: ReactNode
}

export function NodeFieldset({ label, nodeId, className = '', onLeave, children }: NodeFieldsetProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- listens only to the focus leaving its controls
    <fieldset
      aria-label={label}
      data-node={nodeId}
      className={`${classes.node} ${className}`}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave?.()
      }}
    >
      {children}
    </fieldset>
  )
}
