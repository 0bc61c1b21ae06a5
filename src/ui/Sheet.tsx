import type { ReactNode } from 'react'

import classes from './Sheet.module.css'

/** Of what is not printed with the sheet. */
export const onScreen = classes.onScreen

interface SheetProps {
  /** Names it for screen readers. */
  readonly label: string
  readonly children: ReactNode
}

/** What is to be read on paper too: black on white there, without a frame. */
export function Sheet({ label, children }: SheetProps) {
  return (
    <article aria-label={label} className={classes.sheet}>
      {children}
    </article>
  )
}

export function SheetRows({ children }: { readonly children: ReactNode }) {
  return <dl className={classes.rows}>{children}</dl>
}

/** What is not there is not told. */
export function SheetRow({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  if ((children ?? '') === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}
