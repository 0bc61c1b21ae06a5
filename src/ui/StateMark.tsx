import type { ReactNode } from 'react'

import classes from './StateMark.module.css'

export interface StateMarkProps {
  /** Absent: nothing good or bad has happened; a hollow dot and quiet words. */
  readonly tone?: 'success' | 'warning' | 'failure' | undefined
  readonly children?: ReactNode
}

/** A dot and a word. */
export function StateMark({ tone, children }: StateMarkProps) {
  return (
    <span className={classes.root} data-tone={tone}>
      {children}
    </span>
  )
}
