import { expect, test } from './fixtures.ts'

// A reader whose browser is set to German, of people whose names are written from right to left.
test.use({ locale: 'de-DE' })

test('dates and numbers are written as in the reader’s country, names in their own direction', async ({
  page,
  signIn,
  service,
}) => {
  const name = `محمد علي ${crypto.randomUUID().slice(0, 4)}`
  const user = await service.post('/users', { name, since: '2024-03-01T09:30:00' })
  await service.post(`/users/${user}/entities`, {
    type: 'contract',
    properties: [
      { key: 'fee', type: 'CURRENCY', value: { currency: 'EUR', value: '1234.50' } },
      { key: 'note', type: 'TEXT', value: 'سيارة حمراء' },
    ],
  })
  await signIn('steward', `users/${user}`)
  const heading = page.getByRole('heading', { level: 1, name })
  await expect(heading).toHaveCSS('direction', 'rtl')
  await expect(page.locator('time', { hasText: /^1 Mar 2024, 09:30:00 UTC$/ }).first()).toBeVisible()
  await expect(page.getByText(/^1\.234,50\sEUR$/).first()).toBeVisible()
  await expect(page.locator('dd [dir="auto"]', { hasText: 'سيارة' })).toHaveCSS('direction', 'rtl')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveCSS('direction', 'rtl')
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveCSS('direction', 'ltr')
})

test('what is pressed on a phone in the log is large enough for a finger', async ({ page, signIn }) => {
  await signIn('steward', 'events')
  await page.setViewportSize({ width: 390, height: 800 })
  const links = page.getByRole('table').getByRole('link')
  await expect(links.first()).toBeVisible()
  await expect(page.locator('[data-width="narrow"]')).toBeVisible()
  for (const link of await links.all()) {
    const box = await link.boundingBox()
    expect(box?.height, (await link.textContent()) ?? '').toBeGreaterThanOrEqual(24)
  }
})
