import type { ReactNode } from 'react'

import classes from './PageHeader.module.css'

export interface PageHeaderProps {
  /** Text of the h1, which gets the focus after a route change. */
  readonly title: ReactNode
  /** Button that changes the title, after it. */
  readonly besideTitle?: ReactNode
  /** Content above the title: a link back to the list. */
  readonly above?: ReactNode
  /** Content before the title: the avatar of the person whom the page is about. */
  readonly mark?: ReactNode
  readonly below?: ReactNode
  /** Buttons on the right, the main one last. */
  readonly actions?: ReactNode
}

export function PageHeader({ title, besideTitle, above, mark, below, actions }: PageHeaderProps) {
  return (
    <header className={classes.root}>
      {above !== undefined && <div className={classes.above}>{above}</div>}
      <div className={classes.line}>
        <div className={classes.heading}>
          {mark}
          <h1 className={classes.title} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {besideTitle}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {below !== undefined && <div className={classes.below}>{below}</div>}
    </header>
  )
}

/** Keeps the page's main button and the menu of other actions on one line. */
export function MainAction({ children }: { readonly children: ReactNode }) {
  return <div className={classes.withMenu}>{children}</div>
}
