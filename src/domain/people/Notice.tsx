import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './Notice.module.css'

export interface NoticeProps {
  readonly title: string
  readonly children?: ReactNode
  /** Links or buttons. */
  readonly actions?: ReactNode
}

/** Something to know that is no failure. Announced when it appears. */
export function Notice({ title, children, actions }: NoticeProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <output> may hold no paragraphs
    <div role="status" className={classes.root}>
      <IconInfoCircle size={16} stroke={2} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <p className={classes.title}>{title}</p>
        {children !== undefined && <p>{children}</p>}
        {actions !== undefined && <p className={classes.actions}>{actions}</p>}
      </div>
    </div>
  )
}
