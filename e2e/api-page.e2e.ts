import { AxeBuilder } from '@axe-core/playwright'

import { expect, scriptToken, test } from './fixtures.ts'

test('the API is searched and tried on its page, which asks no other host and stores no token', async ({
  page,
  request,
  baseURL,
  service,
}) => {
  const elsewhere: string[] = []
  page.on('request', (each) => {
    const { origin, protocol } = new URL(each.url())
    if (protocol.startsWith('http') && origin !== new URL(baseURL ?? '').origin) elsewhere.push(each.url())
  })
  const token = await scriptToken(request)
  await page.goto('api/docs')
  await expect(page.getByRole('heading', { level: 1, name: 'Data Store Service' })).toBeVisible()
  for (const language of ['Shell', 'JavaScript', 'Python'])
    await expect(page.getByRole('tab', { name: language, exact: true })).toBeVisible()
  await page.getByPlaceholder('Token').fill(token)

  await page.getByRole('button', { name: /search/i }).click()
  await page.keyboard.type('/users/{user_id}')
  await page
    .getByRole('option', { name: /\/users\/\{user_id\}/ })
    .first()
    .click()
  const found = page.getByRole('region', { name: 'One user.', exact: true })
  await expect(found.getByText('API document', { exact: true })).toBeInViewport()
  await expect(found.getByText(/^curl/)).toBeVisible()
  await found.getByRole('button', { name: /^Change code sample language/ }).click()
  await page.getByRole('option', { name: 'Requests', exact: true }).click()
  await expect(found.getByText('requests.get')).toBeVisible()

  await page.getByRole('button', { name: 'Test Request (get /users)', exact: true }).click()
  const client = page.getByRole('dialog')
  await client.getByRole('button', { name: /^Send get request/ }).click()
  await expect(client.getByText('200 OK')).toBeVisible()
  await expect(client).toContainText('numberOfRecords')
  const { users } = await service.get<{ users: { id: string; name: string }[] }>('/users')

  expect(elsewhere).toEqual([])
  const stored = await page.evaluate(async () =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await indexedDB.databases(),
    ]),
  )
  for (const secret of [token, users[0]?.id, users[0]?.name]) expect(stored).not.toContain(secret)
})

for (const [colorScheme, forcedColors] of [
  ['light', 'none'],
  ['dark', 'none'],
  ['light', 'active'],
] as const)
  test(`the page of the API is accessible in the ${colorScheme} scheme, forced colours ${forcedColors}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme, forcedColors })
    await page.goto('api/docs#tag/users/GET/users/{user_id}')
    await expect(page.locator('body')).toHaveClass(`${colorScheme}-mode`)
    await expect(page.getByRole('region', { name: 'One user.', exact: true })).toBeInViewport()
    await expect(async () => {
      const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
      const { violations } = await axe
        .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze()
      expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
    }).toPass({ timeout: 60_000 })
  })

test('behind a proxy with a path, the page of the API asks and tries everything below that path', async ({
  page,
  request,
  baseURL,
}) => {
  const { origin } = new URL(baseURL ?? '')
  const above: string[] = []
  await page.route(`${origin}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    if (pathname.startsWith('/team/store/'))
      return await route.continue({ url: `${origin}${pathname.slice('/team/store'.length)}${search}` })
    above.push(pathname)
    return await route.abort()
  })
  await page.goto('team/store/api/docs')
  await page.getByPlaceholder('Token').fill(await scriptToken(request))
  await page.getByRole('button', { name: 'Test Request (get /users)', exact: true }).click()
  const client = page.getByRole('dialog')
  await client.getByRole('button', { name: /^Send get request/ }).click()
  await expect(client.getByText('200 OK')).toBeVisible()
  expect(above).toEqual([])
})
