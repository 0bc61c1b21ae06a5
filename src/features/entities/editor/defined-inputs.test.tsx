import { screen, waitFor, within } from '@testing-library/react'
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

test('a property far from the screen is said as its definition does, before it is in an input', async () => {
  const choices = [{ value: 's', label: { en: 'Skis' } }]
  await service.call('admin', 'PUT', '/definitions/lot/kind', { type: 'TEXT', choices })
  await service.call('admin', 'PUT', '/definitions/lot/weight', { type: 'NUMBER', unit: 'kg' })
  const notes = Array.from({ length: 40 }, (_, n) => ({ key: `note_${n}`, type: 'TEXT', value: 'fine' }))
  const id = await service.create('steward', '/users', { name: 'Cy' })
  const lot = await service.create('steward', `/users/${id}/entities`, {
    type: 'lot',
    properties: [
      ...notes,
      { key: 'kind', type: 'TEXT', value: 's' },
      { key: 'weight', type: 'NUMBER', value: 12_000 },
    ],
  })
  renderApp({ service, path: `/users/${id}/entities/${lot}` })
  expect(await screen.findByText('Skis')).toBeVisible()
  expect(screen.getAllByRole('listitem').at(-1)).toHaveTextContent('12,000 kg')
  expect(screen.queryByRole('combobox', { name: 'Value of Kind' })).not.toBeInTheDocument()
})

test('a review, the question between two people and the history say a value as its definition does', async () => {
  const choices = [
    { value: 'de', label: { en: 'German' } },
    { value: 'fr', label: { en: 'French' } },
    { value: 'it', label: { en: 'Italian' } },
  ]
  await service.call('admin', 'PUT', '/definitions/person/language', { type: 'TEXT', choices })
  const id = await service.create('steward', '/users', { name: 'Bo' })
  const person = await service.create('steward', `/users/${id}/entities`, {
    type: 'person',
    properties: [{ key: 'language', type: 'TEXT', value: 'de' }],
  })
  const path = `/users/${id}/entities/${person}`
  const { user } = renderApp({ service, path })
  const language = await screen.findByRole('combobox', { name: 'Value of Language' })
  await user.clear(language)
  await user.type(language, 'French')
  await user.click(await screen.findByRole('option', { name: 'French' }))
  await service.call('admin', 'PATCH', path, { properties: [{ key: 'language', value: 'it' }] })

  await user.click(screen.getByRole('button', { name: 'Review…' }))
  const review = await screen.findByRole('dialog')
  expect(within(review).getByRole('row', { name: /^Language/ })).toHaveTextContent('GermanFrench')
  await user.click(within(review).getByRole('button', { name: /^Save/ }))
  const theirs = await screen.findByRole('radio', { name: 'Theirs Italian' })
  expect(screen.getByRole('radio', { name: 'Yours French' })).toBeVisible()
  expect(screen.getByText(/^Before:/)).toHaveTextContent('German')
  await user.click(theirs)
  await user.click(screen.getByRole('button', { name: 'Keep theirs' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

  await user.click(screen.getByRole('button', { name: 'History' }))
  const list = await screen.findByRole('list', { name: 'Changes, newest first' })
  expect(list).toHaveTextContent(/German.*Italian/)
})
