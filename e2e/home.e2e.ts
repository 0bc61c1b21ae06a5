import { expect, expectAccessible, test } from './fixtures.ts'

test('the home page leads to what was pinned and opened, without a mouse', async ({
  page,
  signIn,
  service,
}) => {
  const name = `Ana ${crypto.randomUUID()}`
  const filter = { user: 'name', op: 'eq', value: name }
  const ana = await service.post('/users', { name })
  const segment = await service.post('/segments', { name: `All called ${name}`, filter })
  await signIn('support', `segments/${segment}`)
  await page.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Pin', exact: true }).press('Enter')
  await page.goto(`users/${ana}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  // Keyboard shortcuts load after the page.
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    expect(page.url()).toMatch(/\/home$/)
  }).toPass()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeFocused()
  const pinned = page.getByRole('region', { name: 'Pinned segments' })
  await expect(pinned.getByRole('listitem')).toContainText(name)
  await expect(pinned.getByRole('listitem')).toContainText('1')
  await expectAccessible(page)
  await page
    .getByRole('region', { name: 'Recent and pinned users' })
    .getByRole('link', { name })
    .press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})
