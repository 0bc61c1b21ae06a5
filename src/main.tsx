import './ui/styles.ts'

import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'

import { readAhead } from './api/ahead.ts'
import { ApiError } from './api/api-error.ts'
import { connect, readFeatures } from './api/connection.ts'
import { createQueryClient } from './api/query-client.ts'
import { readSettings, SettingsError } from './api/settings.ts'
import { Notice } from './app/Notice.tsx'
import { schemeKey } from './app/preferences.ts'
import { createRouter, pages, preload } from './app/router.tsx'
import { SettingsContext } from './app/settings-context.ts'
import { placeAhead } from './auth/provider.ts'
import { finishPopup, signInAgain, startSession } from './auth/start.ts'
import { SessionContext } from './auth/use-session.ts'
import { shellText } from './messages/index.ts'
import { theme } from './ui/theme.ts'
import { clearToasts } from './ui/toast.tsx'

const consoleUrl = new URL('.', document.baseURI).href
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
  show(
    <Notice title={title} action={{ label: signIn, run: signInAgain }}>
      <p>{body}</p>
    </Notice>,
  )
}

async function start() {
  const queryClient = createQueryClient()
  preload(pages(queryClient), placeAhead() ?? location.pathname, basename)
  const ahead = readAhead()
  const settings = await readSettings(consoleUrl, ahead)
  // Meanwhile, so that no page waits for it.
  const features = ahead.features ?? readFeatures(settings.apiUrl)
  const session = await startSession({
    settings,
    metadata: ahead.provider,
    onEnd() {
      showSignedOut()
      queryClient.clear()
      clearToasts()
    },
  })
  if (!session) return showSignedOut()
  connect({ apiUrl: settings.apiUrl, tokens: session, features: await features })
  const router = createRouter(queryClient, basename)
  show(
    <SettingsContext value={settings}>
      <SessionContext value={session}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} onError={caught} />
        </QueryClientProvider>
      </SessionContext>
    </SettingsContext>,
  )
}

function showFailure(error: unknown) {
  const isSettings = error instanceof SettingsError
  const { title, body } = isSettings ? shellText.badSettings : shellText.signInFailed
  show(
    <Notice
      title={title}
      action={{
        label: isSettings ? shellText.failure.reload : shellText.signInFailed.again,
        run: () => location.reload(),
      }}
    >
      <p>{body}</p>
      {isSettings && (
        <ul>
          {error.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
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

if (location.href.startsWith(`${consoleUrl}signed-in/popup?`)) {
  show(<Notice title={shellText.popupDone}>{null}</Notice>)
  void finishPopup(consoleUrl)
} else {
  start().catch(showFailure)
}
