import type { Page } from '@playwright/test'

import { expect, expectAccessible, test } from './fixtures.ts'

const unique = () => `q${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`

const box = (page: Page) => page.getByRole('searchbox', { name: 'Find users' })
const table = (page: Page) => page.getByRole('table', { name: 'Users' })
const links = (page: Page) => table(page).getByRole('link')

/** Expects that the text is neither in the address nor in anything that outlives the page. */
async function expectKeptNowhere(page: Page, text: string) {
  const kept = await page.evaluate(() =>
    [
      location.href,
      JSON.stringify(history.state),
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
    ].join(' '),
  )
  expect(kept).not.toContain(text)
}

test('search: results as one types, marked, within the segment, paged; Back restores all of it', async ({
  page,
  signIn,
  service,
}) => {
  // The word contains no digits, because digits would also search property values, whose total is not known before the
  // results are shown.
  const word = unique().replaceAll(/\d/g, (digit) => 'ghijkmnopr'.charAt(Number(digit)))
  for (let index = 10; index < 70; index += 1)
    await service.post('/users', { name: `Ana ${word} ${index}`, ref: `${word}-${index}` })
  const segment = await service.post('/segments', {
    name: `Only ${word}`,
    filter: { user: 'ref', op: 'eq', value: `${word}-33` },
  })
  await signIn('support', 'users')
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))

  await expect(links(page).first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(`${word} ana`)
  await expect(page.getByRole('main').getByText('60 found')).toBeVisible()
  await expect(links(page)).toHaveCount(50)
  await expect(table(page).locator('mark').filter({ hasText: /^Ana$/ }).first()).toBeVisible()
  await expectAccessible(page)

  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('button', { name: 'Next' }).click()
  await expect(pages).toContainText('51–60 of 60')
  await pages.getByRole('button', { name: 'Previous' }).click()
  await expect(pages).toContainText('1–50 of 60')
  const opened = links(page).nth(45)
  const name = (await opened.textContent()) ?? ''
  await opened.scrollIntoViewIfNeeded()
  const top = await page.evaluate(() => window.scrollY)
  expect(top).toBeGreaterThan(0)

  for (const back of [
    () => page.goBack(),
    () => page.getByRole('main').getByRole('link', { name: 'Users' }).click(),
  ]) {
    await page.getByRole('link', { name }).click()
    await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
    await back()
    await expect(box(page)).toHaveValue(`${word} ana`)
    await expect(page.getByRole('link', { name })).toBeFocused()
    await expect(pages).toContainText('1–50 of 60')
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top)
  }
  await expectKeptNowhere(page, word)
  expect(addresses.join(' ')).not.toContain(word)

  await page.reload()
  await expect(links(page)).toHaveCount(50)
  await expect(box(page)).toHaveValue('')

  await page.goto(`users?segment=${segment}`)
  await box(page).fill(word)
  await expect(page.getByRole('main').getByText('1 found')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`Ana ${word} 33`)
  await page.goBack()
  await box(page).fill(`${word}-34`)
  await page.getByRole('link', { name: 'Search all users' }).click()
  await expect(links(page)).toHaveText([`Ana ${word} 34`])
})

test('search: a number that somebody gives, with other separators, finds them and says by what', async ({
  page,
  signIn,
  service,
}) => {
  // The digits start with 98, so that they do not occur in the timestamps that a session stores.
  const digits = `98${String(Date.now()).slice(2)}`
  const spoken = `${digits.slice(0, 5)} ${digits.slice(5, 9)}-${digits.slice(9)}`
  const name = `Cleo ${unique()}`
  await service.post('/users', { name, properties: [{ key: 'mobile', type: 'TEXT', value: `+${spoken}` }] })
  await signIn('support', 'users')
  await box(page).fill(`00${digits.slice(0, 8)} ${digits.slice(8)}`)
  await expect(links(page)).toHaveText([name])
  await expect(table(page).getByText(`mobile: +${spoken}`)).toBeVisible()
  await expectKeptNowhere(page, digits.slice(0, 8))
  await box(page).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
})

test('search: nobody is called missing whose phone number was given, in the list or from anywhere', async ({
  page,
  signIn,
  service,
}) => {
  const digits = `97${String(Date.now()).slice(2)}`
  const said = `+${digits.slice(0, 5)} ${digits.slice(5)}`
  const name = `Dora ${unique()}`
  const user = await service.post('/users', { name })
  const phone = { key: 'phone', type: 'TEXT', value: said }
  await service.post(`/users/${user}/entities`, { type: 'person', properties: [phone] })
  await signIn('support', 'users')
  await expect(links(page).first()).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Find anywhere' })
  await page.keyboard.press('Control+k')
  await dialog.getByRole('combobox').fill(digits)
  const found = dialog.getByRole('option', { name })
  await expect(found).toContainText(`phone: ${said}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)

  // For a value that the user may not search, the page must not claim that nobody has it.
  const hidden = `96${digits.slice(7)}${digits.slice(2, 7)}`
  const sealed = [{ key: 'mobile', type: 'TEXT', sensitive: true, value: `+${hidden}` }]
  await service.post(`/users/${user}/entities`, { type: 'person', properties: sealed })
  await page.goto('users')
  await box(page).fill(hidden)
  await expect(page.getByText('not hidden values')).toBeVisible()
  await page.keyboard.press('Control+k')
  await dialog.getByRole('combobox').fill(hidden)
  await expect(dialog.getByText(`Nothing matches “${hidden}”.`)).toBeVisible()
  await expect(dialog.getByText('not hidden values')).toBeVisible()
})

test('search: what is misspelled, what is not there, and what fails', async ({ page, signIn, service }) => {
  // Swapping the last two letters of the word yields a misspelling.
  const word = `${unique()}xy`
  await service.post('/users', { name: `Anabella ${word}` })
  await signIn('support', 'users')
  await box(page).fill(`${word.slice(0, -2)}${word.at(-1) ?? ''}${word.at(-2) ?? ''}`)
  await expect(page.getByText(/^No match for .* Similar spellings:$/)).toBeVisible()
  await expect(links(page)).toHaveText([`Anabella ${word}`])

  await box(page).fill('zzzzqqqqxxxx')
  await expect(page.getByText('No users match “zzzzqqqqxxxx”')).toBeVisible()
  await expectAccessible(page)

  await page.route('**/api/users/search', (route) => route.fulfill({ status: 500, body: '' }))
  await box(page).fill(word)
  await expect(page.getByRole('alert')).toContainText('The search failed')
  await expect(box(page)).toHaveValue(word)
  await page.unroute('**/api/users/search')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(links(page)).toHaveText([`Anabella ${word}`])
})

test('a whole id opens its user', async ({ page, signIn, service }) => {
  const id = await service.post('/users', { name: 'Found by id' })
  await signIn('support', 'users')
  await box(page).fill(id)
  await box(page).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/users/${id}$`))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Found by id')
  await page.goBack()
  await expect(box(page)).toHaveValue(id)
})

test('the list by keyboard alone; Back leads to the very row and place', async ({ page, signIn }) => {
  await signIn('support', 'users')
  await expect(links(page)).toHaveCount(50)
  await page.keyboard.press('/')
  await expect(box(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(links(page).first()).toBeFocused()
  for (const key of ['PageDown', 'PageDown', 'PageDown', 'ArrowDown', 'ArrowUp'])
    await page.keyboard.press(key)
  const row = links(page).nth(30)
  await expect(row).toBeFocused()
  // The sticky header covers the rows that scroll beneath it.
  const header = await table(page).getByRole('columnheader', { name: 'Name' }).boundingBox()
  expect(header?.y).toBe(48)
  expect(
    await page.evaluate(
      ({ x, y, height }) => document.elementFromPoint(x + 20, y + height / 2)?.textContent,
      header ?? { x: 0, y: 0, height: 0 },
    ),
  ).toBe('Name')

  // On the way up, the focused row is not hidden under the header either.
  for (let step = 0; step < 15; step += 1) await page.keyboard.press('ArrowUp')
  expect((await links(page).nth(15).boundingBox())?.y).toBeGreaterThan(80)
  for (let step = 0; step < 15; step += 1) await page.keyboard.press('ArrowDown')
  await expect(row).toBeFocused()

  const top = await page.evaluate(() => window.scrollY)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/users\/[\da-f-]{36}/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goBack()
  await expect(row).toBeFocused()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top)
  await page.keyboard.press('Escape')
  await expect(box(page)).toBeFocused()
})

test('a row at rest shows who it is; the way to the next row stays free', async ({
  page,
  signIn,
  service,
}) => {
  await signIn('support', 'users')
  await expect(links(page)).toHaveCount(50)
  const row = table(page).getByRole('row').nth(4)
  const preview = page.getByRole('status', { name: /^Preview of/ })
  const box4 = await row.boundingBox()
  const at = { x: (box4?.x ?? 0) + 300, y: (box4?.y ?? 0) + 18 }
  await page.mouse.move(at.x - 5, at.y)
  await page.mouse.move(at.x, at.y)
  await expect(preview).toBeVisible()
  await expect(preview.getByText('Entities')).toBeVisible()
  const card = await preview.boundingBox()
  expect(card?.x).toBeGreaterThan(at.x)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(preview).toBeHidden()

  await links(page).nth(1).focus()
  await page.keyboard.press(' ')
  await expect(preview).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(preview).toHaveAccessibleName(`Preview of ${(await links(page).nth(2).textContent()) ?? ''}`)
  await page.keyboard.press('Escape')
  await expect(preview).toBeHidden()
  await expect(links(page).nth(2)).toBeFocused()

  // The preview shows no sensitive value, with or without the service's search.
  const ref = unique()
  const id = await service.post('/users', { name: `Secretive ${ref}`, ref })
  await service.post(`/users/${id}/entities`, {
    type: 'person',
    properties: [
      { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE00-SECRET' },
      { key: 'city', type: 'TEXT', value: 'Lyon' },
    ],
  })
  const segment = await service.post('/segments', {
    name: ref,
    filter: { user: 'ref', op: 'eq', value: ref },
  })
  await page.goto(`users?segment=${segment}`)
  await links(page).first().focus()
  await page.keyboard.press(' ')
  await expect(preview).toContainText('Lyon')
  await expect(preview).not.toContainText('DE00-SECRET')
})

test('no preview opens over the row that was pressed, until the mouse has been elsewhere', async ({
  page,
  context,
  signIn,
}) => {
  await page.clock.install()
  await signIn('support', 'users')
  await expect(links(page)).toHaveCount(50)
  const preview = page.getByRole('status', { name: /^Preview of/ })
  const moveTo = async (index: number) => {
    const row = await table(page).getByRole('row').nth(index).boundingBox()
    // A hand never keeps the mouse entirely still.
    for (const x of [300, 304, 308]) await page.mouse.move((row?.x ?? 0) + x, (row?.y ?? 0) + 18)
  }
  const nameIn = async (index: number) =>
    (await table(page).getByRole('row').nth(index).getByRole('link').textContent()) ?? ''
  // The first preview loads the code of the previews.
  await moveTo(2)
  await expect(preview).toHaveAccessibleName(`Preview of ${await nameIn(2)}`)
  const opened = await page.evaluateHandle(() => {
    const names: (string | null)[] = []
    new MutationObserver(() => {
      for (const card of document.querySelectorAll('[data-user-card]'))
        names.push(card.getAttribute('aria-label'))
    }).observe(document.body, { childList: true, subtree: true })
    return names
  })

  await moveTo(5)
  const tab = context.waitForEvent('page')
  await page.keyboard.down('Control')
  await page.mouse.down()
  await page.mouse.up()
  await page.keyboard.up('Control')
  await (await tab).close()
  // A preview may have been open before the press.
  await expect(preview).toBeHidden()
  await opened.evaluate((names) => names.splice(0))
  await moveTo(5)
  await page.clock.fastForward(1000)
  await moveTo(7)
  await expect(preview).toHaveAccessibleName(`Preview of ${await nameIn(7)}`)
  expect(await opened.jsonValue()).not.toContain(`Preview of ${await nameIn(5)}`)
  await moveTo(5)
  await expect(preview).toHaveAccessibleName(`Preview of ${await nameIn(5)}`)
})

test('columns and row height are kept, and reset', async ({ page, signIn }) => {
  await signIn('support', 'users')
  const headers = table(page).getByRole('columnheader')
  await expect(headers).toHaveText(['Name', 'E-mail', 'Ref', 'Since', 'Created', 'Account'])
  await page.getByRole('button', { name: 'Columns and row height' }).click()
  await expectAccessible(page)
  await page.getByRole('menuitemcheckbox', { name: 'Created' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Id' }).click()
  await page.getByRole('menuitemradio', { name: 'Comfortable' }).click()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(headers).toHaveText(['Name', 'E-mail', 'Ref', 'Since', 'Account', 'Id'])
  await expect(links(page)).toHaveCount(50)
  expect((await table(page).getByRole('row').nth(1).boundingBox())?.height).toBe(44)
  await page.getByRole('button', { name: 'Columns and row height' }).click()
  await page.getByRole('menuitem', { name: 'Reset' }).click()
  await expect(headers).toHaveText(['Name', 'E-mail', 'Ref', 'Since', 'Created', 'Account'])
})

test('the picker says how many users a segment has', async ({ page, signIn, service }) => {
  const name = `Counted ${unique()}`
  await service.post('/users', { name, ref: name })
  await service.post('/segments', { name, filter: { user: 'ref', op: 'eq', value: name } })
  await signIn('support', 'users')
  await page.getByRole('button', { name: /^Segment/ }).click()
  await page.getByRole('combobox', { name: 'Segment' }).fill(name)
  await expect(page.getByRole('option', { name })).toContainText(/1$/)
  await expectAccessible(page)
})
