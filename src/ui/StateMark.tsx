import type { ReactNode } from 'react'

import classes from './StateMark.module.css'

export interface StateMarkProps {
  /** Meaning of the state; undefined for a neutral one, shown with a hollow dot and muted words. */
  readonly tone?: 'success' | 'warning' | 'failure' | undefined
  readonly children?: ReactNode
}

export function StateMark({ tone, children }: StateMarkProps) {
  return (
    <span className={classes.root} data-tone={tone}>
      {/* One box, since the gap beside the dot would come between its parts too. */}
      {children !== undefined && <span>{children}</span>}
    </span>
  )
}
