import type { ReactNode } from 'react'

import classes from './builder.module.css'

export interface NodeFieldsetProps {
  readonly label: string
  /** Id of the node that the fieldset shows, by which the focus finds it again. */
  readonly nodeId: string
  readonly className?: string | undefined
  /** The focus has gone elsewhere. */
  readonly onLeave?: (() => void) | undefined
  readonly children: ReactNode
}

/** A named group of controls. */
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
