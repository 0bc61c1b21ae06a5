import type { Locator, Page } from '@playwright/test'

import type { Entity } from '#contract/index.ts'
import { expect, type Service, test } from './fixtures.ts'

const long = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'

/** A person with properties of every type except RELATIONSHIP, which `open` adds; some keys and values are long. */
const person = {
  type: 'person',
  properties: [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: `${long.toLowerCase()}-of-the-first-address`, type: 'TEXT', value: `${long} `.repeat(6).trim() },
    { key: 'iban', type: 'TEXT', sensitive: true, value: 'FR76 3000 6000 0112 3456 7890 189' },
    { key: 'passport', type: 'TEXT', sensitive: true, value: 'X-1' },
    { key: 'other', type: 'TEXT', value: 'to be removed' },
    { key: 'vip', type: 'BOOLEAN', value: false },
    { key: 'born', type: 'DATE', value: '1984-02-29' },
    { key: 'seen', type: 'DATETIME', value: '2024-03-01T09:30:00.000Z' },
    { key: 'wakes', type: 'TIME', value: '08:30' },
    { key: 'credit', type: 'CURRENCY', value: { currency: 'EUR', value: '1234567890.50' } },
    { key: 'height', type: 'DECIMAL', value: '1.805' },
    { key: 'visits', type: 'NUMBER', value: 12 },
    { key: 'mail', type: 'EMAIL', value: 'ana@example.org' },
    { key: 'site', type: 'URL', value: `https://example.org/${long}` },
    {
      key: 'newsletter',
      type: 'PREFERENCE',
      value: {
        status: 'GRANTED',
        statusDate: '2024-03-01T09:30:00.000Z',
        expires: '2030-03-01T09:30:00.000Z',
      },
    },
  ],
}

type As = 'steward' | 'support' | 'admin'

async function open(service: Service, signIn: (role: As, path: string) => Promise<void>, as: As = 'steward') {
  const user = await service.post('/users', { name: 'Ana Lopez' })
  const spouse = { key: 'spouse', type: 'RELATIONSHIP', value: { user } }
  const properties = [...person.properties, spouse]
  const id = await service.post(`/users/${user}/entities`, { ...person, properties })
  await signIn(as, `users/${user}/entities/${id}`)
  return { user, id }
}

/** Returns the controls that a user cannot reach or see in full: cut off by the edge of the page or row, or covered. */
function outOfReach(within: Locator): Promise<string[]> {
  return within.evaluate((root) => {
    const controls = root.querySelectorAll<HTMLElement>(
      ':is(button, select, textarea, a, summary, input):not([aria-hidden="true"])',
    )
    const { clientWidth } = document.documentElement
    return [...controls].flatMap((control) => {
      // A custom-drawn checkbox or radio button is inside its label.
      const choice = control instanceof HTMLInputElement && /checkbox|radio/.test(control.type) && control
      const shown = choice ? choice.labels?.[0] : (control.closest('.mantine-Input-wrapper') ?? control)
      const name = `${control.tagName} ${control.getAttribute('aria-label') ?? control.textContent}`
      if (!shown) return `${name}: nothing is shown of it`
      shown.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
      // A link may wrap onto a second line.
      const { left, right, top, bottom, width, height } = shown.getClientRects()[0] ?? new DOMRect()
      const holder = (control.closest('[role=listitem]') ?? root).getBoundingClientRect()
      const least = control.matches('input, select, textarea') && !choice ? 56 : 20
      if (width < least || height < 14) return `${name}: ${width} by ${height} pixels`
      if (left < holder.left - 0.5 || right > holder.right + 0.5 || right > clientWidth)
        return `${name}: from ${left} to ${right} in ${holder.left} to ${holder.right}`
      // Tests both ends, not just the centre.
      return [left + 4, right - 4].flatMap((x) => {
        const hit = document.elementFromPoint(x, (top + bottom) / 2)
        return shown.contains(hit) ? [] : `${name}: covered by ${hit?.outerHTML.slice(0, 100)}`
      })
    })
  })
}

/** Returns the elements that reach beyond the right edge of the page, if it scrolls sideways. */
const sidewaysScroll = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => element.outerHTML.slice(0, 120))
  })

const widths = [390, 768, 910, 1024, 1093, 1130, 1280]

/** Checks the page at each of the widths. */
async function expectWithinReach(page: Page, within: Locator) {
  for (const width of widths)
    await test.step(`${width} pixels`, async () => {
      // At this height every row is in or near the viewport: rows far from it are rendered as text, without controls.
      await page.setViewportSize({ width, height: 2400 })
      await expect(async () => {
        expect(await outOfReach(within)).toEqual([])
        expect(await sidewaysScroll(page)).toEqual([])
      }).toPass()
    })
}

test('every control of a row is in sight at every width', async ({ page, signIn, service }) => {
  await open(service, signIn)
  // One row in each state: edited, replaced, removed, added.
  await page.getByRole('textbox', { name: 'Value of City' }).fill('Nantes')
  await page.getByRole('button', { name: 'Replace Passport' }).click()
  await page.getByRole('textbox', { name: 'Value of Passport' }).fill('Y-2')
  await page.getByRole('button', { name: 'Remove Other' }).click()
  // By keyboard, because rows that come into sight can move the button while a mouse is pressed on it.
  await page.getByRole('button', { name: 'Add property' }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Property: new property' })).toBeFocused()
  await page.keyboard.type('added')
  // Closes the list of properties, which covers what is below it.
  await page.keyboard.press('Escape')
  await expectWithinReach(page, page.getByRole('form', { name: 'person' }))
})

test('so is every control of a row that is only read, and of the history', async ({
  page,
  signIn,
  service,
}) => {
  await open(service, signIn, 'support')
  await expectWithinReach(page, page.getByRole('form', { name: 'person' }))
  await page.getByRole('button', { name: 'History of City' }).click()
  await expectWithinReach(page, page.getByRole('dialog'))
})

test('so is every control of the details of a new user', async ({ page, signIn }) => {
  await signIn('steward', 'users/new')
  for (const [index, type] of ['TEXT', 'DATETIME', 'CURRENCY', 'PREFERENCE', 'RELATIONSHIP'].entries()) {
    await page.getByRole('button', { name: index === 0 ? 'Add properties' : 'Add another property' }).click()
    await page.getByRole('combobox', { name: `Property ${index + 1}`, exact: true }).fill(`the ${type}`)
    // Closes the list of properties, which covers what is below it.
    await page.keyboard.press('Tab')
    await page.getByRole('combobox', { name: `Type of the ${type}` }).selectOption(type)
  }
  await expectWithinReach(page, page.getByRole('group', { name: 'Properties' }))
})

test('by keyboard, what is typed next is meant for what was just done', async ({ page, signIn, service }) => {
  await open(service, signIn)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  const value = (label: string) => page.getByRole('textbox', { name: `Value of ${label}`, exact: true })

  await press('Reveal IBAN')
  await expect(page.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('the caller reads it out')
  await page.keyboard.press('Enter')
  await expect(page.getByText('FR76 3000 6000')).toBeVisible()
  await press('Replace IBAN')
  await expect(value('IBAN')).toBeFocused()
  await page.keyboard.type('FR77')
  // Old and new value are visible together, for comparison.
  await expect(page.getByText('FR76 3000 6000')).toBeVisible()
  await expect(value('IBAN')).toHaveValue('FR77')
  await press('Keep old value of IBAN')
  await expect(page.getByRole('button', { name: 'Replace IBAN' })).toBeFocused()

  await press('Remove City')
  await page.keyboard.press('Enter')
  await expect(value('City')).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type(' 3e')
  await expect(value('City')).toHaveValue('Lyon 3e')
  await expect(page.getByRole('combobox', { name: 'Property: City' })).toHaveValue('city')
  await press('Undo the change to City')
  await expect(value('City')).toBeFocused()
  await press('Clear value: Value of City')
  await expect(value('City')).toBeFocused()
  await press('Undo the change to City')

  await value('City').fill('Nantes')
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(page.getByText('City changed from Lyon to Nantes')).toBeVisible()
  await press('History of City')
  await page
    .getByRole('button', { name: /^Restore City/ })
    .first()
    .press('Enter')
  await expect(value('City')).toBeFocused()
  await expect(value('City')).toHaveValue('Lyon')
})

test('Enter does what a dialog is for, and Escape closes the topmost alone', async ({
  page,
  signIn,
  service,
}) => {
  await open(service, signIn)
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
  const born = page.getByRole('textbox', { name: 'Value of Born' })
  // Creates a history entry of the console, so that there is a page to go forward to.
  await expect(born).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Segments' }).click()
  await expect(page).toHaveURL(/\/segments$/)
  await page.goBack()

  await page.getByRole('textbox', { name: 'Value of City' }).fill('Nantes')
  await born.fill('1984-03-01')
  await born.press('Enter')
  const save = page.getByRole('button', { name: 'Save 2 changes' })
  await expect(save).toBeFocused()
  await page.goForward()
  await expect(dialog('Leave without saving?')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog('Leave without saving?')).toBeHidden()
  await expect(save).toBeVisible()
  await save.press('Enter')
  await expect(page.getByText('2 changes saved')).toBeVisible()

  await page.getByRole('button', { name: 'Delete this person', exact: true }).press('Enter')
  await expect(page.getByRole('button', { name: 'Delete person' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Person deleted')).toBeVisible()
})

test('unambiguous input is accepted on leaving the field, and shown as everywhere on the page', async ({
  page,
  signIn,
  service,
}) => {
  const { user, id } = await open(service, signIn, 'admin')
  const value = (label: string) => page.getByRole('textbox', { name: `Value of ${label}`, exact: true })
  const leave = async (input: Locator, typed: string, shown: string) => {
    await input.fill(typed)
    await input.press('Tab')
    await expect(input).toHaveValue(shown)
  }
  await leave(value('Born'), '31.12.1984', '31 Dec 1984')
  await leave(value('Wakes'), '7:45', '07:45')
  await leave(value('Height'), '1,75', '1.75')
  await leave(value('Visits'), '1 234', '1234')
  await leave(value('Mail'), 'Bo <bo@example.org>', 'bo@example.org')
  await leave(value('Seen (UTC)'), '31.12.2024 8:30', '31 Dec 2024, 08:30')
  await leave(value('Credit, amount'), '12,50 CHF', '12,50 CHF')
  await page.getByRole('button', { name: 'Use 12.50 CHF: Value of Credit' }).click()
  await expect(value('Credit, amount')).toHaveValue('12.50')
  await expect(page.getByLabel('Value of Credit, currency')).toHaveValue('CHF')

  // Ambiguous input is refused, and the error says how to write it.
  await leave(value('Born'), '01/02/1984', '01/02/1984')
  await expect(page.getByRole('main').getByText('Enter a valid date, such as 1 Mar 2024.')).toBeVisible()
  await leave(value('Height'), '1,234', '1,234')
  await expect(page.getByRole('button', { name: 'Use 1.234: Value of Height' })).toBeVisible()
  await page.getByRole('button', { name: 'Use 1 Feb 1984: Value of Born' }).click()
  await leave(value('Height'), '1,75', '1.75')

  // Enter commits the value although the focus stays in the input.
  await value('Born').fill('31.12.1984')
  await value('Born').press('Enter')
  await page.getByRole('button', { name: 'Save 7 changes' }).press('Enter')
  await expect(page.getByText('7 changes saved')).toBeVisible()
  const { properties } = await service.get<Entity>(`/users/${user}/entities/${id}`)
  expect(Object.fromEntries(properties.map((each) => [each.key, each.value]))).toMatchObject({
    born: '1984-12-31',
    wakes: '07:45',
    height: '1.75',
    visits: 1234,
    seen: '2024-12-31T08:30:00.000Z',
    credit: { currency: 'CHF', value: '12.50' },
  })

  await page.goto('users/new')
  await page.getByRole('button', { name: 'Add properties' }).click()
  await page.getByRole('combobox', { name: 'Property 1', exact: true }).fill('born')
  await page.getByRole('combobox', { name: 'Type of Born' }).selectOption('DATE')
  await leave(value('Born'), '31.12.1984', '31 Dec 1984')

  await page.goto('segments/new')
  await page.getByRole('button', { name: 'Add condition', exact: true }).click()
  await page.keyboard.type('born_nowhere')
  await page.keyboard.press('Enter')
  const condition = page.getByRole('group', { name: 'Person › Born nowhere' })
  await condition.getByLabel('Data type').selectOption('DATE')
  await condition.getByLabel('Comparison').selectOption('on')
  await leave(condition.getByLabel('Value', { exact: true }), '31.12.1984', '31 Dec 1984')
})
