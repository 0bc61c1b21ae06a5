import type { ReactNode } from 'react'

import classes from './Sheet.module.css'

/** Class of elements that are left out when the sheet is printed. */
export const onScreen = classes.onScreen

/** Document that also prints well: black on white, without a frame. */
export function Sheet({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <article aria-label={label} className={classes.sheet}>
      {children}
    </article>
  )
}

export function SheetRows({ children }: { readonly children: ReactNode }) {
  return <dl className={classes.rows}>{children}</dl>
}

/** Row of a sheet. Renders nothing if the value is empty. */
export function SheetRow({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  if ((children ?? '') === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}
