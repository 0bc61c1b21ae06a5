import type { Page } from '@playwright/test'

import { expect, expectAccessible, test } from './fixtures.ts'

const unique = () => `q${crypto.randomUUID().slice(0, 8)}`

async function openFind(page: Page) {
  // The static frame of the initial page does not handle keys yet.
  await expect(page.locator('[data-frame]')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Find anywhere' })
  await expect(field).toBeFocused()
  return field
}

test('anybody is found from any page by the keyboard alone, without a trace of what was typed @smoke', async ({
  page,
  signIn,
  service,
}) => {
  const name = unique()
  await service.post('/users', { name: `Ana ${name}`, email: `${name}@example.org` })
  await signIn('support', 'events')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))

  const field = await openFind(page)
  await page.keyboard.type(`${name} an`)
  await expect(page.getByRole('option', { name: `Ana ${name}` })).toHaveAttribute('aria-selected', 'true')
  await expect(page.locator('mark').filter({ hasText: name }).first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Ana ${name}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(field).toBeHidden()

  await page.goBack()
  await expect(page).toHaveURL(/\/events/)
  // Recently opened users come first, after a reload too: the browser keeps their ids, and the console looks up the
  // names.
  await openFind(page)
  await expect(page.getByRole('option').first()).toContainText(`Ana ${name}`)
  const kept = await page.evaluate(() =>
    JSON.stringify([
      location.href,
      history.state,
      Object.values(localStorage),
      Object.values(sessionStorage),
    ]),
  )
  expect([kept, ...asked].filter((place) => place.includes(name))).toEqual([])
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByRole('button', { name: /^Find/ })).toBeVisible()
  await openFind(page)
  await expect(page.getByRole('option').first()).toContainText(`Ana ${name}`)
})

test('late results move nothing under the fingers, and a quick Enter opens what was asked for', async ({
  page,
  signIn,
  service,
}) => {
  const name = unique()
  const segment = await service.post('/segments', { name: `${name} group`, filter: { all: [] } })
  await service.post('/users', { name: `${name} person` })
  await signIn('support', 'users')
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('link').first()).toBeVisible()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/users/search', async (route) => {
    await released
    await route.fallback()
  })
  await openFind(page)
  const asked = page.waitForRequest('**/api/users/search')
  await page.keyboard.type(name)
  const group = page.getByRole('option', { name: `${name} group` })
  // Arrow keys lead through what is listed.
  await expect(group).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(group).toHaveAttribute('aria-selected', 'true')
  await asked
  release()
  await expect(page.getByRole('option', { name: `${name} person` })).toBeVisible()
  await expect(group).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/segments/${segment}$`))

  await openFind(page)
  await page.keyboard.type(`${name} per`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} person`)
})

test('pages, actions and ids: by words, by pointer, in another tab, and what a role may not do says so', async ({
  page,
  context,
  signIn,
  service,
}) => {
  const id = await service.post('/users', { name: 'Found by id' })
  const [event] = await service.get<{ id: string; type: string }[]>('/events')
  await signIn('steward', 'users')
  await page.getByRole('button', { name: 'Find a user, segment, event…' }).click()
  const field = page.getByRole('combobox', { name: 'Find anywhere' })
  await expect(field).toBeFocused()

  await page.keyboard.type('new seg')
  await expect(page.getByRole('option', { name: 'New segment' })).toContainText('can’t change segments')
  await expectAccessible(page)
  await field.fill('theme dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(page.getByRole('button', { name: 'Find a user, segment, event…' })).toBeFocused()
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')

  await openFind(page)
  await field.fill(event?.id ?? '')
  await page.getByRole('option', { name: `Event ${event?.type ?? ''}` }).click()
  await expect(page).toHaveURL(/\/events\/[\da-f-]{36}/)

  await openFind(page)
  await field.fill(`${page.url().split('/events')[0] ?? ''}/users/${id}?tab=1`)
  await expect(page.getByRole('option', { name: 'Found by id' })).toBeVisible()
  const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Control+Enter')])
  // Until its styles have loaded, the new tab contains the headings of all skeletons.
  await tab.waitForLoadState()
  await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Found by id')
  await tab.close()
  await expect(field).toBeVisible()
  await field.fill('01935bfa-1371-752d-9d0c-000000000000')
  await expect(page.getByText('No user, segment or event has this id.')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field).toBeHidden()
})

test('the word of a command is the command, also where somebody is called so', async ({
  page,
  signIn,
  service,
}) => {
  await service.post('/users', { name: 'Dark Vader' })
  await signIn('support', 'segments')
  await openFind(page)
  await page.keyboard.type('dark')
  await expect(page.getByRole('option', { name: 'Dark Vader' }).first()).toBeVisible()
  await expect(page.getByRole('option').first()).toContainText('Switch to dark mode')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(page).toHaveURL(/\/segments$/)
})

test('on a narrow screen it is reached by its button, and gives way to a question', async ({
  page,
  signIn,
}) => {
  await signIn('support', 'users/new')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('textbox', { name: 'Name' }).fill('Begun')
  await page.getByRole('button', { name: 'Find a user, segment, event…' }).click()
  const field = page.getByRole('combobox', { name: 'Find anywhere' })
  await field.fill('segments')
  await expectAccessible(page)
  await page.getByRole('option', { name: 'Segments', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field).toBeHidden()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Begun')
})
