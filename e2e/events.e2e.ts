import { expect, expectAccessible, test } from './fixtures.ts'

test('events are read newest first, with older pages, a detail and links to what they are about', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Eventful' })
  await signIn('admin', 'events')
  const table = page.getByRole('table', { name: 'Events' })
  await expect(table.getByRole('row').nth(1)).toContainText('User created')
  await expectAccessible(page)

  await table.getByRole('row').nth(1).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/events\/[\da-f-]{36}/)
  const detail = page.getByRole('dialog')
  await expect(detail).toContainText(user)
  await expect(detail).toContainText('Not delivered')
  await expectAccessible(page)

  const deepLink = page.url()
  await page.goto('events')
  const firstTime = await table.getByRole('row').nth(1).textContent()
  await page.getByRole('link', { name: 'Older' }).click()
  await expect(table.getByRole('row').nth(1)).not.toHaveText(firstTime ?? '')
  await page.getByRole('link', { name: 'Newest' }).click()
  await expect(table.getByRole('row').nth(1)).toHaveText(firstTime ?? '')

  await page.goto(deepLink)
  await expect(detail).toContainText(user)
})

test('what happens meanwhile is offered, and does not move what is read', async ({
  page,
  signIn,
  service,
}) => {
  await signIn('integrator', 'events')
  const table = page.getByRole('table', { name: 'Events' })
  const first = table.getByRole('row').nth(1)
  await expect(first).toBeVisible()
  const before = await first.textContent()
  await service.post('/users', { name: 'Meanwhile' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  const offer = page.getByRole('button', { name: /new event/ })
  await expect(offer).toBeVisible()
  await expect(first).toHaveText(before ?? '')
  await offer.click()
  await expect(first).not.toHaveText(before ?? '')
})
