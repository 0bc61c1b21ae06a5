import { expect, expectAccessible, test } from './fixtures.ts'

const unique = () => crypto.randomUUID().slice(0, 8)

interface Entity {
  readonly type: string
  readonly properties: readonly {
    readonly key: string
    readonly value?: unknown
    readonly sensitive: boolean
  }[]
}

const valuesOf = (entities: readonly Entity[]) =>
  entities.map(({ type, properties }) => [
    type,
    Object.fromEntries(properties.map(({ key, value }) => [key, value])),
  ])

test('a user is made with details, which follow once the user is there', async ({
  page,
  signIn,
  service,
}) => {
  const ref = unique()
  await signIn('steward', 'users/new')
  const bodies: (string | null)[] = []
  page.on('request', (request) => {
    const isQuestion = /\/(search|preview)$/.test(request.url())
    if (request.method() === 'POST' && !isQuestion) bodies.push(request.postData())
  })
  await page.getByRole('textbox', { name: 'Name' }).fill('Ana Journey')
  await page.getByLabel('Ref').fill(ref)
  await page.getByRole('button', { name: 'Add properties' }).click()
  await expect(page.getByRole('combobox', { name: 'Property 1', exact: true })).toBeFocused()
  await page.keyboard.type('birthday')
  await page.getByRole('combobox', { name: 'Type of Birthday' }).selectOption('DATE')
  await page.getByRole('textbox', { name: 'Value of Birthday' }).fill('1984-02-30')
  await page.getByRole('button', { name: 'Add another property' }).click()
  await page.keyboard.type('iban')
  await page.getByRole('textbox', { name: 'Value of IBAN' }).fill('FR76')
  const sensitive = page.getByRole('checkbox', { name: 'IBAN is sensitive' })
  // The console preselects the box because other users' values of this key are sensitive.
  await expect(sensitive).toBeChecked()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page.getByRole('main').getByText('Enter a valid date, such as 1 Mar 2024.')).toBeVisible()
  expect(bodies).toEqual([])
  await page.getByRole('textbox', { name: 'Value of Birthday' }).fill('1984-02-29')
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Journey')

  expect(JSON.parse(bodies[0] ?? '')).toEqual({ name: 'Ana Journey', ref })
  const id = new URL(page.url()).pathname.split('/')[2] ?? ''
  const entities = await service.get<Entity[]>(`/users/${id}/entities`)
  expect(valuesOf(entities)).toEqual([['person', { birthday: '1984-02-29', iban: 'FR76' }]])
  expect(entities[0]?.properties.map(({ sensitive }) => sensitive)).toEqual([false, true])
})

test('a new user with three properties, whose keys one does not know, takes nine acts', async ({
  page,
  signIn,
  service,
}) => {
  await signIn('steward', 'users/new')
  let acts = 0
  const act = async (step: Promise<unknown>) => {
    acts += 1
    await step
  }
  /** Types and takes what was typed with Enter, in one act. */
  const write = async (text: string) => {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  const property = (position: number) =>
    page.getByRole('combobox', { name: `Property ${position}`, exact: true })
  const value = page.locator('[data-value]').last().locator('input:not([aria-hidden]), textarea')
  await act(page.getByRole('textbox', { name: 'Name' }).fill(`Ana ${unique()}`))
  await act(page.getByRole('button', { name: 'Add properties' }).click())
  for (const [at, [label, typed]] of [
    ['Birthday', '1984-02-29'],
    ['Phone', '+33 1 23 45 67 89'],
    ['Language', 'fr'],
  ].entries()) {
    await expect(property(at + 1)).toBeFocused()
    await act(
      page
        .getByRole('option', { name: new RegExp(`^${label}`) })
        .first()
        .click(),
    )
    await expect(value).toBeFocused()
    await act(at < 2 ? write(typed ?? '') : page.keyboard.type(typed ?? ''))
  }
  await act(page.getByRole('button', { name: 'Create user' }).click())
  await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/)
  expect(acts).toBe(9)
  const id = new URL(page.url()).pathname.split('/')[2] ?? ''
  const [entity] = await service.get<Entity[]>(`/users/${id}/entities`)
  expect(entity?.properties.map((each) => each.value)).toEqual(['1984-02-29', '+33 1 23 45 67 89', 'fr'])
})

test('somebody who is there is named, and gets details only after it was seen what they change', async ({
  page,
  signIn,
  service,
}) => {
  const ref = unique()
  const email = `${ref}@example.org`
  const id = await service.post('/users', {
    name: 'Bea There',
    email,
    properties: [
      { key: 'city', type: 'TEXT', value: 'Paris' },
      { key: 'pin', type: 'TEXT', value: 'secret-before', sensitive: true },
    ],
  })
  await signIn('steward', 'users/new')
  await page.getByLabel('E-mail').fill(email.toUpperCase())
  const notice = page.getByRole('main').getByText('A user with this e-mail already exists: Bea There')
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add properties' }).click()
  await page.getByRole('combobox', { name: 'Property 1', exact: true }).fill('city')
  await page.getByRole('textbox', { name: 'Value of City' }).fill('Lyon')
  await page.getByRole('button', { name: 'Add another property' }).click()
  await page.getByRole('combobox', { name: 'Property 2', exact: true }).fill('pin')
  await page.getByRole('textbox', { name: 'Value of PIN' }).fill('1234')
  await page.getByRole('button', { name: 'Create user' }).click()

  const dialog = page.getByRole('dialog', { name: 'Add properties to Bea There?' })
  await expect(dialog.getByRole('row', { name: 'City Changed Paris Lyon' })).toBeVisible()
  await expect(dialog.getByRole('row', { name: /^PIN/ })).toContainText('1234')
  await expect(page.getByText('secret-before')).toHaveCount(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Open user', exact: true })).toBeVisible()
  expect(valuesOf(await service.get(`/users/${id}/entities`))).toEqual([
    ['person', { city: 'Paris', pin: 'secret-before' }],
  ])

  await page.getByRole('button', { name: 'Add 2 properties to this user…' }).click()
  await dialog.getByRole('button', { name: 'Add 2 properties' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bea There')
  expect(valuesOf(await service.get(`/users/${id}/entities`))).toEqual([
    ['person', { city: 'Lyon', pin: '1234' }],
  ])
})

test('without an answer nothing is lost, and the second try makes no second user', async ({
  page,
  signIn,
  service,
}) => {
  const ref = unique()
  await signIn('support', 'users/new')
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
  await expectAccessible(page)
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Once')
  await page.getByRole('button', { name: 'Create user' }).click()
  // With an idempotency key the service repeats its first answer.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Once')
  expect((await service.get<{ total: number }>('/users')).total).toBe(before + 1)
})

test('an e-mail of one and a ref of another: both are named', async ({ page, signIn, service }) => {
  const [one, other] = [unique(), unique()]
  await service.post('/users', { name: `One ${one}`, email: `${one}@example.org` })
  const id = await service.post('/users', { name: `Other ${other}`, ref: other })
  await signIn('support', 'users/new')
  await page.getByLabel('E-mail').fill(`${one}@example.org`)
  await page.getByLabel('Ref').fill(other)
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(page.getByText('The e-mail and the ref belong to different users')).toBeVisible()
  await expect(page.getByRole('link', { name: `Open One ${one}` })).toBeVisible()
  await expect(page.getByRole('link', { name: `Open Other ${other}` })).toHaveAttribute(
    'href',
    new RegExp(id),
  )
})
