import { Button } from '@mantine/core'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'

import { ApiError } from '../api/index.ts'
import { failureText, sharedText, shellText } from '../messages/index.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { describe, kindOf } from '../domain/failures/describe.ts'
import { isUnloaded } from '../domain/failures/unloaded.ts'
import { Told } from './Told.tsx'
import { Unloaded } from './Unloaded.tsx'
import { WayOut } from './WayOut.tsx'

interface Explanation {
  readonly title: string
  readonly body: string
  /** What helps: asking again, loading the console anew, or only going elsewhere. */
  readonly remedy: 'retry' | 'reload' | 'leave'
}

/** In the place of a page that could not be loaded or drawn. */
export function Failure() {
  const error = useRouteError()
  return isUnloaded(error) ? <Unloaded /> : <Explained error={error} />
}

function Explained({ error }: { readonly error: unknown }) {
  const { revalidate, state } = useRevalidator()
  const { title, body, remedy } = explain(error)
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <Told
      title={title}
      body={body}
      action={
        remedy === 'retry' ? (
          <Button onClick={() => void revalidate()} loading={state === 'loading'}>
            {sharedText.retry}
          </Button>
        ) : remedy === 'reload' ? (
          <Button onClick={() => location.reload()}>{shellText.failure.reload}</Button>
        ) : (
          <WayOut isDenied={kindOf(error) === 'forbidden'} />
        )
      }
    >
      {requestId !== undefined && (
        <>
          {sharedText.requestId} <span className="ds-mono">{requestId}</span>
          <CopyButton value={requestId} label={sharedText.copyRequestId} />
        </>
      )}
    </Told>
  )
}

function explain(error: unknown): Explanation {
  const text = shellText.failure
  if (isRouteErrorResponse(error) && error.status === 404)
    return { title: text.notFoundTitle, body: failureText.missing, remedy: 'leave' }
  const body = describe(error)
  switch (kindOf(error)) {
    case 'fault':
    case 'unloaded':
      return { title: text.title, body, remedy: 'reload' }
    case 'unreadable':
      return { title: text.unreadableTitle, body, remedy: 'retry' }
    case 'offline':
    case 'timeout':
      return { title: text.offlineTitle, body, remedy: 'retry' }
    case 'forbidden':
      return { title: text.forbiddenTitle, body, remedy: 'leave' }
    case 'missing':
      return { title: text.notFoundTitle, body, remedy: 'leave' }
    case 'busy':
      return { title: text.busyTitle, body, remedy: 'retry' }
    case 'contended':
    case 'invalid':
    case 'lost':
    case 'other':
      return { title: text.title, body, remedy: 'retry' }
  }
}
