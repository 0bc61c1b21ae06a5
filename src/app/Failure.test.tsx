import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { beforeEach, expect, test, vi } from 'vitest'

import { ApiError } from '../api/index.ts'
import { connect } from '../api/connection.ts'
import { fixedSession } from '../auth/session.ts'
import { SessionContext } from '../auth/use-session.ts'
import { theme } from '../ui/theme.ts'
import { Failure } from './Failure.tsx'

// React Router reports what a boundary shows; here that is the point.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

const session = fixedSession(
  { subject: 'a', name: 'Ana', role: undefined, scopes: undefined },
  async () => '',
)

function open(loader: () => unknown) {
  connect({ apiUrl: 'http://service.test', tokens: session, features: {} })
  const router = createMemoryRouter([
    {
      path: '/',
      loader,
      ErrorBoundary: Failure,
      Component: () => <h1>The page</h1>,
      HydrateFallback: () => null,
    },
  ])
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <SessionContext value={session}>
        <RouterProvider router={router} />
      </SessionContext>
    </MantineProvider>,
  )
}

const fails = (error: unknown) => () => {
  throw error
}

test('a failed load can be tried again where it stands', async () => {
  let failures = 1
  open(() => {
    if (failures-- > 0) throw new ApiError({ status: 0, code: 'network' })
    return null
  })
  await screen.findByRole('heading', { name: 'The service cannot be reached' })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'The page' })).toBeVisible()
})

test('a fault of the service shows its request id, to be copied', async () => {
  open(fails(new ApiError({ status: 500, requestId: 'req-42' })))
  expect(await screen.findByText('req-42')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Copy request id' })).toBeVisible()
})

test('a refusal says what the role may not do, and offers no retry', async () => {
  open(fails(new ApiError({ status: 403, detail: 'The token lacks the scope events:read.' })))
  expect(await screen.findByText(/^Your role may not see events\./)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('a page of an older version asks for a reload', async () => {
  open(
    fails(new TypeError('Failed to fetch dynamically imported module: https://a.test/assets/UsersPage-1.js')),
  )
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeVisible()
})
