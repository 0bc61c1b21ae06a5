import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'

import { startTestService } from '#server/testing/service.ts'
import { button, entityPages, field, save } from '../../../testing/entity-pages.tsx'

// Service that implements only the API document, without this product's additions.
const pages = entityPages(() => startTestService({ additions: 'none' }))

test('keys come from the entities that have been loaded', async () => {
  await pages.make(`/users/${pages.userId}/entities`, {
    type: 'person',
    properties: [{ key: 'joined', type: 'DATE', sensitive: true, value: '2020-01-01' }],
  })
  const { user } = await pages.open()
  await user.click(button('Add property'))
  await user.keyboard('j')
  await screen.findByRole('option', { name: /joined/i })
  await user.keyboard('{Enter}')
  expect(field('Type of Joined')).toHaveValue('DATE')
  expect(field('Joined is sensitive')).toBeChecked()
  expect(pages.requests.map(({ path }) => path).join()).not.toContain('/keys')
})

test('a relationship is found by the id alone, and then named', async () => {
  const bo = await pages.make('/users', { name: 'Bo Lindqvist' })
  const { user } = await pages.open()
  await user.click(button('Add property'))
  await user.keyboard('owner')
  await user.selectOptions(field('Type of Owner'), 'RELATIONSHIP')
  await user.type(field('Value of Owner, user id'), 'Bo')
  expect(screen.getByText('This service can’t search for users. Enter an id.')).toBeVisible()
  await user.clear(field('Value of Owner, user id'))
  await user.paste(`https://console.test/users/${bo}`)
  expect(field('Value of Owner, user id')).toHaveValue(bo)
  expect(await screen.findByRole('link', { name: /^Bo Lindqvist/ })).toHaveAttribute('href', `/users/${bo}`)
  await save(user)
  await waitFor(async () => expect(await pages.storedValues()).toMatchObject({ owner: { user: bo } }))
  expect(pages.requests.map(({ path }) => path).join()).not.toContain('/search')
})
