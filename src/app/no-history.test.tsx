import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../testing/render-app.tsx'

const service = testService()

const inputs = () =>
  document.querySelectorAll('input:not([type=checkbox], [type=radio], [type=file]), textarea, select')

async function createEntity() {
  const user = await service.create('admin', '/users', { name: 'Ana' })
  const properties = [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'born', type: 'DATE', value: '1984-02-29' },
    { key: 'height', type: 'NUMBER', value: 170 },
    { key: 'site', type: 'URL', value: 'https://example.org' },
  ]
  const entity = await service.create('admin', `/users/${user}/entities`, { type: 'person', properties })
  return `/users/${user}/entities/${entity}`
}

test.each(['/users', '/users/new', '/segments/new', '/webhooks/new', 'an entity'])(
  'the browser stores no input of %s for the next person',
  async (page) => {
    renderApp({ service, path: page === 'an entity' ? await createEntity() : page })
    await screen.findByRole('heading', { level: 1 })
    await expect.poll(() => inputs().length).toBeGreaterThan(0)
    await expect.poll(() => document.querySelector('main [aria-busy=true]')).toBeNull()
    for (const input of inputs()) expect(input.outerHTML).toContain('autocomplete="off"')
  },
)
