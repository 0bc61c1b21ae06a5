import type { Locator, Page } from '@playwright/test'

import { expect, expectAccessible, test } from './fixtures.ts'

const part = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

async function addName(page: Page, value: string, to = '') {
  await page.getByRole('button', { name: `Add condition${to}`, exact: true }).click()
  await page.getByRole('option', { name: /^Name/ }).click()
  const added = page.locator('fieldset[aria-label]:focus-within').last()
  await added.getByLabel('Value', { exact: true }).fill(value)
}

/** Drags to a point just inside the top or bottom edge of another part, in small steps as a hand would. */
async function drag(page: Page, handle: Locator, to: Locator, edge: 'top' | 'bottom') {
  await handle.scrollIntoViewIfNeeded()
  const [from, target] = [await handle.boundingBox(), await to.boundingBox()]
  if (!from || !target) throw new Error('There is nothing to drag, or nowhere to.')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y + 20, { steps: 4 })
  await page.mouse.move(target.x + 40, target.y + (edge === 'top' ? 2 : target.height - 2), { steps: 8 })
  return { drop: () => page.mouse.up() }
}

test('conditions are dragged between groups, taken back, and followed by the JSON', async ({
  page,
  signIn,
}) => {
  await signIn('admin', 'segments/new')
  await addName(page, 'Ana')
  await addName(page, 'Bo')
  await page.getByRole('button', { name: 'Add group', exact: true }).click()
  await addName(page, 'Cy', ' to group 3')
  const value = (name: string) => part(page, name).getByLabel('Value', { exact: true })

  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
  await (await drag(page, handle('condition 1'), part(page, 'Condition 3.1'), 'top')).drop()
  await expect(value('Condition 2.1')).toHaveValue('Ana')
  await expect(value('Condition 2.2')).toHaveValue('Cy')
  await expect(page.getByText('Condition 1 is now 2.1.')).toBeAttached()
  await expect(handle('condition 2.1')).toBeFocused()
  // The click that ends a drag must not open the menu.
  await expect(page.getByRole('menu')).toHaveCount(0)

  await (await drag(page, handle('group 2'), part(page, 'Condition 1'), 'top')).drop()
  await expect(value('Condition 1.1')).toHaveValue('Ana')
  await expect(value('Condition 2')).toHaveValue('Bo')

  const carried = await drag(page, handle('condition 2'), part(page, 'Condition 1.2'), 'bottom')
  await page.keyboard.press('Escape')
  await carried.drop()
  await expect(value('Condition 2')).toHaveValue('Bo')

  await page.keyboard.press('ControlOrMeta+z')
  await expect(value('Condition 1')).toHaveValue('Bo')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(value('Condition 3.1')).toHaveValue('Cy')
  await page.getByRole('button', { name: 'Redo' }).click()
  await expect(value('Condition 2.1')).toHaveValue('Ana')

  const show = (view: 'Builder' | 'JSON') => page.getByText(view, { exact: true }).click()
  await show('JSON')
  const json = page.getByLabel('Filter as JSON')
  await expect(json).toHaveValue(/"any": \[\s+\{\s+"user": "name",\s+"op": "contains",\s+"value": "Ana"/)
  await expectAccessible(page)
  await json.fill((await json.inputValue()).replace('"Ana"', '"Eve"'))
  await show('Builder')
  await expect(value('Condition 2.1')).toHaveValue('Eve')
  await show('JSON')
  await json.fill((await json.inputValue()).replace('"any"', 'any'))
  await page.getByRole('button', { name: /^Line \d+$/ }).click()
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByRole('button', { name: /^Line \d+$/ })).toHaveCount(0)
  await show('Builder')
  await expect(value('Condition 2.1')).toHaveValue(/^(Ana|Eve)$/)
})

test('the segment of recent cars with the newsletter takes nine acts, and how many is a number', async ({
  page,
  signIn,
}) => {
  await signIn('admin', 'segments/new')
  let acts = 0
  const act = async (step: Promise<unknown>) => {
    acts += 1
    await step
  }
  const name = page.getByLabel('Name', { exact: true })
  await act(name.fill(`Recent cars ${crypto.randomUUID().slice(0, 8)}`))
  const add = page.getByRole('button', { name: 'Add condition', exact: true })
  await act(add.click())
  await act(page.getByRole('option', { name: /^Car › First registration/ }).click())
  await expect(page.getByLabel('Value', { exact: true })).toBeFocused()
  await act(page.keyboard.type('90'))
  await act(page.keyboard.press('Enter'))
  await expect(add).toBeFocused()
  await act(page.keyboard.press('Enter'))
  await act(page.getByRole('option', { name: /^Newsletter/ }).click())
  await expect(
    page.getByText(/first registration .*within the last 90 days and .*newsletter is granted/),
  ).toBeVisible()
  await act(page.getByRole('button', { name: 'Create segment' }).click())
  await expect(page.getByRole('heading', { level: 1, name: /^Recent cars/ })).toBeVisible()
  expect(acts).toBeLessThanOrEqual(9)

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'at least…' }).first().click()
  const least = page.getByLabel('Number of entities')
  await expect(least).toBeFocused()
  await least.fill('')
  await page.keyboard.type('t3wo')
  await expect(least).toHaveValue('3')
  await expect(page.getByText(/\bNaN\b/)).toHaveCount(0)
})
