import type { Locator, Page } from '@playwright/test'

import { expect, expectAccessible, test } from './fixtures.ts'

const unique = () => crypto.randomUUID().slice(0, 8)

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator) {
  await expect(control).toBeVisible()
  for (let steps = 0; steps < 150; steps += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The control cannot be reached with the Tab key.')
}

async function press(page: Page, control: Locator) {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
}

async function type(page: Page, control: Locator, text: string) {
  await tabTo(page, control)
  await page.keyboard.type(text)
}

test('a segment is written as JSON, shows in words and as a list of users, and is deleted @smoke', async ({
  page,
  signIn,
  service,
}) => {
  const ref = unique()
  await service.post('/users', { name: 'Volvo driver', ref })
  await signIn('admin', 'segments')
  await expect(page.getByRole('heading', { level: 1, name: 'Segments' })).toBeVisible()
  await page.getByRole('link', { name: 'New segment' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(`Journey ${ref}`)
  await page.getByText('JSON', { exact: true }).click()
  await page
    .getByLabel('Filter as JSON')
    .fill(`{"all":[{"user":"ref","op":"eq","value":"${ref.toUpperCase()}"}]}`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create segment' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Journey ${ref}` })).toBeVisible()
  await page.getByRole('link', { name: 'Show 1 user' }).click()
  await expect(
    page.getByRole('table', { name: 'Users', exact: true }).getByRole('link', { name: 'Volvo driver' }),
  ).toBeVisible()

  await page.goBack()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete segment…' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(`Journey ${ref}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete segment' }).click()
  await expect(page.getByText(`“Journey ${ref}” deleted`)).toBeVisible()
})

test('a filter that the service would refuse is marked in its place', async ({ page, signIn }) => {
  await signIn('admin', 'segments/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Refused')
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
  await expect(page.getByRole('link', { name: 'New segment' })).toHaveAttribute('aria-disabled', 'true')
})

test('the life of a nested segment, by keyboard alone', async ({ page, signIn, service }) => {
  const word = unique()
  for (const [name, ref] of [
    ['Ana First', `${word}-1`],
    ['Bo Second', `${word}-2`],
    ['Cy Third', `${word}-3`],
  ])
    await service.post('/users', { name, ref })
  await signIn('admin', 'segments')
  await press(page, page.getByRole('link', { name: 'New segment' }))
  await type(page, page.getByLabel('Name', { exact: true }), `Life ${word}`)
  await press(page, page.getByRole('button', { name: 'Add group', exact: true }))
  for (const [index, ref] of [`${word}-1`, `${word}-2`].entries()) {
    await press(page, page.getByRole('button', { name: 'Add condition to group 1', exact: true }))
    await page.keyboard.type('ref')
    await page.keyboard.press('Enter')
    const condition = page.getByRole('group', { name: `Condition 1.${index + 1}`, exact: true })
    await type(page, condition.getByLabel('Value', { exact: true }), ref)
  }
  const preview = page.getByRole('region', { name: 'Who matches now' })
  await expect(preview.getByText('2 users')).toBeVisible()
  await expect(preview.getByText('Bo Second')).toBeVisible()
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: 'Create segment' }))

  await expect(page.getByRole('heading', { level: 1, name: `Life ${word}` })).toBeVisible()
  const members = page.getByRole('table', { name: 'Users in this segment' })
  await expect(members.getByRole('link')).toHaveText(['Ana First', 'Bo Second'])
  const before = page.url()
  await press(page, page.getByRole('link', { name: 'Show 2 users' }))
  await expect(page.getByRole('table', { name: 'Users', exact: true })).toContainText('Bo Second')
  await page.goBack()

  await press(page, page.getByRole('link', { name: 'Edit', exact: true }))
  const value = page
    .getByRole('group', { name: 'Condition 1.2', exact: true })
    .getByLabel('Value', { exact: true })
  await tabTo(page, value)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(`${word}-3`)
  await expect(preview.getByText('Cy Third')).toBeVisible()
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: 'Save segment' }))
  await expect(page.getByRole('heading', { level: 1, name: `Life ${word}` })).toBeVisible()
  await expect(members.getByRole('link')).toHaveText(['Ana First', 'Cy Third'])
  expect(page.url()).toBe(before)

  await press(page, page.getByRole('button', { name: 'More actions' }))
  // ArrowUp on the first item wraps around to the last one.
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.type(`Life ${word}`)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`“Life ${word}” deleted`)).toBeVisible()
  const left = await service.get<{ name: string }[]>('/segments')
  expect(left.filter(({ name }) => name === `Life ${word}`)).toEqual([])
})

test('two people edit one segment: what both changed is chosen', async ({ page, signIn, service }) => {
  const word = unique()
  const id = await service.post('/segments', { name: `Ours ${word}`, filter: { all: [] } })
  await signIn('admin', `segments/${id}/edit`)
  const other = await page.context().newPage()
  await other.goto(`segments/${id}/edit`)
  await other.getByLabel('Name', { exact: true }).fill(`Theirs ${word}`)
  await page.getByLabel('Name', { exact: true }).fill(`Mine ${word}`)
  await other.getByRole('button', { name: 'Save segment' }).click()
  await expect(other.getByRole('heading', { level: 1, name: `Theirs ${word}` })).toBeVisible()
  await page.getByRole('button', { name: 'Save segment' }).click()
  const dialog = page.getByRole('dialog', { name: `“Ours ${word}” has changed since you opened it` })
  await expect(dialog.getByText(`Before: Ours ${word}`)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'Yours' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Mine ${word}` })).toBeVisible()
  await other.close()
})
