import type { BrowserContext, Page } from '@playwright/test'

import type { Entity } from '#contract/index.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

// Invented words, so that neither occurs anywhere by chance.
const right = 'Quicksilvery'
const wrong = 'Balderdashes'

const person = {
  type: 'person',
  properties: [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'iban', type: 'TEXT', sensitive: true, value: right },
  ],
}

/** Collects the hidden values found in responses to the browser. */
function sentValues(context: BrowserContext): () => Promise<string[]> {
  const bodies: Promise<string>[] = []
  context.on('response', (response) => bodies.push(response.text().catch(() => '')))
  return async () =>
    (await Promise.all(bodies)).flatMap((body) => [right, wrong].filter((value) => body.includes(value)))
}

async function deleteEntity(page: Page) {
  await page.getByRole('button', { name: 'Delete this person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this person with 2 properties?' })
  await expect(dialog).toContainText('You can restore the entity')
  await dialog.getByRole('button', { name: 'Delete person' }).click()
  await expect(page.getByText('Person deleted')).toBeVisible()
}

test('a deleted entity comes back by Undo, and later from the activity and from its address', async ({
  page,
  context,
  signIn,
  service,
}) => {
  const sent = sentValues(context)
  const user = await service.post('/users', { name: 'Deleted by mistake' })
  const id = await service.post(`/users/${user}/entities`, person)
  const before = await service.get<Entity>(`/users/${user}/entities/${id}`)
  const withoutIds = ({ properties }: Entity) => properties.map(({ id: _id, ...rest }) => rest)
  const isBack = async () => {
    await expect(page.getByRole('textbox', { name: 'Value of City' })).toHaveValue('Lyon')
    const now = await service.get<Entity>(`/users/${user}/entities/${id}`)
    expect(withoutIds(now)).toEqual(withoutIds(before))
  }
  await signIn('steward', `users/${user}/entities/${id}`)
  await deleteEntity(page)
  const undo = page.getByRole('button', { name: 'Undo' })
  await expectAccessible(page)
  await undo.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${id}$`))
  await isBack()

  await deleteEntity(page)
  await page.goto('segments')
  await page.goto(`users/${user}/activity`)
  await page.getByRole('button', { name: 'Deleted person' }).first().click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Restore person' }).click()
  await expect(page.getByText('Person restored')).toBeVisible()
  await page.getByRole('link', { name: 'Open entity' }).first().click()
  await isBack()

  await deleteEntity(page)
  await page.goto(`users/${user}/entities/${id}`)
  await page.getByRole('button', { name: 'Restore' }).click()
  await isBack()
  expect(await sent()).toEqual([])
})

test('a wrong correction of a sensitive value is put back without anybody seeing it', async ({
  page,
  context,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Corrected by mistake' })
  const id = await service.post(`/users/${user}/entities`, person)
  await service.patch(`/users/${user}/entities/${id}`, { properties: [{ key: 'iban', value: wrong }] })
  const sent = sentValues(context)
  await signIn('steward', `users/${user}/entities/${id}`)
  await page.getByRole('button', { name: 'History of IBAN' }).click()
  await page.getByRole('button', { name: /^Restore IBAN as it was before/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore the hidden value of IBAN?' })
  await expect(dialog.getByRole('button', { name: 'Restore' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('IBAN restored to its previous value')).toBeVisible()
  await expect(dialog).toBeHidden()
  const { properties } = await service.get<Entity>(`/users/${user}/entities/${id}`)
  expect(properties.map(({ value }) => value)).toEqual(['Lyon', right])
  await page.getByRole('button', { name: 'History of IBAN' }).click()
  await expect(
    page.getByRole('list', { name: 'Changes, newest first' }).getByRole('listitem'),
  ).not.toHaveCount(0)
  expect(await sent()).toEqual([])
})
