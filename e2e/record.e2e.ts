import { expect, expectAccessible, type Service, test } from './fixtures.ts'

async function prepare(service: Service) {
  const user = await service.post('/users', {
    name: 'Read First',
    email: `${crypto.randomUUID()}@example.org`,
  })
  await service.post(`/users/${user}/entities`, {
    type: 'person',
    properties: [
      { key: 'city', type: 'TEXT', value: 'Lyon' },
      { key: 'mobile_phone', type: 'TEXT', value: '+33 6 12 34' },
      { key: 'iban', type: 'TEXT', sensitive: true, value: 'CANARY-0190' },
    ],
  })
  const car = await service.post(`/users/${user}/entities`, {
    type: 'car',
    properties: [
      { key: 'make', type: 'TEXT', value: 'Peugeot' },
      { key: 'model', type: 'TEXT', value: '208' },
    ],
  })
  return { user, car }
}

test('a user is read as text; a row is edited in its place, by mouse and by keyboard, and read again once saved @smoke', async ({
  page,
  signIn,
  service,
}) => {
  const { user } = await prepare(service)
  await signIn('steward', `users/${user}`)
  await expect(page.getByRole('heading', { name: 'Peugeot 208 car' })).toBeVisible()
  await expect(page.getByText('Mobile phone', { exact: true })).toBeVisible()
  await expect(page.getByRole('form')).toHaveCount(0)
  await page.getByText('+33 6 12 34').click()
  await expect(page.getByRole('textbox', { name: 'Value of Mobile phone' })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('form')).toHaveCount(0)

  await page.getByRole('button', { name: 'Edit City' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Edit Mobile phone' })).toBeFocused()
  await page.keyboard.press('Enter')
  const phone = page.getByRole('textbox', { name: 'Value of Mobile phone' })
  await expect(phone).toBeFocused()
  await phone.fill('+33 6 99')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Mobile phone changed from +33 6 12 34 to +33 6 99')).toBeVisible()
  await expect(page.getByRole('form')).toHaveCount(0)
  await expect(page.getByText('+33 6 99', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/users/${user}$`))
  await expect(page.getByRole('button', { name: 'Edit Mobile phone' })).toBeFocused()
})

test('hints and menus tell the keys, as long as they do something', async ({ page, signIn, service }) => {
  const { user } = await prepare(service)
  await signIn('steward', `users/${user}`)
  const hint = page.getByRole('tooltip')
  await page.getByRole('button', { name: 'Edit City' }).hover()
  await expect(hint.locator('kbd')).toHaveText('e')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Edit person' }).click()
  await page.getByRole('textbox', { name: 'Value of City' }).fill('Brest')
  await page.getByRole('button', { name: 'Save 1 change' }).hover()
  await expect(hint.locator('kbd')).toHaveText(['Ctrl', 'S'])
  const account = page.getByRole('button', { name: /^Account/ })
  await account.click()
  const keys = page.getByRole('menuitem', { name: 'Keyboard shortcuts' })
  await expect(keys.locator('kbd')).toHaveText('?')
  await keys.click()
  await page.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await account.click()
  await expect(keys.locator('kbd')).toBeHidden()
})

test('unsaved input stays while another entity and another tab are opened', async ({
  page,
  signIn,
  service,
}) => {
  const { user, car } = await prepare(service)
  await signIn('steward', `users/${user}`)
  await page.getByRole('link', { name: 'Edit person' }).click()
  const city = page.getByRole('textbox', { name: 'Value of City' })
  await city.fill('Brest')
  await page.getByRole('link', { name: 'Edit Peugeot 208 car' }).click()
  await expect(page).toHaveURL(new RegExp(`/entities/${car}$`))
  await expect(page.getByRole('textbox', { name: 'Value of Make' })).toBeFocused()
  await expect(city).toHaveValue('Brest')
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'About this user' }).getByRole('link', { name })
  await tab('Segments').click()
  await expect(city).toBeHidden()
  await tab('Entities').click()
  await expect(city).toHaveValue('Brest')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Segments' }).click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(city).toHaveValue('Brest')
})

test('an entity is saved beside another one with unsaved changes, which stay as they are typed', async ({
  page,
  signIn,
  service,
}) => {
  const { user, car } = await prepare(service)
  await page.setViewportSize({ width: 1440, height: 1100 })
  await signIn('steward', `users/${user}`)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText('Created car')
  await page.getByRole('link', { name: 'Edit person' }).click()
  const city = page.getByRole('textbox', { name: 'Value of City' })
  await city.fill('Brest')
  await page.getByRole('link', { name: 'Edit Peugeot 208 car' }).click()
  const model = page.getByRole('textbox', { name: 'Value of Model' })
  await model.fill('308')
  await expectAccessible(page)
  await model.press('Control+s')
  await expect(page.getByText('Model changed from 208 to 308').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit Peugeot 308 car' })).toBeFocused()
  await expect(timeline).toContainText('Changed Model (car)')
  await expect(city).toHaveValue('Brest')
  await city.press('Control+s')
  await expect(page.getByText('City changed from Lyon to Brest').first()).toBeVisible()
  const saved = await service.get<{ properties: { value: unknown }[] }>(`/users/${user}/entities/${car}`)
  expect(saved.properties.map(({ value }) => value)).toEqual(['Peugeot', '308'])
})

test('a misspelt name, and the phone of that person is corrected, in at most six presses beside the text', async ({
  page,
  signIn,
  service,
}) => {
  const name = `Quintilian ${crypto.randomUUID().slice(0, 6)}`
  const user = await service.post('/users', { name })
  await service.post(`/users/${user}/entities`, {
    type: 'person',
    properties: [
      { key: 'birthday', type: 'DATE', value: '1984-02-29' },
      { key: 'city', type: 'TEXT', value: 'Lyon' },
      { key: 'phone', type: 'TEXT', value: '+33 6 12 34' },
    ],
  })
  await signIn('steward', 'users')
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('link').first()).toBeVisible()
  let presses = 0
  const press = async (key: string) => {
    presses += 1
    await page.keyboard.press(key)
  }
  await press('/')
  await expect(page.getByRole('main').getByRole('searchbox')).toBeFocused()
  const misspelt = name.replace('nt', 'tn')
  await page.keyboard.type(misspelt)
  // The beginning of the name has found the user, too. Enter opens a similar name only for a person who has seen it.
  await expect(page.getByText(`No match for “${misspelt}”. Similar spellings:`)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(2)
  await press('Enter')
  await expect(page.getByText('+33 6 12 34')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
  await press('Control+k')
  await page.keyboard.type('phone')
  await press('Enter')
  await expect(page.getByRole('textbox', { name: 'Value of Phone' })).toBeFocused()
  await press('Control+a')
  await page.keyboard.type('+33 6 12 43')
  await press('Enter')
  await expect(page.getByRole('form')).toHaveCount(0)
  await expect(page.getByText('+33 6 12 43', { exact: true })).toBeVisible()
  expect(presses).toBeLessThanOrEqual(6)
})

test('the timeline is beside the entities where there is room, and shows old and new', async ({
  page,
  signIn,
  service,
}) => {
  const { user, car } = await prepare(service)
  await service.patch(`/users/${user}/entities/${car}`, {
    type: 'car',
    properties: [{ key: 'model', type: 'TEXT', value: '308' }],
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn('steward', `users/${user}`)
  const timeline = page.getByRole('complementary', { name: 'Timeline' })
  await expect(timeline.getByText('Today')).toBeVisible()
  await expect(timeline.getByRole('listitem').first()).toContainText('Model 208 → 308')
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect(timeline).toBeHidden()
})
