import { expect, expectAccessible, test } from './fixtures.ts'

test('a user who is looked up every day can be pinned: above the list, and first in find', async ({
  page,
  signIn,
  service,
}) => {
  const name = `Ana ${crypto.randomUUID()}`
  const ana = await service.post('/users', { name })
  await service.post('/users', { name: 'Ben Ruiz' })
  await signIn('support', `users/${ana}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Pin', exact: true }).click()
  await expect(page.getByText('Pinned. You’ll find this user first in “Find”')).toBeVisible()

  await page.goto('users')
  const pins = page.getByRole('list', { name: 'Pinned users' })
  await expect(pins.getByRole('link', { name })).toBeVisible()
  await expectAccessible(page)
  const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  expect(kept).toContain(ana)
  expect(kept).not.toContain(name)

  await page.keyboard.press('Control+k')
  const find = page.getByRole('combobox', { name: 'Find anywhere' })
  const first = page.getByRole('group', { name: 'Pinned' }).getByRole('option', { name })
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.keyboard.press('Control+k')
  await find.fill('unpin')
  await page.getByRole('option', { name: 'Unpin this user' }).click()
  await page.goto('users')
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('link').first()).toBeVisible()
  await expect(pins).toHaveCount(0)
})
