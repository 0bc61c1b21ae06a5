import { readFile } from 'node:fs/promises'

import { expect, expectAccessible, test } from './fixtures.ts'

test('users are selected with the mouse and with keys, exported, and given a property', async ({
  page,
  signIn,
  service,
}) => {
  const ref = `fleet-${crypto.randomUUID()}`
  const names = ['Adam', 'Bela', 'Cora', 'Dora'].map((name) => `${name} ${ref.slice(-8)}`)
  for (const [index, name] of names.entries()) {
    const user = await service.post('/users', { name, ref: `${ref}-${index}` })
    const properties = [{ key: 'insurer', type: 'TEXT', value: 'Allrisk' }]
    await service.post(`/users/${user}/entities`, { type: 'car', properties })
  }
  const filter = { user: 'ref', op: 'contains', value: ref }
  const segment = await service.post('/segments', { name: ref, filter })
  await signIn('steward', `users?segment=${segment}`)
  const row = (index: number) => page.getByRole('link', { name: names[index] ?? '', exact: true })
  const box = (index: number) => page.getByRole('checkbox', { name: `Select ${names[index] ?? ''}` })
  const bar = page.getByRole('region', { name: 'Selection' })

  await row(0).hover()
  await box(0).check()
  await expect(bar).toContainText('1 selected')
  await box(2).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 selected')
  await expect(box(1)).toBeChecked()
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar).toHaveCount(0)
  await expect(row(0)).toBeFocused()
  await page.keyboard.press('Shift+Space')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(bar).toContainText('2 selected')
  await expect(row(1)).toBeFocused()

  await bar.getByRole('link', { name: 'Export selection' }).click()
  await expect(page.getByRole('radio', { name: '2 users selected in the list' })).toBeChecked()
  await page.getByRole('button', { name: 'Export 2 users' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  expect(names.map((name) => text.includes(name))).toEqual([true, true, false, false])
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Export users' })).toBeVisible()
  await page.goBack()
  await expect(bar).toContainText('2 selected')

  const all = bar.getByRole('link', { name: 'Bulk change all 4 listed users…' })
  await all.click()
  await expect(page.getByText(`All users in “${ref}”`)).toBeVisible()
  await page.getByRole('combobox', { name: 'Entity type' }).fill('car')
  await page.getByRole('combobox', { name: 'Property' }).fill('insurer')
  await page.getByRole('textbox', { name: 'Value' }).fill('Newrisk')
  await page.getByRole('button', { name: 'Preview change' }).click()
  await expect(page.getByRole('button', { name: 'Change 4 users' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Results by user' })).toContainText('Allrisk → Newrisk')
})
