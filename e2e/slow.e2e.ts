import { expect, type Service, test } from './fixtures.ts'
import { answers, hold } from './hold.ts'

async function makeUser(service: Service) {
  const name = `Patience ${crypto.randomUUID().slice(0, 8)}`
  const id = await service.post('/users', { name, ref: name })
  await service.post(`/users/${id}/entities`, {
    type: 'person',
    properties: [{ key: 'city', type: 'TEXT', value: 'Lyon' }],
  })
  const segment = await service.post('/segments', { name, filter: { user: 'name', op: 'eq', value: name } })
  return { id, name, list: `users?segment=${segment}` }
}

for (const key of ['a click', 'Enter'] as const)
  test(`while the service is slow ${key} marks the row and dims the page that is left`, async ({
    page,
    signIn,
    service,
  }) => {
    const { id, name, list } = await makeUser(service)
    await signIn('steward', list)
    const row = page.getByRole('table', { name: 'Users' }).getByRole('link', { name })
    const main = page.getByRole('main')
    await expect(row).toBeVisible()
    const slow = await hold(page, answers)
    await row.focus()
    await (key === 'Enter' ? page.keyboard.press('Enter') : row.click())
    await expect(row).toHaveAttribute('data-pressed')
    await expect(main).toHaveCSS('opacity', '0.5')
    await expect(page).toHaveURL(new RegExp(list.replace('?', '\\?')))
    slow.letGo()

    await expect(page.getByText('Lyon', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(id))
    await expect(main.getByRole('heading', { level: 1, name })).toBeFocused()
    await expect(main).toHaveCSS('opacity', '1')

    // Back shows the cached list without waiting for the service.
    const slowAgain = await hold(page, answers)
    await page.goBack()
    await expect(row).toBeFocused()
    await expect(row).not.toHaveAttribute('data-pressed')
    slowAgain.letGo()
  })

test('a page that fails says so in the place of the one that was left', async ({ page, signIn, service }) => {
  const { name, id, list } = await makeUser(service)
  await signIn('steward', list)
  const row = page.getByRole('table', { name: 'Users' }).getByRole('link', { name })
  await expect(row).toBeVisible()
  await page.route(`**/api/users/${id}`, (route) => route.fulfill({ status: 500, body: '' }))
  await row.click()
  await expect(page.getByRole('alert')).toContainText('Try again')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('another area is marked in the navigation at once, and so is a tab, while the page stays', async ({
  page,
  signIn,
  service,
}) => {
  const { id, name } = await makeUser(service)
  await signIn('steward', `users/${id}`)
  const heading = page.getByRole('main').getByRole('heading', { level: 1 })
  await expect(page.getByText('Lyon', { exact: true })).toBeVisible()
  const slow = await hold(page, answers)

  const tab = page.getByRole('link', { name: 'Activity', exact: true })
  await tab.click()
  await expect(tab).toHaveAttribute('data-pressed')
  await expect(heading).toHaveText(name)

  const area = page.getByRole('link', { name: 'Segments', exact: true }).first()
  await area.click()
  await expect(area).toHaveAttribute('data-pressed')
  await expect(tab).not.toHaveAttribute('data-pressed')
  await expect(page).toHaveURL(new RegExp(id))
  slow.letGo()
  await expect(heading).toHaveText('Segments')
  await expect(heading).toBeFocused()
  await expect(page).toHaveURL(/\/segments$/)
})

test('resting on a row reads its page ahead, once; going over rows asks for nothing', async ({
  page,
  signIn,
  service,
}) => {
  const { id, name, list } = await makeUser(service)
  await signIn('steward', 'users')
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
  await expect(rows).toHaveCount(51)
  // Moves the pointer off the row that it has been on since the sign-in.
  await page.getByRole('heading', { level: 1 }).hover()
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\/api\/users\/.+/.test(pathname)) asked.push(pathname.replace(/^.*\/api/, ''))
  })
  await rows.evaluateAll((all) => {
    for (const row of all) row.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
    // Leaves the rows at once, because resting on the last one would trigger its prefetch.
    document.body.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
  })
  await page.getByRole('heading', { level: 1 }).hover()
  expect(asked).toEqual([])

  await page.goto(list)
  const row = page.getByRole('link', { name })
  await row.hover()
  await expect.poll(() => asked).toContain(`/users/${id}`)
  await row.click()
  await expect(page.getByText('Lyon', { exact: true })).toBeVisible()
  // Secondary data is requested only once the entities are there.
  const ahead = [`/users/${id}`, `/users/${id}/entities`]
  expect(asked.filter((path) => ahead.includes(path)).toSorted()).toEqual(ahead)
})
