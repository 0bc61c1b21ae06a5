import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { ApiError } from '../../api/index.ts'
import { sharedText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { describe, kindOf, type OwnWords } from './describe.ts'
import classes from './InlineFailure.module.css'

export interface InlineFailureProps {
  /** The failure in one sentence. */
  readonly title: string
  /** Said in words below the title, with its request id for a report. */
  readonly error?: unknown
  readonly own?: OwnWords
  /** Consequences and next steps, where they take more than text. */
  readonly children?: ReactNode
  readonly onRetry?: () => void
  /** While the retry runs. */
  readonly retrying?: boolean
}

/** Around a failure that answers a press of a button, which may stand far below: brought into view as it appears. */
export function InView({ children }: { readonly children: ReactNode }) {
  return <div ref={bringIntoView}>{children}</div>
}

const bringIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** A failure where its content would be: above a form, in place of a list. Announced when it appears. */
export function InlineFailure({
  title,
  error,
  own,
  children,
  onRetry,
  retrying = false,
}: InlineFailureProps) {
  const kind = kindOf(error)
  const titled = kind === 'lost' || kind === 'missing' ? own?.[kind]?.title : undefined
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <div role="alert" className={classes.root}>
      <IconAlertTriangle size={16} stroke={2} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <p className={classes.title}>{titled ?? title}</p>
        {error !== undefined && error !== null && <div>{describe(error, own)}</div>}
        {children !== undefined && <div>{children}</div>}
        {requestId !== undefined && (
          <p className={classes.request}>
            {sharedText.requestId.withElements({ id: <span className="ds-mono">{requestId}</span> })}
            <CopyButton value={requestId} label={sharedText.copyRequestId} />
          </p>
        )}
      </div>
      {onRetry && (
        <Button variant="default" onClick={onRetry} loading={retrying} className={classes.retry}>
          {sharedText.retry}
        </Button>
      )}
    </div>
  )
}
