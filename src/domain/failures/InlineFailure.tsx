import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useRevalidator, useRouteError } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { sharedText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { describe, kindOf, type OwnWords } from './describe-failure.ts'
import classes from './InlineFailure.module.css'

export interface InlineFailureProps {
  readonly title: string
  /** Error to describe below the title, with its request id for bug reports. */
  readonly error?: unknown
  readonly own?: OwnWords
  /** Consequences and next steps that need more than text. */
  readonly children?: ReactNode
  readonly onRetry?: () => void
  readonly retrying?: boolean
}

/** Scrolls its content into view when it appears, for a failure that may appear far from the button that caused it. */
export function InView({ children }: { readonly children: ReactNode }) {
  return <div ref={bringIntoView}>{children}</div>
}

const bringIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** Renders a failure in place of the content that failed. Screen readers announce it when it appears. */
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

interface QueryFailureProps extends Pick<InlineFailureProps, 'title' | 'own'> {
  readonly query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>
}

/** Failure of a query, with a button that repeats it. */
export function QueryFailure({ query: { error, isFetching, refetch }, ...words }: QueryFailureProps) {
  return <InlineFailure {...words} error={error} onRetry={() => void refetch()} retrying={isFetching} />
}

interface QueryPartProps<Data> extends QueryFailureProps {
  readonly query: QueryFailureProps['query'] & Pick<UseQueryResult<Data>, 'data'>
  readonly skeleton: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** Part of a page that has its data from a query: the data, else the failure, else a skeleton. */
export function QueryPart<Data>({ query, skeleton, children, ...words }: QueryPartProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return query.error ? <QueryFailure {...words} query={query} /> : skeleton
}

/** Replaces the part of a page that could not be loaded; the rest of the page stays. */
export function RouteFailure({ title }: { readonly title: string }) {
  const error = useRouteError()
  const { revalidate, state } = useRevalidator()
  // The app shell reports errors in the console's code, and code that could not be loaded.
  const kind = kindOf(error)
  if (kind === 'fault' || kind === 'unloaded') throw error
  return (
    <InlineFailure
      title={title}
      error={error}
      onRetry={() => void revalidate()}
      retrying={state === 'loading'}
    />
  )
}
