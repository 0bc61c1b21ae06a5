import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'

import { roleScopes, type Role, type Scope } from '#contract/index.ts'
import type { TestService } from '#server/testing/service.ts'

import { connect } from './api/connection.ts'
import { createQueryClient } from './api/query-client.ts'
import { parseSettings } from './api/settings.ts'
import { watchFirstPage } from './app/first-page.ts'
import { pages } from './app/router.tsx'
import { SettingsContext } from './domain/settings-context.ts'
import { fixedSession } from './auth/session.ts'
import { SessionContext } from './auth/use-session.ts'
import { readEarlyParts } from './ui/lazy-part.tsx'
import { theme } from './ui/theme.ts'

// Tests begin where the first page has been on the screen for a moment.
await readEarlyParts()

export interface RenderAppOptions {
  /** The real service that the pages talk to: `startTestService()` of the server's test support. */
  readonly service: Pick<TestService, 'baseUrl' | 'features' | 'fetch' | 'token'>
  /** First address, below the console's own: `/users?segment=…`. */
  readonly path: string
  readonly role?: Role
  /** Place in which a tab keeps its session; absent: the console's default. */
  readonly keptIn?: 'tab' | 'memory'
  /** Scopes of the service's token, where they differ from those of the role. */
  readonly scopes?: readonly Scope[]
}

/** The whole console at a path, signed in as a role, over the real service. */
export function renderApp({
  service,
  path,
  role = 'admin',
  scopes = roleScopes[role],
  keptIn = 'tab',
}: RenderAppOptions) {
  const queryClient = createQueryClient()
  const settings = parseSettings(
    {
      apiUrl: service.baseUrl,
      oidc: { authority: 'https://issuer.example.org', clientId: 'console' },
      session: keptIn,
    },
    'http://console.test/',
  )
  const session = fixedSession({ subject: role, name: `Test ${role}`, role, scopes: new Set(scopes) }, () =>
    service.token(role),
  )
  connect({ apiUrl: settings.apiUrl, tokens: session, features: service.features, fetch: service.fetch })
  const router = createMemoryRouter(pages(queryClient, session.person), { initialEntries: [path] })
  void watchFirstPage(router)
  const screen = render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <SettingsContext value={settings}>
        <SessionContext value={session}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </SessionContext>
      </SettingsContext>
    </MantineProvider>,
  )
  return { ...screen, user: userEvent.setup(), router, queryClient, session }
}

/**
 * All that a screen reader says from now on without the focus going there: what changes in a live region that was there
 * before its words, and alerts that appear.
 */
export function listenAloud(): readonly string[] {
  const said: string[] = []
  const regions = 'output, [role="status"], [aria-live="polite"]'
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      const element = target instanceof Element ? target : target.parentElement
      const region = element?.closest(regions)
      if (region && region.textContent !== '') said.push(region.textContent)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        if (node.matches('[role="alert"]')) said.push(node.textContent)
        for (const { textContent } of node.querySelectorAll('[role="alert"]')) said.push(textContent)
      }
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
  return said
}
