import type { ReactNode } from 'react'

import classes from './EmptyState.module.css'

export interface EmptyStateProps {
  readonly title: string
  /** One line that teaches: what would stand here, or why nothing matches. */
  readonly children?: ReactNode
  /** The next action: a button or a link. */
  readonly action?: ReactNode
  readonly icon?: ReactNode
}

/** Nothing here, and what to do about it. For "nothing matches the filter" and "nothing yet" alike, in other words. */
export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <div className={classes.root}>
      {icon !== undefined && (
        <span className={classes.icon} aria-hidden>
          {icon}
        </span>
      )}
      <p className={classes.title}>{title}</p>
      {children !== undefined && <p className={classes.text}>{children}</p>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  )
}
