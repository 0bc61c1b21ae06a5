import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import { isRouteErrorResponse, Link, useLocation, useRevalidator, useRouteError } from 'react-router'

import { getConnection } from '../api/connection.ts'
import { ApiError } from '../api/index.ts'
import { firstArea } from '../auth/areas.ts'
import { usePerson, useSession } from '../auth/use-session.ts'
import { describe, isChunkLoadError, kindOf } from '../domain/failures/describe-failure.ts'
import { links } from '../domain/links.ts'
import { failureText, sharedText, shellText } from '../messages/index.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'

export function Failure() {
  const error = useRouteError()
  return isChunkLoadError(error) ? <ChunkLoadError /> : <Explained error={error} />
}

function Explained({ error }: { readonly error: unknown }) {
  const { revalidate, state } = useRevalidator()
  const isUnknown = isRouteErrorResponse(error) && error.status === 404
  const [title, remedy] = explanations[isUnknown ? 'missing' : kindOf(error)]
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <MessagePage
      title={title}
      body={isUnknown ? failureText.missing : describe(error)}
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

const shellFailureText = shellText.failure

/** Title of each kind of failure and the way out: try again, reload the console, or only leave the page. */
const explanations: Readonly<
  Record<ReturnType<typeof kindOf>, readonly [title: string, remedy: 'retry' | 'reload' | 'leave']>
> = {
  fault: [shellFailureText.title, 'reload'],
  unloaded: [shellFailureText.title, 'reload'],
  unreadable: [shellFailureText.unreadableTitle, 'retry'],
  offline: [shellFailureText.offlineTitle, 'retry'],
  timeout: [shellFailureText.offlineTitle, 'retry'],
  forbidden: [shellFailureText.forbiddenTitle, 'leave'],
  missing: [shellFailureText.notFoundTitle, 'leave'],
  busy: [shellFailureText.title, 'retry'],
  contended: [shellFailureText.title, 'retry'],
  invalid: [shellFailureText.title, 'retry'],
  lost: [shellFailureText.title, 'retry'],
  other: [shellFailureText.title, 'retry'],
}

const unloadedText = shellText.unloaded
/** Longest time that the page stays without a message. */
const answerTimeoutMs = 5000

/** Replaces a page whose code did not load: an update has removed it, or the server is out of reach. */
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

interface MessagePageProps {
  readonly title: string
  readonly body: string
  readonly action: ReactNode
  readonly children?: ReactNode
}

export function MessagePage({ title, body, action, children }: MessagePageProps) {
  useDocumentTitle(`${title} · ${shellText.product}`)
  return (
    <div role="alert">
      <PageHeader title={title} />
      <EmptyState title={body} action={action} underHeading>
        {children}
      </EmptyState>
    </div>
  )
}

/**
 * For a page that cannot be shown: a link to the first area that the person may open, or else a button to sign out.
 * @param isDenied Whether the service has refused this page. If it is the first area, or the scopes of the role are
 * unknown, only signing in as another person helps.
 */
export function WayOut({ isDenied = false }: { readonly isDenied?: boolean }) {
  const { scopes } = usePerson()
  const session = useSession()
  const { pathname } = useLocation()
  const area = firstArea(scopes, getConnection().features)
  if (area === undefined || (isDenied && (scopes === undefined || pathname === links[area]())))
    return <Button onClick={() => void session.signOut()}>{shellText.signOut}</Button>
  return <Link to={links[area]()}>{shellText.failure.goTo({ area: shellText.pages[area] })}</Link>
}
