import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { shared } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import classes from './InlineFailure.module.css'

export interface InlineFailureProps {
  /** What happened, as a sentence. */
  readonly title: string
  /** What is safe and what to do. */
  readonly children?: ReactNode
  /** Shown with a copy button, for a report. */
  readonly requestId?: string | undefined
  readonly onRetry?: () => void
  /** While the retry runs. */
  readonly retrying?: boolean
}

/** A failure where its content would be: above a form, in place of a list. Announced when it appears. */
export function InlineFailure({ title, children, requestId, onRetry, retrying = false }: InlineFailureProps) {
  return (
    <div role="alert" className={classes.root}>
      <IconAlertTriangle size={16} stroke={2} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <p className={classes.title}>{title}</p>
        {children !== undefined && <div>{children}</div>}
        {requestId !== undefined && (
          <p className={classes.request}>
            {shared.requestId} <span className="ds-mono">{requestId}</span>
            <CopyButton value={requestId} label={shared.copyRequestId} />
          </p>
        )}
      </div>
      {onRetry && (
        <Button variant="default" onClick={onRetry} loading={retrying} className={classes.retry}>
          {shared.retry}
        </Button>
      )}
    </div>
  )
}
