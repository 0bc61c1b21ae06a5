import { readFile } from 'node:fs/promises'

import { expect, expectAccessible, test } from './fixtures.ts'

test.beforeEach(({ page }) => page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker')))

const canary = 'Quicksilvery'
const reason = '=Asked by phone'

test('the audit: who read and changed what of whom, and why @smoke', async ({ page, signIn, service }) => {
  const mark = crypto.randomUUID().slice(0, 8)
  const key = `account_${mark}`
  const name = `Ida Audited ${mark}`
  const property = { key, type: 'TEXT', sensitive: true, value: canary }
  const user = await service.post('/users', { name })
  const entity = await service.post(`/users/${user}/entities`, { type: 'bank', properties: [property] })
  // A steward reveals the value; a script with an administrator's token changes it.
  await signIn('steward', `users/${user}/entities/${entity}`)
  await page.getByRole('button', { name: `Reveal Account ${mark}` }).click()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type(reason)
  await page.keyboard.press('Enter')
  await expect(page.getByText(canary)).toBeVisible()
  const changed = [{ key, value: `${canary}2` }]
  await service.patch(`/users/${user}/entities/${entity}`, { properties: changed })

  await signIn('admin', 'users')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit log' }).click()
  const list = page.getByRole('table', { name: 'Access to sensitive data' })
  await expect(list).toBeVisible()
  await expectAccessible(page)
  // The user is found by name, with the keyboard, but the address contains only the id.
  await page.getByRole('button', { name: 'Filter' }).press('Enter')
  const person = page.getByRole('combobox', { name: 'User' })
  await expect(person).toBeFocused()
  await page.keyboard.type(name)
  await expect(page.getByRole('option', { name: new RegExp(mark) })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await person.press('Enter')
  const rows = list.getByRole('row').filter({ hasText: name })
  await expect(rows).toHaveCount(3)
  await expect(list.getByRole('row')).toHaveCount(4)
  await expect(rows.filter({ hasText: 'Viewed' })).toContainText(reason)
  await expect(rows.filter({ hasText: 'Viewed' })).toContainText('steward')
  await expect(rows.filter({ hasText: 'Changed' })).toHaveCount(2)
  expect(page.url()).toContain(`user=${user}`)
  expect(decodeURIComponent(page.url())).not.toContain('Ida')
  await expect(page.getByText(canary)).toHaveCount(0)

  // Filtered by property and by actor.
  await page.goto(`audit?key=${key}`)
  await expect(rows).toHaveCount(3)
  await rows
    .filter({ hasText: 'Viewed' })
    .getByRole('link', { name: /^Show only what/ })
    .click()
  await expect(rows).toHaveCount(1)

  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export the audit log' })
  await expect(dialog).toContainText('no values')
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export' }).click()
  const [head, line, ...more] = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
  expect(head).toContain('"id","time","kind","actor","user","entity","keys","reason","changeset"')
  expect(line).toContain(`"${user}"`)
  // The cell is escaped so that a spreadsheet does not run it as a formula.
  expect(line).toContain(`"'${reason}"`)
  expect(line).not.toContain(canary)
  expect(more).toEqual([])
})

test('an actor who meets many people in a short time is marked, in words', async ({
  page,
  signIn,
  service,
}) => {
  interface Page {
    readonly users: readonly { readonly id: string }[]
    readonly next: string
  }
  const { users, next } = await service.get<Page>('/users')
  const rest = await service.get<Page>(`/users?offset=${next}`)
  const property = { key: 'iban', type: 'TEXT', sensitive: true, value: canary }
  for (const { id } of [...users, ...rest.users].slice(0, 60)) {
    await service.post(`/users/${id}/entities`, { type: 'bank', properties: [property] })
    await service.get(`/users/${id}/entities`)
  }
  await signIn('admin', 'audit')
  const actors = page.getByRole('table', { name: 'Who accessed sensitive data' })
  await expect(actors.getByRole('row', { name: /script/ })).toContainText('Unusual')
  await expect(
    page.getByText(/accessed the data of an unusually high number of users within an hour/),
  ).toBeVisible()
  await expectAccessible(page)
})

test('support staff are told why the audit is not for them', async ({ page, signIn }) => {
  await signIn('support', 'audit')
  await expect(page.getByText('Your role can’t see sensitive values.')).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
})
