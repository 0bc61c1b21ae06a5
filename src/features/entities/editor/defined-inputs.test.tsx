import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { save } from '../../../testing/entity-pages.tsx'
import { renderApp } from '../../../testing/render-app.tsx'

const service = testService()

test('an input offers the choices of its definition, shows its unit, and takes any other value', async () => {
  const define = async (key: string, definition: object) =>
    service.call('admin', 'PUT', `/definitions/car/${key}`, definition)
  await define('fuel', {
    type: 'TEXT',
    choices: [
      { value: 'd', label: { en: 'Diesel' } },
      { value: 'e', label: { en: 'Electric' } },
    ],
  })
  await define('mileage', { type: 'NUMBER', unit: 'km' })
  const id = await service.create('steward', '/users', { name: 'Ana' })
  const car = await service.create('steward', `/users/${id}/entities`, {
    type: 'car',
    properties: [
      { key: 'fuel', type: 'TEXT', value: 'd' },
      { key: 'mileage', type: 'NUMBER', value: 12_000 },
    ],
  })
  const { user } = renderApp({ service, path: `/users/${id}/entities/${car}` })
  const fuel = await screen.findByRole('combobox', { name: 'Value of Fuel' })
  expect(fuel).toHaveValue('d')
  expect(screen.getByText('Diesel')).toBeVisible()
  expect(screen.getByText('km')).toBeVisible()

  await user.clear(fuel)
  await user.type(fuel, 'elec')
  await user.click(await screen.findByRole('option', { name: 'Electric' }))
  expect(fuel).toHaveValue('e')
  await save(user)
  const stored = async () => {
    const { body } = await service.call('steward', 'GET', `/users/${id}/entities/${car}`)
    return (body as { properties: { value: unknown }[] }).properties[0]?.value
  }
  await waitFor(async () => expect(await stored()).toBe('e'))
})
