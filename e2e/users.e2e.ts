import { expect, expectAccessible, test } from './fixtures.ts'

const unique = () => crypto.randomUUID().slice(0, 8)

test('the list pages forward and back, and its position survives a reload and a visit to a user', async ({
  page,
  signIn,
}) => {
  await signIn('support', 'users')
  const table = page.getByRole('table', { name: 'Users' })
  const firstLink = table.getByRole('link').first()
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(table.getByRole('row')).toHaveCount(51)
  const firstOfFirst = await firstLink.getAttribute('href')
  await expectAccessible(page)

  await pages.getByRole('button', { name: 'Next' }).click()
  await expect(pages).toContainText('51–100 of')
  const firstOfSecond = await firstLink.getAttribute('href')
  expect(firstOfSecond).not.toBe(firstOfFirst)
  await pages.getByRole('button', { name: 'Next' }).click()
  await expect(pages).toContainText('101–150 of')

  await page.reload()
  await expect(pages).toContainText('101–150 of')
  await pages.getByRole('button', { name: 'Previous' }).click()
  await expect(pages).toContainText('51–100 of')
  await expect(firstLink).toHaveAttribute('href', firstOfSecond ?? '')

  await firstLink.click()
  await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/)
  await page.goBack()
  await expect(pages).toContainText('51–100 of')
  await expect(firstLink).toHaveAttribute('href', firstOfSecond ?? '')
  await pages.getByRole('button', { name: 'First' }).click()
  await expect(pages).toContainText('1–50 of')
  await expect(firstLink).toHaveAttribute('href', firstOfFirst ?? '')
})

test('paging to the end stops there', async ({ page, signIn }) => {
  await signIn('support', 'users')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  const next = pages.getByRole('button', { name: 'Next' })
  await expect(pages).toContainText('1–50 of')
  for (let from = 51; await next.isEnabled(); from += 50) {
    await next.click()
    await expect(pages).toContainText(`${from}–`)
  }
  await expect(pages).toContainText(/–(\d+) of \1\D/)
})

test('a user is created, and posting the same person again leads to who is there already', async ({
  page,
  signIn,
  service,
}) => {
  const email = `${unique()}@example.org`
  await signIn('support', 'users')
  await page.getByRole('link', { name: 'New user' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Journey')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Journey')
  const address = new URL(page.url()).pathname

  await page.goto('users/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Somebody else')
  await page.getByLabel('E-mail').fill(email.toUpperCase())
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page.getByText('This user already exists')).toBeVisible()
  await page.getByRole('link', { name: 'Open user' }).click()
  await expect(page).toHaveURL((url) => url.pathname.startsWith(address.split('/').slice(0, 3).join('/')))
  const id = address.split('/')[2] ?? ''
  expect(await service.get(`/users/${id}`)).toMatchObject({ name: 'Journey', email })
})

test('identity is edited in place: only what changed is sent, and a failing service loses nothing', async ({
  page,
  signIn,
  service,
}) => {
  const ref = unique()
  const id = await service.post('/users', { name: 'Before', email: `${ref}@example.org`, ref })
  await signIn('support', `users/${id}`)
  const bodies: (string | null)[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') bodies.push(request.postData())
  })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('After')

  await page.route(`**/api/users/${id}`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: '<html>busy</html>' })
      : route.fallback(),
  )
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Not saved')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('After')
  expect(await service.get(`/users/${id}`)).toMatchObject({ name: 'Before' })

  await page.unroute(`**/api/users/${id}`)
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('After')
  expect(await service.get(`/users/${id}`)).toMatchObject({ name: 'After', ref })
  expect(bodies).toEqual(['{"name":"After"}', '{"name":"After"}'])
})

test('a user is deleted after the word was typed', async ({ page, signIn, service }) => {
  const ref = unique()
  const id = await service.post('/users', { name: 'Short-lived', ref })
  await signIn('steward', `users/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete user…' }).click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: /^Type/ }).fill('delete')
  const ticket = `Ticket ${unique()}`
  await dialog.getByRole('textbox', { name: 'Reference (optional)' }).fill(ticket)
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await expect(page).toHaveURL(/\/users$/)
  await expect(page.getByText(/^Short-lived deleted/)).toBeVisible()
  await page.getByRole('button', { name: 'Deleted users' }).click()
  const row = page.getByRole('row').filter({ hasText: ticket })
  await expect(row).toContainText(/Final by .*\d{1,2}:\d{2}/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check e-mail or ref…' }).click()
  await dialog.getByRole('radio', { name: 'Ref', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Ref of the user' }).fill(ref)
  await dialog.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(dialog.getByRole('status')).toContainText(ticket)
  await expectAccessible(page)
  await dialog.getByRole('link', { name: /^Receipt for/ }).click()
  const receipt = page.getByRole('article', { name: 'The receipt' })
  await expect(receipt).toContainText(id)
  await expect(receipt).toContainText(/Sensitive data becomes unrecoverable by .*\. Backups/)
  await expectAccessible(page)
  await page.reload()
  await expect(receipt).toContainText(ticket)
  await page.goto(`users/${id}`)
  await expect(page.getByRole('heading', { name: 'User not found' })).toBeVisible()
})

test('a segment narrows the list and is in the address', async ({ page, signIn, service }) => {
  const name = `Refs ${unique()}`
  const ref = unique()
  await service.post('/users', { name: 'Only one', ref })
  await service.post('/segments', { name, filter: { user: 'ref', op: 'eq', value: ref } })
  await signIn('support', 'users')
  await page.getByRole('button', { name: /Segment/ }).click()
  await page.getByRole('combobox', { name: 'Segment' }).fill(name)
  await page.getByRole('option', { name }).click()
  await expect(page).toHaveURL(/segment=/)
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(2)
  await page.reload()
  await expect(
    page.getByRole('table', { name: 'Users' }).getByRole('link', { name: 'Only one' }),
  ).toBeVisible()
})
