import { expect, expectAccessible, test } from './fixtures.ts'

const unique = () => crypto.randomUUID().slice(0, 8)

test('a segment is written as JSON, shows in words and as a list of users, and is deleted', async ({
  page,
  signIn,
  service,
}) => {
  const ref = unique()
  await service.post('/users', { name: 'Volvo driver', ref })
  await signIn('admin', 'segments')
  await expect(page.getByRole('heading', { level: 1, name: 'Segments' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New segment' }).click()
  await page.getByLabel('Name').fill(`Journey ${ref}`)
  await page.getByText('JSON', { exact: true }).click()
  await page
    .getByLabel('Filter as JSON')
    .fill(`{"all":[{"user":"ref","op":"eq","value":"${ref.toUpperCase()}"}]}`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create segment' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Journey ${ref}` })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Show 1 user' }).click()
  await expect(
    page.getByRole('table', { name: 'Users' }).getByRole('link', { name: 'Volvo driver' }),
  ).toBeVisible()

  await page.goBack()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(`Journey ${ref}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete segment' }).click()
  await expect(page.getByText(`Journey ${ref} is deleted.`)).toBeVisible()
})

test('a filter that the service would refuse is marked where it stands', async ({ page, signIn }) => {
  await signIn('admin', 'segments/new')
  await page.getByLabel('Name').fill('Refused')
  await page.getByText('JSON', { exact: true }).click()
  await page.getByLabel('Filter as JSON').fill('{"any":[{"user":"nickname","op":"eq","value":"x"}]}')
  await page.getByRole('button', { name: 'Create segment' }).click()
  await expect(page.getByLabel('Filter as JSON')).toHaveValue(/nickname/)
  await expect(page).toHaveURL(/\/segments\/new$/)
  await expect(page.getByText(/any/).first()).toBeVisible()
})

test('a role without the scope is told why it may not create', async ({ page, signIn }) => {
  await signIn('support', 'segments')
  await expect(page.getByRole('table').getByRole('row').nth(5)).toBeVisible()
  const create = page
    .getByRole('link', { name: 'New segment' })
    .or(page.getByRole('button', { name: 'New segment' }))
  await expect(create).toHaveAttribute('aria-disabled', 'true')
})
