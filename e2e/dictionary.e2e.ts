import { expect, expectAccessible, test } from './fixtures.ts'

test('the data dictionary: which properties there are, who deviates, and who they are', async ({
  page,
  signIn,
  service,
}) => {
  const key = `mileage_${crypto.randomUUID().slice(0, 8)}`
  const names = await Promise.all(
    [5, 7, 'many'].map(async (value) => {
      const name = `Driver of ${String(value)} ${key}`
      const type = typeof value === 'number' ? 'NUMBER' : 'TEXT'
      await service.post('/users', { name, properties: [{ key, type, value }] })
      return name
    }),
  )
  await signIn('steward', 'users')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dictionary' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dictionary' })).toBeVisible()
  await page.getByRole('searchbox', { name: /^Filter/ }).fill(key)
  const row = page.getByRole('table', { name: 'person' }).getByRole('row').filter({ hasText: key })
  // The dictionary of a large store is counted in the background.
  await expect(async () => {
    await page.reload()
    await page.getByRole('searchbox', { name: /^Filter/ }).fill(key)
    expect(await row.allTextContents()).toEqual([expect.stringContaining('1 user as Text')])
  }).toPass()
  await expect(row).toContainText('Number')
  await expectAccessible(page)
  await row.getByRole('link', { name: /^List 1 user with .* as Text$/ }).press('Enter')
  await expect(page.getByRole('link', { name: names[2] ?? '' })).toBeVisible()
  await expect(page.getByRole('link', { name: names[0] ?? '' })).toBeHidden()
  expect(page.url()).not.toContain(key)
})

test('leads to an entity type from the list beside, and shows its definition', async ({
  page,
  signIn,
  service,
}) => {
  const type = `bike_${crypto.randomUUID().slice(0, 8)}`
  const user = await service.post('/users', { name: `Rider ${type}` })
  await service.post(`/users/${user}/entities`, {
    type,
    properties: Array.from({ length: 30 }, (_, at) => ({ key: `part_${at}`, type: 'TEXT', value: 'a' })),
  })
  await expect.poll(async () => JSON.stringify(await service.get('/dictionary'))).toContain(type)
  await signIn('steward', 'dictionary')
  const link = page
    .getByRole('navigation', { name: 'Entity types' })
    .getByRole('link', { name: new RegExp(type.replace('_', ' '), 'i') })
  await link.press('Enter')
  const section = page.getByRole('region', { name: type })
  const heading = section.getByRole('heading')
  await expect(heading).toBeFocused()
  await expect(link).toHaveAttribute('aria-current', 'location')
  await expect(heading).toBeInViewport()
  expect(page.url()).not.toContain(type)
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Plural' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(section.getByRole('button', { name: /^Edit definition/ })).toBeFocused()
  // Back leads to the place before the jump.
  await page.goBack()
  await expect(link).not.toHaveAttribute('aria-current')
  await expect(page.getByRole('searchbox', { name: /^Filter/ })).toBeInViewport()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('navigation', { name: 'Entity types' })).toBeHidden()
})

test('defines a property in a panel beside its row', async ({ page, signIn, service }) => {
  const key = `grade_${crypto.randomUUID().slice(0, 8)}`
  await service.post('/users', { name: `Graded ${key}`, properties: [{ key, type: 'TEXT', value: 'a' }] })
  await signIn('steward', 'users')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dictionary' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dictionary' })).toBeVisible()
  const row = page.getByRole('table', { name: 'person' }).getByRole('row').filter({ hasText: key })
  const filter = page.getByRole('searchbox', { name: /^Filter/ })
  // The dictionary of a large store is counted in the background.
  await expect(async () => {
    await page.reload()
    await filter.fill(key)
    await expect(page.getByText(/Last counted/)).toBeVisible()
    expect(await row.isVisible()).toBe(true)
  }).toPass()
  await row.getByRole('button', { name: /definition/ }).press('Enter')
  const panel = page.getByRole('dialog')
  await panel.getByRole('textbox', { name: 'Label' }).fill(`School ${key}`)
  await panel.getByRole('button', { name: 'Add choice' }).click()
  await panel.getByRole('textbox', { name: 'Value of choice 1' }).fill('a')
  await panel.getByRole('button', { name: 'Add choice' }).click()
  await panel.getByRole('textbox', { name: 'Value of choice 2' }).fill('a')
  // The complaint about the second "a" may not move the button away from the pointer.
  await panel.getByRole('button', { name: 'Add choice' }).click()
  await expect(panel.getByText('The choice is there already.')).toBeVisible()
  await panel.getByRole('textbox', { name: 'Value of choice 3' }).fill('b')
  await panel.getByRole('button', { name: 'Remove choice 2' }).click()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Save definition' }).click()
  await expect(panel).toBeHidden()
  await expect(row).toContainText(`School ${key}`)
  await expect(row).toContainText('Defined')
  await expect(row.getByRole('button', { name: /definition/ })).toBeFocused()
  await expectAccessible(page)
  expect(page.url()).not.toContain(key)
})
