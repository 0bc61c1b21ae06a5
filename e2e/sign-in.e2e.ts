import { expect, expectAccessible, test } from './fixtures.ts'
import { hold } from './hold.ts'

test('signing in leads back to the page that was asked for; a reload asks the provider for nothing @smoke', async ({
  page,
  signInOnPage,
}) => {
  await signInOnPage('steward', 'segments')
  await expect(page).toHaveURL(/\/segments$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Segments' })).toBeVisible()
  // Tokens belong to the tab alone, and nothing of the sign-in flow is left behind.
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/eyJ|steward|token|verifier/i)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/verifier/i)

  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Segments' })).toBeVisible()
  // The service wrote settings and capabilities into the page.
  expect(asked).not.toContain('/config.json')
  expect(asked).not.toContain('/api/capabilities')
  expect(asked.filter((path) => path.startsWith('/oidc'))).toEqual([])
  // The list was requested once, before the console's code had loaded, and the console used that response.
  expect(asked.filter((path) => path === '/api/segments')).toHaveLength(1)
})

test('a page that may be on its way to the sign-in leaves the font, which would delay it', async ({
  page,
  signInOnPage,
}) => {
  const family = () => page.evaluate(() => getComputedStyle(document.body).fontFamily)
  await page.route('**/assets/boot-*.js', (route) => route.abort())
  await page.goto('')
  expect(await family()).not.toContain('Inter')
  await page.unroute('**/assets/boot-*.js')
  await signInOnPage('support', 'users')
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('row').nth(1)).toBeVisible()
  await expect.poll(family).toContain('Inter')
})

test('a wrong password says so and keeps the name', async ({ page }) => {
  await page.goto('')
  await page.getByLabel('User name').fill('steward')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('User name or password is wrong')).toBeVisible()
  await expect(page.getByLabel('User name')).toHaveValue('steward')
})

test('signing out ends the session here and at the provider; Back shows nothing', async ({
  page,
  signInOnPage,
}) => {
  await signInOnPage('support', 'users')
  const row = page.getByRole('table', { name: 'Users' }).getByRole('row').nth(1)
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
  // Waits for the end of the redirect to the provider, which ends the provider's session as well.
  await expect(page).not.toHaveURL(/users|oidc/)
  await page.goBack()
  await expect(page.getByRole('table', { name: 'Users' })).toBeHidden()
  await page.goto('users')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByLabel('User name')).toBeVisible()
})

for (const role of ['support', 'integrator'] as const)
  test(`${role} lands on the first area that the role may see, before any other code`, async ({
    page,
    signIn,
  }) => {
    const heading = page.getByRole('heading', { level: 1 })
    await signIn(role)
    await expect(heading).toHaveText('Home')
    await expect(page).toHaveURL(/\/home$/)
    const { letGo } = await hold(page, /\/assets\/(?!boot-)[^/]+\.js$/)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('', { waitUntil: 'commit' })
    // The page's only blocking script chooses the area before any other script has run.
    await expect(page).toHaveURL(/\/home$/)
    if (role === 'integrator') expect(asked).not.toContain('/api/users')
    letGo()
    await page.unrouteAll({ behavior: 'wait' })
    await page.goto('')
    await expect(heading).toHaveText('Home')
    await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
  })

test('a role that may not see a page is told so, and led to one that it may see', async ({
  page,
  signIn,
}) => {
  await signIn('integrator', 'users')
  await expect(page.getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible()
  await expect(page.getByText('Your role can’t see users.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
})
