import { expect, expectAccessible, test } from './fixtures.ts'

test('a property has a column in the list of users, which is kept and taken away again @smoke', async ({
  page,
  signIn,
  service,
}) => {
  const ref = `garage-${crypto.randomUUID()}`
  const ana = await service.post('/users', { name: 'Ana Lopez', ref: `${ref}-1` })
  await service.post('/users', { name: 'Ben Ruiz', ref: `${ref}-2` })
  for (const plate of ['AB-1', 'CD-2'])
    await service.post(`/users/${ana}/entities`, {
      type: 'car',
      properties: [
        { key: 'plate', type: 'TEXT', value: plate },
        { key: 'alarm_code', type: 'TEXT', sensitive: true, value: 'hush-4711' },
      ],
    })
  const filter = { user: 'ref', op: 'contains', value: ref }
  const segment = await service.post('/segments', { name: ref, filter })
  await signIn('support', `users?segment=${segment}`)
  await expect(page.getByRole('link', { name: 'Ana Lopez' })).toBeVisible()
  const choose = page.getByRole('button', { name: 'Columns and row height' })
  const menu = page.getByRole('menu')
  await choose.click()
  await expect(menu.getByRole('menuitem', { name: 'Reset' })).toBeVisible()
  await menu.getByRole('menuitem', { name: 'Add property…' }).click()
  const form = page.getByRole('dialog', { name: 'Add column' })
  await expect(form.getByRole('combobox', { name: 'Property' })).toBeFocused()
  await expectAccessible(page)
  await form.getByRole('combobox', { name: 'Entity type' }).fill('car')
  await form.getByRole('combobox', { name: 'Property' }).fill('plat')
  await form.getByRole('option', { name: /^plate/i }).click()
  await form.getByRole('button', { name: 'Add column' }).click()
  const row = (name: string) => page.getByRole('row', { name })
  await expect(page.getByRole('columnheader', { name: 'Car plate' })).toBeVisible()
  await expect(row('Ana Lopez')).toContainText('AB-1+1')
  await expect(choose).toBeFocused()

  await choose.click()
  await menu.getByRole('menuitem', { name: 'Add property…' }).click()
  await form.getByRole('combobox', { name: 'Entity type' }).fill('car')
  await form.getByRole('combobox', { name: 'Property' }).fill('alarm_code')
  // The first press takes the property and goes on to the button.
  await page.keyboard.press('Enter')
  await expect(form.getByRole('button', { name: 'Add column' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row('Ana Lopez')).toContainText('Hidden value')
  await expect(page.getByText('hush-4711')).toHaveCount(0)

  await page.reload()
  await expect(row('Ana Lopez')).toContainText('AB-1+1')
  await row('Ana Lopez').getByText('+1').first().hover()
  await expect(page.getByRole('tooltip')).toContainText('CD-2')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(row('Ana Lopez')).toContainText('AB-1+1')
  await expectAccessible(page)
  const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  expect(kept).toContain('car.plate')
  expect(kept).not.toContain('AB-1')

  await choose.click()
  await menu.getByRole('menuitemcheckbox', { name: 'Car plate' }).click()
  await menu.getByRole('menuitem', { name: 'Reset' }).click()
  await page.keyboard.press('Escape')
  await expect(row('Ana Lopez')).not.toContainText('AB-1')
  await expect(row('Ana Lopez')).not.toContainText('Hidden value')
})
