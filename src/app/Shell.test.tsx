import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../testing/network.ts'
import { renderApp } from '../testing/render-app.tsx'
import { clearToasts, showToast } from '../ui/toast.tsx'

const service = testService()
const bare = testService({ additions: 'none' })

describe('the shell', () => {
  test('says who is signed in, marks the page one is on and moves the focus to a new page’s heading', async () => {
    const { user } = renderApp({ service, path: '/users', role: 'steward' })
    expect(await screen.findByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
    expect(screen.getByRole('button', { name: /Test steward Data steward/ })).toBeVisible()

    await user.click(screen.getByRole('link', { name: 'Segments' }))

    // While the page loads, its skeleton has the heading too.
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Segments' })).toHaveFocus())
    await waitFor(() => expect(document.title).toBe('Segments · Data Store'))
    expect(screen.getByRole('link', { name: 'Segments' })).toHaveAttribute('aria-current', 'page')
  })

  test('has one live region also while it shows a toast', async () => {
    renderApp({ service, path: '/users' })
    await screen.findByRole('heading', { level: 1, name: 'Users' })
    act(() => showToast({ message: 'Phone changed', action: { label: 'Undo', onPress: () => undefined } }))
    expect(await screen.findByText('Phone changed')).toBeVisible()
    const regions = document.querySelectorAll('[aria-live], output, [role="status"], [role="alert"]')
    expect([...regions].map((region) => region.getAttribute('aria-label'))).toEqual(['Notifications'])
    clearToasts()
  })

  test('leads to its keys and to the description of the API, and says its version', async () => {
    const { user } = renderApp({ service, path: '/users' })
    expect(await screen.findByRole('link', { name: 'API description' })).toHaveAttribute(
      'href',
      expect.stringMatching(/\/docs$/),
    )
    expect(screen.getByText(/Version \d+\.\d+\.\d+/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }))
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  })

  test('opens its navigation by a button, and gives it the focus back', async () => {
    const { user } = renderApp({ service, path: '/users' })
    await screen.findByRole('heading', { level: 1, name: 'Users' })
    await user.click(screen.getByRole('button', { name: 'Open navigation' }))
    const drawer = await screen.findByRole('dialog', { name: 'Main' })
    expect(within(drawer).getByRole('link', { name: 'Segments' })).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('button', { name: 'Open navigation' })).toHaveFocus()
  })

  test.each([
    ['admin', 'Home', service],
    ['integrator', 'Home', service],
    ['admin', 'Users', bare],
    ['integrator', 'Events', bare],
  ] as const)('%s begins at %s, the first area that the role may see', async (role, area, at) => {
    renderApp({ service: at, path: '/', role })
    await waitFor(() =>
      expect(screen.getByRole('link', { name: area })).toHaveAttribute('aria-current', 'page'),
    )
    expect(await screen.findByRole('heading', { level: 1, name: area })).toBeVisible()
  })

  test.each(['/users', '/nowhere'])(
    'from %s, which it cannot be shown, a role is led to its own area',
    async (path) => {
      const { user } = renderApp({ service: bare, path, role: 'integrator' })
      await user.click(await screen.findByRole('link', { name: 'Go to Events' }))
      expect(await screen.findByRole('heading', { level: 1, name: 'Events' })).toBeVisible()
    },
  )

  test.each([
    ['integrator', '/users'],
    ['integrator', '/users/deleted'],
    ['integrator', '/users/0192f0c1-2d3e-7abc-8def-0123456789ab/activity'],
    ['integrator', '/segments/new'],
    ['integrator', '/jobs'],
    ['integrator', '/dictionary'],
    ['support', '/audit'],
    ['support', '/webhooks/new'],
    ['steward', '/webhooks/0192f0c1-2d3e-7abc-8def-0123456789ab'],
  ] as const)(
    '%s is told once that the role may not see %s, and no request is refused',
    async (role, path) => {
      const statuses: number[] = []
      const edge = network(service, async (_, onward) => {
        const answer = await onward()
        statuses.push(answer.status)
        return answer
      })
      renderApp({ service: { ...service, fetch: edge.fetch }, path, role })
      const denied = await screen.findByRole('alert')
      expect(
        within(denied).getByRole('heading', { name: 'You don’t have access to this page' }),
      ).toBeVisible()
      expect(within(screen.getByRole('main')).getAllByText(/Your role can’t/)).toHaveLength(1)
      expect(statuses).not.toContain(403)
    },
  )

  test('whom the service refuses the first area is offered to sign out, not the same page again', async () => {
    renderApp({ service: bare, path: '/', role: 'integrator', scopes: ['users:read'] })
    const denied = await screen.findByRole('alert')
    expect(within(denied).getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible()
    expect(within(denied).getByRole('button', { name: 'Sign out' })).toBeVisible()
    expect(within(denied).queryByRole('link')).toBeNull()
  })

  test('a notice above the page says that the service is older than the console; a bare one needs no update', async () => {
    const older = { ...service, features: { 'users.search': 1 } }
    const { unmount } = renderApp({ service: older, path: '/segments' })
    const notice = /^The service is older than this console/
    expect(await screen.findByText(notice)).toBeVisible()
    expect(screen.queryByRole('link', { name: /^Webhooks/ })).toBeNull()
    unmount()
    renderApp({ service: bare, path: '/segments' })
    // The page's heading replaces the skeleton's.
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Segments' })).toBeVisible())
    expect(screen.queryByText(notice)).toBeNull()
  })

  test('an older service is still asked for masked values, and given the reason that it requires', async () => {
    const user = await service.create('admin', '/users', { name: 'Ana' })
    const edge = network(service, () => undefined)
    const features: Record<string, number> = { ...service.features, 'changes.reason.required': 1 }
    delete features['audit.actors']
    const app = renderApp({
      service: { ...service, features, fetch: edge.fetch },
      path: `/users/${user}`,
      role: 'steward',
    })
    await app.user.click(await screen.findByRole('button', { name: 'Edit' }))
    expect(await screen.findByRole('textbox', { name: /^Reason/ })).toBeRequired()
    const asked = edge.requests.filter(({ path }) => path.includes('/entities')).map(({ path }) => path)
    expect(asked).not.toEqual([])
    for (const path of asked) expect(path).toContain('sensitive=masked')
  })

  test('an address that does not exist says so inside the shell', async () => {
    renderApp({ service, path: '/nowhere' })
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible()
  })
})
