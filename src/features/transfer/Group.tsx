import type { ReactNode } from 'react'

import classes from './transfer.module.css'

export interface GroupProps {
  readonly label: string
  readonly error?: string | undefined
  readonly children: ReactNode
}

/** Choices that belong together, under one name. */
export function Group({ label, error, children }: GroupProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{label}</legend>
      {children}
      {error !== undefined && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
