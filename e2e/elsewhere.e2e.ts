import { expect, test } from './fixtures.ts'
import { startForeign } from './foreign.ts'

test('the console works where another server sends it below a path, from another origin than the service', async ({
  page,
  signInOnPage,
}) => {
  const foreign = await startForeign()
  try {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await signInOnPage('steward', `${foreign.consoleUrl}users`)
    await expect(page).toHaveURL(`${foreign.consoleUrl}users`)
    // The console loads its settings from a file here; the bundled service would write them into the page.
    expect(asked).toContain(`${foreign.consoleUrl}config.json`)
    await expect(page.getByRole('banner')).toContainText('Elsewhere')
    const link = page.getByRole('table', { name: 'Users' }).getByRole('link').first()
    const name = (await link.textContent()) ?? ''
    await link.click()
    await expect(page).toHaveURL(/\/tools\/console\/users\/[\da-f-]{36}$/)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText(name)
    const user = page.url()
    expect(asked.filter((url) => url.startsWith(`${foreign.apiUrl}/users/`))).not.toEqual([])

    const before = asked.length
    await page.reload()
    await expect(heading).toHaveText(name)
    expect(page.url()).toBe(user)
    expect(asked.slice(before).filter((url) => url.includes('/oidc/'))).toEqual([])
    await page.goBack()
    await expect(page).toHaveURL(`${foreign.consoleUrl}users`)
    await expect(page.getByRole('table', { name: 'Users' })).toBeVisible()

    // The bundled service would answer this malformed address itself.
    await page.goto(`${foreign.consoleUrl}users/100%`)
    await expect(heading).toHaveText('User not found')

    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
    // Waits for the end of the redirect to the provider, which ends the provider's session as well.
    await expect(page).toHaveURL(foreign.consoleUrl)
    await page.goto(user)
    await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByLabel('User name')).toBeVisible()
  } finally {
    await foreign.close()
  }
})

test('a sign-in leads back to an address that begins with two slashes', async ({ page, signInOnPage }) => {
  const foreign = await startForeign('/')
  try {
    await signInOnPage('steward', `${foreign.consoleUrl}/`)
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  } finally {
    await foreign.close()
  }
})
