import './ui/styles.ts'

import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'

import { ApiError } from './api/api-error.ts'
import { connect } from './api/connection.ts'
import { createQueryClient } from './api/query-client.ts'
import { SettingsError } from './api/settings.ts'
import { settle, timeToDraw, watchFirstPage } from './app/first-page.ts'
import { Notice } from './app/Notice.tsx'
import { createRouter, pages, preload } from './app/router.tsx'
import { SignInFailure } from './app/SignInFailure.tsx'
import { forgetVisits } from './domain/people/recent.ts'
import { SettingsContext } from './domain/settings-context.ts'
import { signedOut } from './auth/kept-session.ts'
import { placeAhead } from './auth/place-ahead.ts'
import { signInBeside, startSession } from './auth/start.ts'
import { SessionContext } from './auth/use-session.ts'
import { begun, type Begun, consoleUrl } from './boot/begin.ts'
import { shellText } from './messages/index.ts'
import { schemeKey } from './ui/scheme.ts'
import { theme } from './ui/theme.ts'
import { clearToasts } from './ui/toast.tsx'

const basename = new URL(consoleUrl).pathname
const container = document.querySelector<HTMLElement>('#root')
if (!container) throw new Error('The page has no #root.')
/** What an error boundary showed: a refusal of the service is an answer, not a fault of the page. */
function caught(error: unknown) {
  if (!(error instanceof ApiError)) reportError(error)
}
const root = createRoot(container, { onCaughtError: caught })
const schemes = localStorageColorSchemeManager({ key: schemeKey })

function show(content: ReactNode) {
  root.render(
    // Neither variables (a style sheet has them) nor global classes from the provider: both are <style> elements, which
    // the policy forbids.
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={schemes}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {content}
    </MantineProvider>,
  )
}

function showSignedOut() {
  const { title, body, signIn } = shellText.signedOut
  document.title = shellText.product
  const run = () => {
    signedOut.clear()
    location.reload()
  }
  // At once: a page that is about to be left asks no more about what was unsaved on it.
  flushSync(() =>
    show(
      <Notice title={title} action={{ label: signIn, run }}>
        <p>{body}</p>
      </Notice>,
    ),
  )
  // Once nothing is on the page that would note a visit again.
  forgetVisits()
}

function arrived(found: Begun, queryClient: QueryClient): void {
  const { arrival, signIn } = found
  if (typeof arrival === 'string') settle()
  if (arrival === 'signed-out') return showSignedOut()
  if (arrival === 'window-wanted') return showWindowWanted(found, queryClient)
  const { settings, features, answers } = found
  let isOver = false
  const session = startSession(signIn, arrival, () => {
    isOver = true
    showSignedOut()
    answers.forget()
    queryClient.clear()
    clearToasts()
  })
  connect({ apiUrl: settings.apiUrl, tokens: session, features, fetch: answers.fetch })
  const router = createRouter(queryClient, basename, session.person)
  const draw = () =>
    show(
      <SettingsContext value={settings}>
        <SessionContext value={session}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} onError={caught} />
          </QueryClientProvider>
        </SessionContext>
      </SettingsContext>,
    )
  void timeToDraw(watchFirstPage(router)).then(() => isOver || draw())
}

function showWindowWanted(found: Begun, queryClient: QueryClient) {
  const { title, body, signIn } = shellText.windowWanted
  const run = () =>
    void signInBeside(found.signIn)
      .then((arrival) => arrival && arrived({ ...found, arrival }, queryClient))
      .catch(showFailure)
  show(
    <Notice title={title} action={{ label: signIn, run }}>
      <p>{body}</p>
    </Notice>,
  )
}

function showFailure(failure: unknown) {
  settle()
  if (failure instanceof SettingsError) return showBadSettings(failure)
  show(<SignInFailure error={failure} />)
}

function showBadSettings({ reasons }: SettingsError) {
  const { title, body } = shellText.badSettings
  show(
    <Notice title={title} action={{ label: shellText.failure.reload, run: () => location.reload() }}>
      <p>{body}</p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Notice>,
  )
}

// The back-forward cache keeps a page as it was, data included: it is put away blank, and comes back by a fresh load,
// which finds out whether somebody is still signed in.
addEventListener('pagehide', (event) => {
  if (!event.persisted) return
  // With what lies over the page: dialogs stand beside it.
  for (const part of document.body.children) (part as HTMLElement).hidden = true
})
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

if (begun) {
  const queryClient = createQueryClient()
  preload(pages(queryClient), placeAhead() ?? location.pathname, basename)
  begun.then((found) => arrived(found, queryClient)).catch(showFailure)
} else show(<Notice title={shellText.popupDone}>{null}</Notice>)
