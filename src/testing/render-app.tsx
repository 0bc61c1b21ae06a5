import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'

import { roleScopes, type Role, type Scope } from '#contract/index.ts'
import type { TestService } from '#server/testing/service.ts'
import { outdate } from '../api/cache.ts'
import { connect } from '../api/connection.ts'
import { createQueryClient } from '../api/query-client.ts'
import { parseSettings } from '../api/settings.ts'
import { pages } from '../app/router.tsx'
import { fixedSession } from '../auth/session.ts'
import { SessionContext } from '../auth/use-session.ts'
import { SettingsContext } from '../domain/settings-context.ts'
import { theme } from '../ui/theme.ts'

export interface RenderAppOptions {
  /** Real service behind the pages: `startTestService()` of the server's test support. */
  readonly service: Pick<TestService, 'baseUrl' | 'features' | 'fetch' | 'token'>
  /** Initial path below the console's base path: `/users?segment=…`. */
  readonly path: string
  readonly role?: Role
  /** Storage that keeps the session of a tab; undefined for the console's default. */
  readonly keptIn?: 'tab' | 'memory'
  /** Scopes that the console knows of; defaults to those of the role. */
  readonly scopes?: readonly Scope[]
}

/** Renders the whole console at a path, signed in as a role and connected to the real service. */
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
  connect({
    apiUrl: settings.apiUrl,
    tokens: session,
    features: service.features,
    fetch: service.fetch,
    onWrite: outdate.bind(undefined, queryClient),
  })
  const router = createMemoryRouter(pages(queryClient, session.person), { initialEntries: [path] })
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
 * Collects what a screen reader announces from now on without a focus change: changes of live regions that existed
 * before their text, and alerts that appear.
 */
export function listenAloud(): readonly string[] {
  const said: string[] = []
  const regions = 'output, [role="status"], [aria-live="polite"]'
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      const element = target instanceof Element ? target : target.parentElement
      const region = element?.closest(regions)
      // An element that is added to a region is announced alone.
      const added = [...addedNodes].map(({ textContent }) => textContent ?? '').join('')
      const heard = type === 'characterData' ? (region?.textContent ?? '') : added
      if (region && heard !== '') said.push(heard)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        if (node.matches('[role="alert"]')) said.push(node.textContent)
        for (const { textContent } of node.querySelectorAll('[role="alert"]')) said.push(textContent)
      }
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
  return said
}
