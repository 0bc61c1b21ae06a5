import type { Entity } from '#contract/index.ts'
import { expect, test } from './fixtures.ts'

// The reader's browser is set to German, and the names of the users are written from right to left.
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
  await expect(page.locator('time', { hasText: /^1 Mar 2024, 09:30$/ }).first()).toBeVisible()
  await expect(page.getByText(/^1\.234,50\sEUR$/).first()).toBeVisible()
  await expect(page.locator('dd [dir="auto"]', { hasText: 'سيارة' })).toHaveCSS('direction', 'rtl')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveCSS('direction', 'rtl')
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveCSS('direction', 'ltr')
})

test('a number that can be read in two ways is asked about in the editor, by keyboard alone', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Zahl' })
  const id = await service.post(`/users/${user}/entities`, {
    type: 'car',
    properties: [
      { key: 'weight', type: 'DECIMAL', value: '1.250' },
      { key: 'power', type: 'NUMBER', value: 7.5 },
      { key: 'price', type: 'CURRENCY', value: { currency: 'EUR', value: '1234.50' } },
    ],
  })
  await signIn('steward', `users/${user}/entities/${id}`)
  const value = (label: string) => page.getByRole('textbox', { name: `Value of ${label}`, exact: true })
  await expect(value('Weight')).toHaveValue('1,250')
  await expect(value('Power')).toHaveValue('7,5')
  await expect(value('Price, amount')).toHaveValue('1234,50')

  await value('Power').fill('7.500')
  await page.keyboard.press('Tab')
  await expect(value('Power')).toHaveValue('7.500')
  await expect(value('Power')).toHaveAccessibleDescription(/two ways/)
  await value('Price, amount').fill('8.031')
  await value('Weight').fill('٧٫٢٥')
  await page.keyboard.press('Tab')
  await expect(value('Weight')).toHaveValue('7,25')
  await page.getByRole('button', { name: 'Review…' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(value('Power')).toBeFocused()

  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Use 7500: Value of Power' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Use 7,5: Value of Power' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(value('Power')).toBeFocused()
  await expect(value('Power')).toHaveValue('7500')
  await page.getByRole('button', { name: 'Use 8031 EUR: Value of Price' }).click()
  await page.getByRole('button', { name: 'Review…' }).click()
  await page.getByRole('button', { name: 'Save 3 changes' }).click()
  await expect(page.getByText('3 changes saved')).toBeVisible()
  const { properties } = await service.get<Entity>(`/users/${user}/entities/${id}`)
  expect(Object.fromEntries(properties.map((each) => [each.key, each.value]))).toEqual({
    weight: '7.25',
    power: 7500,
    price: { currency: 'EUR', value: '8031' },
  })
})

test('a number that can be read in two ways is asked about before it is set on many', async ({
  page,
  signIn,
  service,
}) => {
  const fleet = `Flotte ${crypto.randomUUID().slice(0, 8)}`
  const user = await service.post('/users', { name: fleet })
  await service.post(`/users/${user}/entities`, {
    type: 'car',
    properties: [{ key: 'fleet', type: 'TEXT', value: fleet }],
  })
  const where = [{ key: 'fleet', type: 'TEXT', op: 'eq', value: fleet }]
  const segment = await service.post('/segments', { name: fleet, filter: { entity: 'car', where } })
  await signIn('steward', `segments/${segment}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Bulk change…' }).click()
  await page.getByRole('combobox', { name: 'Entity type' }).fill('car')
  await page.getByRole('combobox', { name: 'Property' }).fill('load')
  await page.getByRole('combobox', { name: 'Type', exact: true }).selectOption('NUMBER')
  const value = page.getByRole('textbox', { name: 'Value', exact: true })
  await value.fill('7.500')
  await page.getByRole('button', { name: 'Preview change', exact: true }).click()
  await expect(value).toHaveAccessibleDescription(/two ways/)
  await expect(value).toBeFocused()
  await expect(page.getByRole('button', { name: 'Use 7,5: Value' })).toBeVisible()
  await page.getByRole('button', { name: 'Use 7500: Value' }).click()
  await expect(value).toHaveValue('7500')
  await page.getByRole('button', { name: 'Preview change', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Change 1 user' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Results by user' })).toContainText('7500')
})

test('controls of the log are large enough for a finger on a phone', async ({ page, signIn }) => {
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
