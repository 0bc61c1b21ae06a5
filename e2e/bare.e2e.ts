import type { Entity } from '#contract/index.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

// Everything that the console does with a service that knows the API document alone.

const unique = () => crypto.randomUUID().slice(0, 8)

test('users are listed by pages and by segment, and one is opened by id @smoke', async ({
  page,
  signIn,
  service,
}) => {
  const ref = unique()
  const id = await service.post('/users', { name: `Only ${ref}`, ref })
  await service.post('/segments', { name: `Refs ${ref}`, filter: { user: 'ref', op: 'eq', value: ref } })
  await signIn('support')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users')
  const table = page.getByRole('table', { name: 'Users' })
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages).toContainText('1–50 of')
  await expect(page.getByText(/^Searching and filtering need a Data Store service/)).toBeVisible()
  await expectAccessible(page)
  const first = await table.getByRole('link').first().getAttribute('href')
  await pages.getByRole('button', { name: 'Next' }).click()
  await expect(pages).toContainText('51–100 of')
  await page.reload()
  await expect(pages).toContainText('51–100 of')
  await pages.getByRole('button', { name: 'First' }).click()
  await expect(table.getByRole('link').first()).toHaveAttribute('href', first ?? '')

  await page.getByRole('button', { name: /Segment/ }).click()
  await page.getByRole('combobox', { name: 'Segment' }).fill(ref)
  await page.getByRole('option', { name: `Refs ${ref}` }).click()
  await expect(table.getByRole('link')).toHaveText([`Only ${ref}`])
  await table.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/users/${id}$`))
  await page.goBack()
  await expect(table.getByRole('link', { name: `Only ${ref}` })).toBeFocused()

  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Find anywhere' })
  await field.fill(ref)
  await expect(page.getByText('This service can’t search for users.')).toBeVisible()
  await expectAccessible(page)
  await field.fill(id)
  await page.getByRole('option', { name: `Only ${ref}` }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Only ${ref}`)
})

test('a lost answer makes no second user, and a user is deleted without a receipt', async ({
  page,
  signIn,
  service,
}) => {
  const ref = unique()
  await signIn('admin', 'users/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Once')
  await page.getByLabel('Ref').fill(ref)
  const before = (await service.get<{ total: number }>('/users')).total
  let lost = 0
  await page.route('**/api/users', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.fallback()
    lost += 1
    // The service receives and handles the request; only its answer is lost.
    await route.fetch({ maxRedirects: 0 })
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page.getByText('The user may have been created')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Once')
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page.getByText('This user already exists')).toBeVisible()
  expect((await service.get<{ total: number }>('/users')).total).toBe(before + 1)

  await page.getByRole('link', { name: 'Open user' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete user…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Once?' })
  await dialog.getByRole('textbox', { name: /^Type/ }).fill('delete')
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await expect(page.getByText(/^Once deleted/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Deleted users' })).toHaveCount(0)
})

test('an entity is edited: its hidden values are hidden on screen only, and a colleague’s change is kept', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Edited' })
  const id = await service.post(`/users/${user}/entities`, {
    type: 'person',
    properties: [
      { key: 'city', type: 'TEXT', value: 'Lyon' },
      { key: 'iban', type: 'TEXT', sensitive: true, value: 'FR76 CANARY' },
    ],
  })
  const read = () => service.get<Entity>(`/users/${user}/entities/${id}`)
  const types = page.waitForRequest((request) => request.url().endsWith('/api/datatypes'))
  await signIn('steward', `users/${user}/entities/${id}`)
  expect((await types).headers()).not.toHaveProperty('authorization')
  await expect(page.getByRole('combobox', { name: 'Type of City' }).locator('option')).toHaveCount(12)
  await expect(page.getByText(/^Sensitive values are hidden on screen only/)).toBeVisible()
  await expect(page.getByText('FR76 CANARY')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reveal IBAN' }).press('Enter')
  await expect(page.getByText('FR76 CANARY')).toBeVisible()

  await page.getByRole('textbox', { name: 'Value of City' }).fill('Nantes')
  await service.patch(`/users/${user}/entities/${id}`, {
    type: 'person',
    properties: [{ key: 'street', type: 'TEXT', value: 'Rue Basse 1' }],
  })
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(page.getByText(/^City changed from .* to Nantes/)).toBeVisible()
  expect((await read()).properties.map(({ key, value }) => [key, value])).toEqual([
    ['city', 'Nantes'],
    ['iban', 'FR76 CANARY'],
    ['street', 'Rue Basse 1'],
  ])
})

test('a segment is written, lists its users and is deleted', async ({ page, signIn, service }) => {
  const ref = unique()
  await service.post('/users', { name: 'Volvo driver', ref })
  await signIn('admin', 'segments')
  await page.getByRole('link', { name: 'New segment' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`Journey ${ref}`)
  await page.getByText('JSON', { exact: true }).click()
  await page.getByLabel('Filter as JSON').fill(`{"all":[{"user":"ref","op":"eq","value":"${ref}"}]}`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create segment' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Journey ${ref}` })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Users in this segment' }).getByRole('link')).toHaveText([
    'Volvo driver',
  ])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete segment…' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(`Journey ${ref}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete segment' }).click()
  await expect(page.getByText(`“Journey ${ref}” deleted`)).toBeVisible()
})

test('the log is read from its newest event back', async ({ page, signIn, service }) => {
  const user = await service.post('/users', { name: 'Eventful' })
  await signIn('admin', 'events')
  const newest = page.getByRole('table', { name: 'Events' }).locator('tr[data-id]').first()
  await expect(newest).toContainText('User created')
  await expectAccessible(page)
  await newest.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/events\/[\da-f-]{36}/)
  const detail = page.getByRole('dialog')
  await expect(detail).toContainText(user)
  await expect(detail).toContainText('Not delivered')
  await page.keyboard.press('Escape')
  await expect(detail).toBeHidden()
})

// Behind the proxy of the other services the sign-in has an address of its own, which Chromium keeps a page from that
// did not come over the network.
test('a page from another server loads its own settings', async ({ page, signInOnPage }) => {
  await page.route(
    (url) => url.pathname === '/segments' || url.pathname === '/signed-in',
    async (route) => {
      const response = await route.fetch()
      const html = await response.text()
      expect(html).toContain('id="prefetched"')
      await route.fulfill({ response, body: html.replace(/<script [^>]*id="prefetched">.*?<\/script>/s, '') })
    },
  )
  const settings = page.waitForResponse((response) => response.url().endsWith('/config.json'))
  await signInOnPage('steward', 'segments')
  expect((await settings).status()).toBe(200)
  await expect(page.getByRole('heading', { level: 1, name: 'Segments' })).toBeVisible()
})
