import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const service = testService()

const define = async (key: string, definition: object) =>
  service.call('admin', 'PUT', `/definitions/car/${key}`, definition)

const texts = (list: HTMLElement) =>
  within(list)
    .getAllByRole('term')
    .map(({ textContent }) => textContent.trim())

test('a record is read as its definitions say: grouped, in order, with units, labels of choices and descriptions', async () => {
  const id = await service.create('steward', '/users', { name: 'Ana' })
  await service.create('steward', `/users/${id}/entities`, {
    type: 'car',
    properties: [
      { key: 'note', type: 'TEXT', value: 'garage' },
      { key: 'mileage', type: 'NUMBER', value: 12_000 },
      { key: 'engine', type: 'DECIMAL', value: '2.0' },
      { key: 'fuel', type: 'TEXT', value: 'd' },
    ],
  })
  await define('mileage', { type: 'NUMBER', unit: 'km', group: 'Use', order: 2 })
  await define('engine', { type: 'DECIMAL', unit: 'l', group: 'Use', order: 3 })
  await define('fuel', {
    label: { en: 'Fuel type' },
    description: { en: 'As in its papers' },
    choices: [{ value: 'd', label: { en: 'Diesel' } }],
    group: 'Use',
    order: 1,
  })
  renderApp({ service, path: `/users/${id}` })

  const use = await screen.findByRole('heading', { level: 3, name: 'Use' })
  const [first, second] = screen.getAllByRole('heading', { level: 3 }).slice(-2)
  expect([first, second?.textContent]).toEqual([use, 'Other'])
  const [ofUse, others] = ['12,000', 'garage'].map((text) => screen.getByText(text).closest('dl'))
  if (!ofUse || !others) throw new Error('Properties are listed.')
  expect(texts(ofUse)).toEqual(['Fuel type', 'Mileage', 'Engine'])
  expect(texts(others)).toEqual(['Note'])
  expect(ofUse).toHaveAccessibleName('Use')
  expect(ofUse).toHaveTextContent(/12,000 km.*2\.0 l/)
  expect(within(ofUse).getByText('Diesel')).toHaveAttribute('data-hint', 'd')
  expect(within(ofUse).getByText('Fuel type')).toHaveAttribute('data-hint', 'As in its papers\nfuel')
})

test('a record with many values has one live region', async () => {
  const id = await service.create('steward', '/users', { name: 'Ana', email: 'ana@example.org' })
  await service.create('steward', `/users/${id}/entities`, {
    type: 'person',
    properties: [
      { key: 'iban', type: 'TEXT', value: 'ES91', sensitive: true },
      { key: 'note', type: 'TEXT', value: 'garage' },
    ],
  })
  renderApp({ service, path: `/users/${id}` })
  expect(await screen.findByText('garage')).toBeVisible()
  const regions = document.querySelectorAll('[aria-live], output, [role="status"], [role="alert"]')
  expect([...regions].map((region) => region.getAttribute('aria-label'))).toEqual(['Notifications'])
})
