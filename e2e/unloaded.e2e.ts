import { expect, expectAccessible, test } from './fixtures.ts'

// Covers each kind of file that a page may fail to load: code and styles.

for (const kind of ['js', 'css'])
  test(`a page whose ${kind} file is gone after an update asks for a reload`, async ({
    page,
    signIn,
    faults,
  }) => {
    await page.route(new RegExp(`/assets/SegmentsPage-[^/]+\\.${kind}$`), (route) =>
      route.fulfill({ status: 404, contentType: 'application/json', body: '{}' }),
    )
    await signIn('steward', 'users')
    await page.getByRole('link', { name: 'Segments' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Data Store has been updated' })).toBeVisible()
    await expect(page).toHaveTitle(/^Data Store has been updated/)
    await expectAccessible(page)
    // The failure is also reported as an error, for the operators of the console.
    expect(faults.splice(0).join()).toMatch(/Failed to fetch|Unable to preload/)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Segments' })).toBeVisible()
  })

test('without a connection a page that is not loaded yet says so, and the current screen stays usable', async ({
  page,
  context,
  signIn,
  faults,
}) => {
  // Loaded right after the first page.
  const speaking = page.waitForResponse(/\/assets\/Toasts-[^/]+\.js$/)
  await signIn('steward', 'users')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('link').first()).toBeVisible()
  await (await speaking).finished()
  await context.setOffline(true)

  await test.step('hints and menus are there, and a form that is not takes no page with it', async () => {
    await page.getByRole('button', { name: 'Columns' }).hover()
    await expect(page.getByRole('tooltip')).toBeVisible()
    await page.getByRole('button', { name: 'Columns' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await expect(page.getByText('Part of Data Store couldn’t be loaded')).toBeVisible()
    await expect(heading).toHaveText('Users')
  })

  await test.step('a page', async () => {
    await page.getByRole('link', { name: 'Segments' }).click()
    await expect(heading).toHaveText('You’re offline')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled()
    await expect(heading).toHaveText('You’re offline')
    expect(faults.splice(0).join()).toMatch(/Failed to fetch|Unable to preload/)
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    // Waits for a row, because until its styles have loaded the page contains the headings of all skeletons.
    await expect(page.getByRole('table', { name: 'Segments' }).getByRole('link').first()).toBeVisible()
    await expect(heading).toHaveText('Segments')
  })
})

test('a dialog that cannot be loaded leaves the page with what was typed on it', async ({
  page,
  signIn,
  service,
}) => {
  const dialogs = /\/assets\/(FindResults|HistoryPanel|UserForm)-[^/]+\.js$/
  await page.route(dialogs, (route) => route.abort())
  const user = await service.post('/users', { name: 'Una' })
  const properties = [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'iban', type: 'TEXT', sensitive: true, value: 'ES91' },
  ]
  const entity = await service.post(`/users/${user}/entities`, { type: 'person', properties })
  await signIn('steward', `users/${user}/entities/${entity}`)
  const city = page.getByRole('textbox', { name: 'Value of City' })
  await city.fill('Nice')
  const button = (name: string) => page.getByRole('button', { name })
  const said = page.getByText('Part of Data Store couldn’t be loaded')
  const presses = [
    () => button('History of City').click(),
    () =>
      page
        .getByRole('region', { name: 'Identity' })
        .getByRole('button', { name: 'Edit', exact: true })
        .click(),
    async () => {
      await button('Review…').focus()
      await page.keyboard.press('ControlOrMeta+k')
    },
  ]
  for (const press of presses) {
    await press()
    await expect(said).toBeVisible()
    await expect(city).toHaveValue('Nice')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(said).toHaveCount(0)
  }
  await page.unrouteAll()
  const history = button('History of City')
  await history.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(history).toBeFocused()
  await expect(city).toHaveValue('Nice')
})
