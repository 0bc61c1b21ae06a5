import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import { testService } from '#server/testing-hooks.ts'

import { renderApp } from '../testing.tsx'

const service = testService()

describe('the shell', () => {
  test('says who is signed in, marks the page one is on and moves the focus to a new page’s heading', async () => {
    const { user } = renderApp({ service, path: '/users', role: 'steward' })
    expect(await screen.findByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
    expect(screen.getByRole('button', { name: /Test steward Data steward/ })).toBeVisible()

    await user.click(screen.getByRole('link', { name: 'Segments' }))

    // A skeleton has the heading too, where the page takes long to come.
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Segments' })).toHaveFocus())
    await waitFor(() => expect(document.title).toBe('Segments · Data Store'))
    expect(screen.getByRole('link', { name: 'Segments' })).toHaveAttribute('aria-current', 'page')
  })

  test('an address that does not exist says so inside the shell', async () => {
    renderApp({ service, path: '/nowhere' })
    expect(await screen.findByRole('heading', { level: 1, name: 'There is no such page' })).toBeVisible()
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible()
  })
})
