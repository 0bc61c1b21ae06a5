import type { Page } from '@playwright/test'

import type { Entity } from '#contract/index.ts'
import { expect, expectAccessible, type Service, test } from './fixtures.ts'
import { hold } from './hold.ts'

// These journeys type right after the press, without a wait in between, as somebody does who knows the way.

const properties = [
  { key: 'city', type: 'TEXT', value: '' },
  { key: 'phone', type: 'TEXT', sensitive: true, value: '+33 6 12 34' },
  { key: 'height', type: 'DECIMAL', value: null },
  { key: 'visits', type: 'NUMBER', value: null },
  { key: 'mail', type: 'EMAIL', value: null },
  { key: 'site', type: 'URL', value: null },
  { key: 'born', type: 'DATE', value: null },
  { key: 'wakes', type: 'TIME', value: null },
  { key: 'balance', type: 'CURRENCY', value: null },
  { key: 'seen', type: 'DATETIME', value: null },
  { key: 'news', type: 'PREFERENCE', value: null },
  { key: 'member', type: 'BOOLEAN', value: null },
  { key: 'boss', type: 'RELATIONSHIP', value: null },
]

async function makePerson(service: Service) {
  const name = `Typed ${crypto.randomUUID().slice(0, 8)}`
  const user = await service.post('/users', { name })
  const id = await service.post(`/users/${user}/entities`, { type: 'person', properties })
  const readStored = async () => {
    const entity = await service.get<Entity>(`/users/${user}/entities/${id}`)
    return Object.fromEntries(entity.properties.map(({ key, value }) => [key, value]))
  }
  return { user, name, readStored }
}

const pencil = (page: Page, label: string) => page.getByRole('button', { name: `Edit ${label}`, exact: true })

const press = {
  'a click': (page: Page, label: string) => pencil(page, label).click(),
  e: async (page: Page, label: string) => {
    await pencil(page, label).focus()
    await page.keyboard.press('e')
  },
  Enter: async (page: Page, label: string) => {
    await pencil(page, label).focus()
    await page.keyboard.press('Enter')
  },
}

const typed: readonly (readonly [label: string, key: string, text: string, value?: unknown])[] = [
  ['City', 'city', 'general gu eagle ?/[]'],
  ['Phone', 'phone', '+44 7700 900123'],
  ['Height', 'height', '1.805'],
  ['Visits', 'visits', '42', 42],
  ['Mail', 'mail', 'gu@example.org'],
  ['Site', 'site', 'https://example.org/gu'],
  ['Born', 'born', '1984-02-29'],
  ['Wakes', 'wakes', '08:30'],
]

for (const way of ['a click', 'e', 'Enter'] as const)
  test(`a value that is opened by ${way} is stored as it is typed at once`, async ({
    page,
    signIn,
    service,
  }) => {
    const { user, readStored } = await makePerson(service)
    await signIn('steward', `users/${user}`)
    for (const [label, key, text, value = text] of typed) {
      await expect(pencil(page, label)).toBeVisible()
      await press[way](page, label)
      await page.keyboard.type(text)
      await expect(page.getByLabel(`Value of ${label}`, { exact: true })).toHaveValue(text)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('form')).toHaveCount(0)
      await expect(pencil(page, label)).toBeFocused()
      expect({ [label]: (await readStored())[key] }).toEqual({ [label]: value })
    }
  })

test('an amount, a moment, a consent, a choice and a relationship take the keys from the first on', async ({
  page,
  signIn,
  service,
}) => {
  const { user, readStored } = await makePerson(service)
  const boss = await service.post('/users', { name: `Gesa ${crypto.randomUUID().slice(0, 8)}` })
  await signIn('steward', `users/${user}`)
  const save = async () => {
    await page.keyboard.press('Control+s')
    await expect(page.getByRole('form')).toHaveCount(0)
  }
  await press.e(page, 'Balance')
  await page.keyboard.type('12.50')
  await expect(page.getByRole('textbox', { name: 'Value of Balance, amount' })).toHaveValue('12.50')
  await page.keyboard.press('Tab')
  await page.keyboard.type('EUR')
  await save()
  await press.e(page, 'Seen')
  await page.keyboard.type('2024-03-01 09:30')
  await save()
  await press.e(page, 'News')
  await expect(page.getByRole('combobox', { name: 'Value of News, status' })).toBeFocused()
  await page.keyboard.type('gr')
  await save()
  await press.e(page, 'Boss')
  await page.keyboard.type(boss)
  await save()
  await press.e(page, 'Member')
  // Letters choose none of the buttons, and are no keys of the page.
  await page.keyboard.type('geu')
  await expect(page.getByRole('radio', { name: 'No value' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await save()
  const { balance, seen, news, boss: related, member } = await readStored()
  expect({ balance, seen, related }).toEqual({
    balance: { currency: 'EUR', value: '12.50' },
    seen: '2024-03-01T09:30:00.000Z',
    related: { user: boss },
  })
  expect(news).toMatchObject({ status: 'GRANTED' })
  expect(typeof member).toBe('boolean')
  await expect(page).toHaveURL(new RegExp(`/users/${user}$`))
})

test('the review shows what was typed for a hidden value, and each step gives the focus back', async ({
  page,
  signIn,
  service,
}) => {
  const { user } = await makePerson(service)
  await signIn('steward', `users/${user}`)
  await page.getByRole('link', { name: 'Edit person' }).click()
  await page.getByRole('textbox', { name: 'Value of City' }).fill('Nantes')
  await page.getByRole('button', { name: 'Replace Phone' }).click()
  await page.keyboard.type('+44 7700 900123')
  const field = page.getByRole('textbox', { name: 'Value of Phone' })
  await expect(field).toHaveValue('+44 7700 900123')
  await expectAccessible(page)
  await page.keyboard.press('Control+s')
  const review = page.getByRole('dialog', { name: /^Review/ })
  await expect(review.getByRole('row', { name: /^Phone/ })).toContainText('+44 7700 900123')
  await expect(review).not.toContainText('+33')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(review).toBeHidden()
  await expect(field).toBeFocused()
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('button', { name: 'Save 2 changes' })).toBeFocused()
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('form')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Edit person' })).toBeFocused()
})

test('keys that are typed while the code of a row is on its way come into the field with it', async ({
  page,
  signIn,
  service,
}) => {
  const { user } = await makePerson(service)
  const code = await hold(page, /assets\/OpenRow-[^/]*\.js/)
  await signIn('steward', `users/${user}`)
  await expect(pencil(page, 'City')).toBeVisible()
  await press.e(page, 'Phone')
  await page.keyboard.type('+44 7700 ge')
  await code.asked
  await page.keyboard.type(' gu 900')
  await expect(page).toHaveURL(new RegExp(`/users/${user}$`))
  code.letGo()
  const field = page.getByRole('textbox', { name: 'Value of Phone' })
  await expect(field).toHaveValue('+44 7700 ge gu 900')
  await expect(field).toBeFocused()
})

test('the key of a property is typed right after a, and a name right after Edit', async ({
  page,
  signIn,
  service,
}) => {
  const { user, name } = await makePerson(service)
  await signIn('steward', `users/${user}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.keyboard.type(' Gu E')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(`${name} Gu E`)
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} Gu E`)
  await page.keyboard.press('a')
  await page.keyboard.type('gender')
  await expect(page.getByRole('combobox', { name: 'Property: Gender' })).toHaveValue('gender')
})

test('a field of the head is stored as it is typed at once, while its code is on its way and the field before is saved', async ({
  page,
  signIn,
  service,
}) => {
  const { user, name } = await makePerson(service)
  const code = await hold(page, /assets\/UserForm-[^/]*\.js/)
  await signIn('steward', `users/${user}`)
  await pencil(page, 'Name').focus()
  await page.keyboard.press('e')
  await page.keyboard.type(' Gu')
  await code.asked
  await page.keyboard.type(' E')
  code.letGo()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(`${name} Gu E`)
  const answer = await hold(page, new RegExp(`/api/users/${user}$`))
  const email = `gu-${crypto.randomUUID().slice(0, 8)}@example.org`
  await page.keyboard.press('Tab')
  await page.keyboard.type(email.slice(0, 5))
  await answer.asked
  await page.keyboard.type(email.slice(5))
  answer.letGo()
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveValue(email)
  await page.keyboard.press('Enter')
  await expect(pencil(page, 'E-mail')).toBeFocused()
  expect(await service.get(`/users/${user}`)).toMatchObject({ name: `${name} Gu E`, email })
})

test('a value is stored as it is typed right after the Tab that saves the one before', async ({
  page,
  signIn,
  service,
}) => {
  const { user, readStored } = await makePerson(service)
  await signIn('steward', `users/${user}`)
  await press.e(page, 'Height')
  await page.keyboard.type('1.805')
  await expect(page.getByLabel('Value of Height', { exact: true })).toHaveValue('1.805')
  const answer = await hold(page, new RegExp(`/api/users/${user}/entities`))
  await page.keyboard.press('Tab')
  await page.keyboard.type('4')
  await answer.asked
  await page.keyboard.type('2')
  answer.letGo()
  await expect(page.getByLabel('Value of Visits', { exact: true })).toHaveValue('42')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('form')).toHaveCount(0)
  expect(await readStored()).toMatchObject({ height: '1.805', visits: 42 })
})

test('a reason, a segment and a column take what is typed before the code of their fields is there', async ({
  page,
  signIn,
  service,
}) => {
  const { user } = await makePerson(service)
  await signIn('steward', `users/${user}`)
  await page.getByRole('button', { name: 'Reveal Phone' }).click()
  await page.keyboard.type('gu caller on the line')
  await expect(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('gu caller on the line')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Reveal Phone' })).toBeFocused()

  const segments = await hold(page, /assets\/SegmentSelect-[^/]*\.js/)
  const column = await hold(page, /assets\/AddColumn-[^/]*\.js/)
  await page.goto('users')
  await page.getByRole('button', { name: /^Segment: / }).click()
  await page.keyboard.type('ge gu')
  segments.letGo()
  await expect(page.getByRole('combobox', { name: 'Segment' })).toHaveValue('ge gu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitem', { name: 'Add property…' }).click()
  await page.keyboard.type('gea')
  column.letGo()
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Property' })).toHaveValue('gea')
  await expect(page).toHaveURL(/\/users$/)
})

test('the menu of columns takes the arrow keys once its button is pressed', async ({ page, signIn }) => {
  await signIn('support', 'users')
  await page.getByRole('button', { name: 'Columns' }).click()
  // Shown in any case, and says so where the keys go first.
  await expect(page.getByRole('menuitemcheckbox', { name: 'Name', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemcheckbox', { name: 'E-mail' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()
})

for (const way of ['Control+k', 'its button'] as const)
  test(`find, opened by ${way}, takes what is typed before its code is there`, async ({
    page,
    signIn,
    service,
  }) => {
    const name = `gustav${crypto.randomUUID().slice(0, 6)}`
    await service.post('/users', { name })
    const code = await hold(page, /assets\/FindResults-[^/]*\.js/)
    await signIn('support', 'segments')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Segments')
    if (way === 'Control+k') await page.keyboard.press(way)
    else await page.getByRole('button', { name: 'Find a user, segment, event…' }).click()
    await page.keyboard.type(name)
    const field = page.getByRole('combobox', { name: 'Find anywhere' })
    await expect(field).toHaveValue(name)
    await expect(page).toHaveURL(/\/segments$/)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    code.letGo()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(field).toBeHidden()
  })

test('find is closed before its code is there, by Escape or beside it, and gives the focus back', async ({
  page,
  signIn,
}) => {
  const code = await hold(page, /assets\/FindResults-[^/]*\.js/)
  await signIn('support', 'segments')
  const button = page.getByRole('button', { name: 'Find a user, segment, event…' })
  const field = page.getByRole('combobox', { name: 'Find anywhere' })
  await button.click()
  await page.keyboard.type('gu')
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(button).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(field).toHaveValue('')
  await page.mouse.click(5, 400)
  await expect(field).toBeHidden()
  await expect(button).toBeFocused()
  code.letGo()
})

test('a key restyles its field, not the page around it', async ({ page, signIn, service }) => {
  const many = Array.from({ length: 100 }, (_, n) => ({ key: `note ${n}`, type: 'TEXT', value: 'noted' }))
  const user = await service.post('/users', { name: 'Ana Lopez' })
  await service.post(`/users/${user}/entities`, { type: 'person', properties: many })
  await signIn('steward', `users/${user}`)
  await page.getByRole('button', { name: 'Show all 100 properties', exact: true }).click()
  const last = page.locator('dl > div').filter({ hasText: 'Note 99' })
  const isDrawn = () =>
    last.evaluate((row) => row.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }))
  expect(await isDrawn()).toBe(false)
  await last.scrollIntoViewIfNeeded()
  await expect.poll(isDrawn).toBe(true)
  await pencil(page, 'Note 0').click()
  // The first key shows what there is to save.
  await page.keyboard.type('x')
  await expect(page.locator('[data-value] textarea')).toHaveValue('notedx')
  const elements = await page.locator('body *').count()
  const restyled = await countRestyled(page, () => page.keyboard.type('yz'))
  expect(restyled).toBeGreaterThan(0)
  expect(restyled).toBeLessThan(elements / 20)
})

/** Returns how many elements the browser restyles meanwhile. */
async function countRestyled(page: Page, act: () => Promise<void>): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession()
  if (!session) throw new Error('The browser is not Chromium')
  let count = 0
  session.on('Tracing.dataCollected', ({ value }: { value: { name?: string; args?: TraceArgs }[] }) => {
    for (const { name, args } of value) if (name === 'UpdateLayoutTree') count += args?.elementCount ?? 0
  })
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline']
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } })
  await act()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  await session.send('Tracing.end')
  await ended
  await session.detach()
  return count
}

interface TraceArgs {
  readonly elementCount?: number
}
