import type { ReactNode } from 'react'

import classes from './PageHeader.module.css'

export interface PageHeaderProps {
  /** The page's h1; a route change moves the focus to it. */
  readonly title: ReactNode
  /** Above the title: a link back to the list. */
  readonly above?: ReactNode
  /** Before the title: the avatar of whom the page is about. */
  readonly mark?: ReactNode
  /** Under the title: ids, state, a sentence. */
  readonly below?: ReactNode
  /** At the right: buttons, the main one last. */
  readonly actions?: ReactNode
}

export function PageHeader({ title, above, mark, below, actions }: PageHeaderProps) {
  return (
    <header className={classes.root}>
      {above !== undefined && <div className={classes.above}>{above}</div>}
      <div className={classes.line}>
        {mark}
        <h1 className={classes.title} tabIndex={-1} dir="auto">
          {title}
        </h1>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {below !== undefined && <div className={classes.below}>{below}</div>}
    </header>
  )
}

/** The main button of a page with the menu of all else: they stay in one line. */
export function MainAction({ children }: { readonly children: ReactNode }) {
  return <div className={classes.withMenu}>{children}</div>
}
