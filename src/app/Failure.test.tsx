import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { connect } from '../api/connection.ts'
import { ApiError } from '../api/index.ts'
import { fixedSession } from '../auth/session.ts'
import { SessionContext } from '../auth/use-session.ts'
import { theme } from '../ui/theme.ts'
import { Failure } from './Failure.tsx'

// React Router logs the error that a boundary shows; here that is expected.
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

test('a failed load can be tried again in its place', async () => {
  let failures = 1
  open(() => {
    if (failures-- > 0) throw new ApiError({ status: 0, code: 'network' })
    return null
  })
  await screen.findByRole('heading', { name: 'Can’t reach the service' })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'The page' })).toBeVisible()
})

test('a busy service is said once, with the time to wait', async () => {
  open(fails(new ApiError({ status: 503, retryAfterSeconds: 5 })))
  expect(await screen.findByText(/busy/i)).toHaveTextContent(
    /^The service is busy\. Try again in 5 seconds\.$/,
  )
})

test('a fault of the service shows its request id, to be copied', async () => {
  open(fails(new ApiError({ status: 500, requestId: 'req-42' })))
  expect(await screen.findByText('req-42')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Copy request id' })).toBeVisible()
})

test('a refusal says what the role may not do, and offers no retry', async () => {
  open(fails(new ApiError({ status: 403, detail: 'The token lacks the scope events:read.' })))
  expect(await screen.findByText(/^Your role can’t see events\./)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

describe('code of a page that cannot be loaded', () => {
  const module = new TypeError(
    'Failed to fetch dynamically imported module: https://a.test/assets/UsersPage-1.js',
  )
  const style = new Error('Unable to preload CSS for /assets/UsersPage-1.css')

  test.each([module, style])('is of an older version where the server answers: %s', async (error) => {
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}'))
    open(fails(error))
    expect(await screen.findByRole('heading', { name: 'Data Store has been updated' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible()
  })

  test.each([module, style])('is out of reach where it fails or does not answer: %s', async (error) => {
    const answering = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('', { status: 502 }))
    open(fails(error))
    expect(await screen.findByRole('heading', { name: 'Can’t reach the service' })).toBeVisible()
    answering.mockRejectedValue(new TypeError('Failed to fetch'))
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeEnabled()
    expect(answering).toHaveBeenCalledTimes(2)
  })

  test('says so at once where the browser knows that it is offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    open(fails(module))
    expect(await screen.findByRole('heading', { name: 'You’re offline' })).toBeVisible()
    expect(screen.getByText(/^This page needs a connection/)).toBeVisible()
  })
})
