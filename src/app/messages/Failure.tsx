import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { failureText, sharedText, shellText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { describe, kindOf } from '../../domain/failures/describe.ts'
import { isChunkLoadError } from '../../domain/failures/chunk-load-error.ts'
import { MessagePage } from './MessagePage.tsx'
import { WayOut } from './WayOut.tsx'
import { PageSkeleton } from '../PageSkeleton.tsx'

interface Explanation {
  readonly title: string
  readonly body: string
  /** Way out of the failure: try again, reload the console, or only leave the page. */
  readonly remedy: 'retry' | 'reload' | 'leave'
}

export function Failure() {
  const error = useRouteError()
  return isChunkLoadError(error) ? <ChunkLoadError /> : <Explained error={error} />
}

function Explained({ error }: { readonly error: unknown }) {
  const { revalidate, state } = useRevalidator()
  const { title, body, remedy } = explain(error)
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <MessagePage
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
          {sharedText.requestId.withElements({ id: <span className="ds-mono">{requestId}</span> })}
          <CopyButton value={requestId} label={sharedText.copyRequestId} />
        </>
      )}
    </MessagePage>
  )
}

function explain(error: unknown): Explanation {
  const shellFailureText = shellText.failure
  if (isRouteErrorResponse(error) && error.status === 404)
    return { title: shellFailureText.notFoundTitle, body: failureText.missing, remedy: 'leave' }
  const body = describe(error)
  switch (kindOf(error)) {
    case 'fault':
    case 'unloaded':
      return { title: shellFailureText.title, body, remedy: 'reload' }
    case 'unreadable':
      return { title: shellFailureText.unreadableTitle, body, remedy: 'retry' }
    case 'offline':
    case 'timeout':
      return { title: shellFailureText.offlineTitle, body, remedy: 'retry' }
    case 'forbidden':
      return { title: shellFailureText.forbiddenTitle, body, remedy: 'leave' }
    case 'missing':
      return { title: shellFailureText.notFoundTitle, body, remedy: 'leave' }
    case 'busy':
      return { title: shellFailureText.busyTitle, body, remedy: 'retry' }
    case 'contended':
    case 'invalid':
    case 'lost':
    case 'other':
      return { title: shellFailureText.title, body, remedy: 'retry' }
  }
}

const unloadedText = shellText.unloaded
/** Longest time that the page stays without a message. */
const answerTimeoutMs = 5000

/**
 * Stands in for a page whose code or styles could not be loaded: if the server answers, the page belongs to an older
 * version; otherwise the server is out of reach.
 */
function ChunkLoadError() {
  const [isServed, setServed] = useState(() => (navigator.onLine ? undefined : false))
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (isServed === undefined) void isAnswering().then(setServed)
  }, [isServed])

  if (isServed === undefined) return <PageSkeleton />
  if (isServed)
    return (
      <MessagePage
        title={unloadedText.updatedTitle}
        body={unloadedText.updated}
        action={<Button onClick={() => location.reload()}>{shellText.failure.reload}</Button>}
      />
    )
  // A reload without a connection would end on the browser's error page.
  const again = async () => {
    setAsking(true)
    if (await isAnswering()) location.reload()
    setAsking(false)
  }
  return (
    <MessagePage
      title={navigator.onLine ? shellText.failure.offlineTitle : unloadedText.offlineTitle}
      body={unloadedText.offline}
      action={
        <Button onClick={() => void again()} loading={isAsking}>
          {sharedText.retry}
        </Button>
      }
    />
  )
}

/** Whether the console's server answers, tested with the settings file beside its page. */
function isAnswering(): Promise<boolean> {
  const address = new URL('config.json', document.baseURI)
  return fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(answerTimeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
