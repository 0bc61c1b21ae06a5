import type { Locator, Page } from '@playwright/test'

import { expect, expectAccessible, test } from './fixtures.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Users' }).getByRole('row')
const search = (page: Page) => page.getByRole('combobox', { name: 'Property, consent, segment…' })
const value = (page: Page) => page.getByRole('combobox', { name: 'Value' })

/** Counts what a person does: a press of a key or of the mouse, or a word that is typed, with the Enter that takes it if there is one. */
function counter(page: Page) {
  let acts = 0
  return {
    acts: () => acts,
    click: async (element: Locator) => {
      acts += 1
      await element.click()
    },
    type: async (text: string) => {
      acts += 1
      await page.keyboard.type(text)
    },
    press: async (key: string) => {
      acts += 1
      await page.keyboard.press(key)
    },
    write: async (text: string) => {
      acts += 1
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    },
  }
}

test('one condition takes three acts by keyboard, and two take six, by one who knows no key', async ({
  page,
  signIn,
}) => {
  await signIn('steward', 'users')
  await expect(rows(page).nth(5)).toBeVisible()
  const { acts, press, write } = counter(page)
  await press('f')
  await expect(search(page)).toBeFocused()
  await expect(page.getByRole('option', { name: /^Car › Brand/ })).toBeVisible()
  await expectAccessible(page)
  await write('brand')
  await expect(value(page)).toBeFocused()
  await expect(page.getByRole('option', { name: /^Renault.* users$/ })).toBeVisible()
  await expectAccessible(page)
  await write('Renault')
  const chip = (condition: RegExp) => page.getByRole('button', { name: condition })
  await expect(chip(/^Change condition: .*brand is “Renault”/i)).toBeVisible()
  expect(acts()).toBe(3)

  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeFocused()
  await press('Enter')
  await write('first reg')
  await write('12 years')
  await expect(chip(/^Change condition: .*first registration.*12 years/i)).toBeVisible()
  expect(acts()).toBe(6)
  await expect(page.getByRole('main').getByText(/\d+ found/)).toBeVisible()
  await expectAccessible(page)
})

test('two conditions take seven acts by mouse, and one whose value is offered takes three', async ({
  page,
  signIn,
}) => {
  await signIn('steward', 'users')
  await expect(rows(page).nth(5)).toBeVisible()
  const { acts, click, type } = counter(page)
  const filter = page.getByRole('button', { name: 'Filter', exact: true })
  const chip = (condition: RegExp) => page.getByRole('button', { name: condition })
  await click(filter)
  await click(page.getByRole('option', { name: /^Car › First registration/ }))
  await expect(page.getByLabel('Value', { exact: true })).toBeFocused()
  await type('12 years')
  await click(filter)
  await expect(chip(/^Change condition: .*first registration.*12 years/i)).toBeVisible()
  await expect(search(page)).toBeFocused()
  await click(page.getByRole('option', { name: /^Car › Mileage/ }))
  await expect(page.getByLabel('Value', { exact: true })).toBeFocused()
  await type('12000')
  await expectAccessible(page)
  await click(page.getByRole('button', { name: 'Apply' }))
  await expect(chip(/^Change condition: .*mileage.*12,?000/i)).toBeVisible()
  expect(acts()).toBe(7)

  await click(filter)
  await click(page.getByRole('option', { name: /^Car › Brand/ }))
  await click(page.getByRole('option', { name: /^Renault.* users$/ }))
  await expect(chip(/^Change condition: .*brand is “Renault”/i)).toBeVisible()
  expect(acts()).toBe(10)
})

test('a list that comes late takes no other property for the text that was entered', async ({
  page,
  signIn,
}) => {
  const late = Promise.withResolvers<void>()
  await page.route(/\/(?:dictionary|definitions)/, async (route) => {
    await late.promise
    await route.continue()
  })
  await signIn('steward', 'users')
  await expect(rows(page).nth(5)).toBeVisible()
  await page.keyboard.press('f')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('mileage')
  await page.keyboard.press('Enter')
  await expect(search(page)).toHaveValue('mileage')
  late.resolve()
  await expect(page.getByRole('textbox', { name: 'Value' })).toBeFocused()
})

test('suggestions stay below their field when the window changes its size', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn('steward', 'users')
  await expect(rows(page).nth(5)).toBeVisible()
  await page.keyboard.press('f')
  await expect(page.getByRole('option', { name: /^Car › Brand/ })).toBeVisible()
  await page.keyboard.type('brand')
  await page.keyboard.press('Enter')
  const list = page.getByRole('listbox')
  await expect(list.getByRole('option').first()).toBeVisible()
  const offset = async () =>
    Math.abs(((await list.boundingBox())?.x ?? 0) - ((await value(page).boundingBox())?.x ?? 0))
  // The list has a padding and a border.
  await expect.poll(offset).toBeLessThan(8)
  for (const width of [800, 1093, 700]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(offset, `${width} pixels`).toBeLessThan(8)
  }
})
