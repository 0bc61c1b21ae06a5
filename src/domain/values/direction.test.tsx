import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()

test.each(['Jürgen Groß', 'محمد علي'])(
  'a text that a person typed is shown in its own direction: %s',
  async (name) => {
    const user = await service.create('steward', '/users', { name })
    const properties = [{ key: 'note', type: 'TEXT', value: `${name}!` }]
    await service.create('steward', `/users/${user}/entities`, { type: 'person', properties })
    renderApp({ service, path: `/users/${user}` })
    expect(await screen.findByRole('heading', { level: 1, name })).toHaveAttribute('dir', 'auto')
    for (const value of await screen.findAllByText(`${name}!`))
      expect(value.closest('[dir="auto"]')).toHaveTextContent(`${name}!`)
    screen.getByRole('button', { name: 'Edit' }).click()
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveAttribute('dir', 'auto')
  },
)
