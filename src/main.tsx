import { localStorageColorSchemeManager, MantineProvider, Stack } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'

import { ApiError } from './api/api-error.ts'
import { outdate } from './api/cache.ts'
import { connect, type Features } from './api/connection.ts'
import type { FirstAnswers } from './api/first-answers.ts'
import { createQueryClient } from './api/query-client.ts'
import { type Settings, SettingsError } from './api/settings.ts'
import { waitForPaint, wait } from './api/wait.ts'
import { describeSettingsFault, Notice, SignInFailure } from './app/Notice.tsx'
import { createRouter } from './app/router.tsx'
import { ClipboardNote } from './app/SessionGuard.tsx'
import { OidcSession, signInBeside } from './auth/oidc-session.ts'
import { signedOut } from './auth/session-store.ts'
import type { Arrival, SignIn } from './auth/sign-in.ts'
import { SessionContext } from './auth/use-session.ts'
import { emptyClipboard } from './domain/clipboard-guard.ts'
import { forgetVisits } from './domain/people/recent.ts'
import { SettingsContext } from './domain/settings-context.ts'
import { shellText } from './messages/index.ts'
import { schemeKey } from './ui/scheme.ts'
import { theme } from './ui/theme.ts'
import { clearToasts } from './ui/toast.tsx'

/** Results of src/boot, gathered while this code was loading. */
export interface Begun {
  readonly settings: Settings
  readonly features: Features
  readonly signIn: SignIn
  readonly arrival: Arrival
  readonly answers: FirstAnswers
}

const basename = new URL('.', document.baseURI).pathname
const container = document.querySelector<HTMLElement>('#root')
if (!container) throw new Error('The page has no #root.')
/** Reports an error that a boundary showed, except a failed request, which is not a fault of the page. */
function reportCaught(error: unknown) {
  if (!(error instanceof ApiError)) reportError(error)
}
const root = createRoot(container, { onCaughtError: reportCaught })
const schemes = localStorageColorSchemeManager({ key: schemeKey })

function show(content: ReactNode) {
  root.render(
    // Mantine must not render its variables or global classes: both are <style> elements, which the Content Security
    // Policy forbids. A style sheet contains the variables.
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

/** Longest time that the static frame of index.html stays once this code has loaded. */
const frameMs = 500

/** Lets the page load its own font, which no longer delays the first row (src/ui/fonts.css). */
function letFontCome() {
  document.documentElement.dataset['ownFont'] = ''
}

function showSignedOut() {
  const { title, body, signIn } = shellText.signedOut
  document.title = shellText.product
  const run = () => {
    signedOut.clear()
    location.reload()
  }
  // Rendered synchronously, so that leaving the page no longer warns about unsaved changes.
  flushSync(() =>
    show(
      <Notice title={title} action={{ label: signIn, run }}>
        <Stack gap="xs">
          <p>{body}</p>
          <ClipboardNote />
        </Stack>
      </Notice>,
    ),
  )
  emptyClipboard()
  // Visits are cleared only now, because no mounted component can record one again.
  forgetVisits()
}

function showConsole(found: Begun, queryClient: QueryClient): void {
  const { arrival, signIn } = found
  if (typeof arrival === 'string') {
    letFontCome()
    // A page without a session has no use for what other tabs send, which may contain tokens.
    signIn.takeEarlyMessages()
  }
  if (arrival === 'signed-out') return showSignedOut()
  if (arrival === 'window-wanted') return showWindowWanted(found, queryClient)
  const { settings, features, answers } = found
  let isOver = false
  const session = new OidcSession(signIn, arrival, () => {
    isOver = true
    showSignedOut()
    answers.forget()
    queryClient.clear()
    clearToasts()
  })
  session.subscribe(() => {
    if (session.state().status === 'locked') emptyClipboard()
  })
  connect({
    apiUrl: settings.apiUrl,
    tokens: session,
    features,
    fetch: answers.fetch,
    onWrite: outdate.bind(undefined, queryClient),
  })
  const router = createRouter(queryClient, basename, session.person)
  const draw = () =>
    show(
      <SettingsContext value={settings}>
        <SessionContext value={session}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} onError={reportCaught} />
          </QueryClientProvider>
        </SessionContext>
      </SettingsContext>,
    )
  // Renders the shell together with the first page, because rendering the shell and a skeleton first takes as long as
  // the page.
  const page = loadFirstPage(router)
  void Promise.race([page, wait(frameMs)]).then(() => isOver || draw())
  void page.then(waitForPaint).then(letFontCome)
}

/** Resolves when the code and the data of the first page are loaded, or its loading has failed. */
function loadFirstPage(router: ReturnType<typeof createRouter>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => {
    if (router.state.initialized) resolve()
  }
  const stop = router.subscribe(look)
  look()
  return promise.then(stop)
}

function showWindowWanted(found: Begun, queryClient: QueryClient) {
  const { title, body, signIn } = shellText.windowWanted
  const run = () =>
    void signInBeside(found.signIn)
      .then((arrival) => arrival && showConsole({ ...found, arrival }, queryClient))
      .catch(showFailure)
  show(
    <Notice title={title} action={{ label: signIn, run }}>
      <p>{body}</p>
    </Notice>,
  )
}

function showFailure(failure: unknown) {
  letFontCome()
  if (failure instanceof SettingsError) return showBadSettings(failure)
  show(<SignInFailure error={failure} />)
}

function showBadSettings({ faults }: SettingsError) {
  const { title, body } = shellText.badSettings
  show(
    <Notice title={title} action={{ label: shellText.failure.reload, run: () => location.reload() }}>
      <p>{body}</p>
      <ul>
        {faults.map(describeSettingsFault).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Notice>,
  )
}

// The back-forward cache would keep the page with its data. So the page is hidden before it is cached, and reloaded
// when it is restored, which checks whether the person is still signed in.
addEventListener('pagehide', (event) => {
  if (!event.persisted) return
  // Dialogs are siblings of the app's root, so every child of the body is hidden.
  for (const part of document.body.children) (part as HTMLElement).hidden = true
})
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

/** @param begun Undefined in the pop-up window of a sign-in. */
export function start(begun: Promise<Begun> | undefined): void {
  if (!begun) return show(<Notice title={shellText.popupDone}>{null}</Notice>)
  const queryClient = createQueryClient()
  begun.then((found) => showConsole(found, queryClient)).catch(showFailure)
}
