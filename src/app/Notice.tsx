import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

import { shell } from '../messages/index.ts'
import classes from './Notice.module.css'

export interface NoticeProps {
  readonly title: string
  readonly children: ReactNode
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** A page of its own, outside the shell: before there is a session, and after it. */
export function Notice({ title, children, action }: NoticeProps) {
  return (
    <main className={classes.root}>
      <p className={classes.product}>{shell.product}</p>
      <h1 className={classes.title}>{title}</h1>
      <div className={classes.text}>{children}</div>
      {action && (
        <div>
          <Button onClick={action.run}>{action.label}</Button>
        </div>
      )}
    </main>
  )
}
