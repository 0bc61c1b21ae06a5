import type { Page } from '@playwright/test'

import { startReceiver, type TestReceiver } from '#server/testing/receiver.ts'
import { expectFits, expectLocksClear } from './fits.ts'
import { expect, scriptToken, test } from './fixtures.ts'
import { isPseudo } from './pseudo.ts'

// A tablet, and a laptop at 125 % zoom: both show the sidebar and the panel beside the table.
const widths = [1024, 1093]

let receiver: TestReceiver
test.beforeAll(async () => {
  receiver = await startReceiver()
})
test.afterAll(() => receiver.close())

/**
 * Expects that these columns of a table, counted from 1, and all that is within are not cut off at any of the widths, in
 * rows that have a text.
 */
async function expectWhole(
  page: Page,
  table: string,
  columns: readonly number[],
  { at = widths, hasText = '' } = {},
) {
  // A longer language may end a name in an ellipsis.
  if (isPseudo) return
  for (const width of at)
    await test.step(`${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 900 })
      for (const column of columns) {
        const rows = page.getByRole('table', { name: table }).locator('tbody tr').filter({ hasText })
        const cells = rows.locator(`td:nth-child(${column})`)
        await expect(cells.first()).toBeVisible()
        await expect
          .poll(() =>
            cells.evaluateAll((all) =>
              all
                .filter((cell) =>
                  [cell, ...cell.querySelectorAll('*')].some(
                    ({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth,
                  ),
                )
                .map((cell) => cell.textContent),
            ),
          )
          .toEqual([])
      }
    })
}

test('a user of a segment is named in the table beside its facts', async ({ page, signIn, service }) => {
  const ref = crypto.randomUUID().slice(0, 8)
  await service.post('/users', { name: 'Imogen Blackwood', ref, email: `imogen.${ref}@example.org` })
  const segment = await service.post('/segments', {
    name: `With ${ref}`,
    filter: { user: 'ref', op: 'eq', value: ref },
  })
  await signIn('steward', `segments/${segment}`)
  await expect(page.getByRole('link', { name: 'Imogen Blackwood' })).toBeVisible()
  await expectWhole(page, 'Users in this segment', [1, 2, 3], { at: [768, ...widths] })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'Imogen Blackwood' }).click()
  await expect(page.getByRole('link', { name: /^See (why|all \d+ and why)$/ })).toBeVisible()
})

test('the list of users has whole e-mails on a tablet, and one time of each user on a phone', async ({
  page,
  signIn,
  service,
}) => {
  const name = `Imogen ${crypto.randomUUID().slice(0, 8)}`
  // Most are of this length.
  await service.post('/users', { name, email: `imogen.${name.slice(-4)}@example.org` })
  await signIn('steward', 'users')
  await page.getByRole('searchbox', { name: 'Find users' }).fill(name)
  await expect(page.getByRole('link', { name })).toBeVisible()
  await expectWhole(page, 'Users', [2], { hasText: name })
  const row = page.getByRole('table', { name: 'Users' }).locator('tbody tr').filter({ hasText: name })
  await expect(row.locator('time').filter({ visible: true })).toHaveCount(1)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(row.locator('time').filter({ visible: true })).toHaveCount(1)
})

test('lists name segments, jobs and webhooks whole, and no state is cut', async ({
  page,
  signIn,
  service,
}) => {
  const mark = crypto.randomUUID().slice(0, 8)
  const name = `Everybody who drives a car of the fleet ${mark}`
  await service.post('/segments', { name, filter: { user: 'ref', op: 'eq', value: mark } })
  const user = await service.post('/users', { name: 'Told', ref: mark })
  await service.post('/users/batch', {
    ids: [user],
    dryRun: true,
    set: { entity: 'car', key: `insurer_of_the_owner_${mark}`, type: 'TEXT', value: 'Allrisk' },
  })
  const { id } = await service.ask<{ id: string }>('/subscriptions', {
    url: `https://example.org/receivers/of/the/fleet/${mark}`,
    types: ['SENSITIVE_DATA_CHECKED'],
    enabled: false,
  })
  const at = [768, ...widths]
  try {
    await signIn('admin', 'segments')
    await expectWhole(page, 'Segments', [1, 3, 5], { at, hasText: mark })
    await page.goto('jobs')
    await expectWhole(page, 'Jobs', [1, 2, 3], { at, hasText: mark })
    await page.goto('webhooks')
    await expectWhole(page, 'Webhooks', [1, 2, 3], { at, hasText: mark })
  } finally {
    await service.delete(`/subscriptions/${id}`)
  }
})

test('an event sent to a webhook is named in the table beside its facts', async ({
  page,
  signIn,
  service,
}) => {
  const { id } = await service.ask<{ id: string }>('/subscriptions', {
    url: receiver.url,
    types: ['USER_CREATED'],
  })
  try {
    await service.post('/users', { name: 'Told' })
    await signIn('integrator', `webhooks/${id}`)
    await expect(page.getByRole('link', { name: 'User created' }).first()).toBeVisible()
    await expectWhole(page, 'Recent delivery attempts', [1, 2], { at: [768, ...widths] })
    await page.goto('webhooks')
    const row = page
      .getByRole('table', { name: 'Webhooks' })
      .getByRole('row', { name: new URL(receiver.url).host })
    const minutesAgo = row.getByText(/^Delivered/).locator('time')
    await expect(minutesAgo).toBeVisible()
    for (const width of [768, ...widths, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      // The longest time ago has as many letters.
      await minutesAgo.evaluate((text) => (text.textContent = '26m ago'))
      await expectFits(page)
    }
  } finally {
    await service.delete(`/subscriptions/${id}`)
  }
})

test('the log names what happened, however long its name', async ({ page, signIn, service }) => {
  const properties = [{ key: 'iban', type: 'TEXT', value: 'GB33', sensitive: true }]
  const user = await service.post('/users', { name: 'Read' })
  const entity = await service.post(`/users/${user}/entities`, { type: 'person', properties })
  await service.get(`/users/${user}/entities/${entity}`)
  await signIn('integrator', `events?user=${user}`)
  await expect(page.getByRole('link', { name: 'Sensitive values viewed' })).toBeVisible()
  await expectWhole(page, 'Events', [2, 3, 4])
})

test('the figures of the chart stand below whole words', async ({ page, signIn, service }) => {
  await service.post('/users', { name: 'Counted' })
  // Only a window that is high enough begins with the chart.
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn('integrator', 'events')
  await page.getByText('As a table').click()
  await page.setViewportSize({ width: 390, height: 844 })
  const figures = page.getByRole('table', { name: 'Events over time, as a table' })
  const buttons = figures.getByRole('button')
  await expect(figures.getByRole('button', { name: 'User created' })).toBeVisible()
  const lines = () =>
    buttons.evaluateAll((all) => {
      const text = document.createRange()
      return all.flatMap((button) => {
        text.selectNodeContents(button)
        return new Set([...text.getClientRects()].map(({ top }) => top)).size > 1 ? [button.textContent] : []
      })
    })
  await expect.poll(lines).toEqual([])
})

test('the log says when a delivery is attempted again', async ({ page, signIn, service }) => {
  const { id } = await service.ask<{ id: string }>('/subscriptions', { url: 'http://localhost:9/' })
  try {
    const user = await service.post('/users', { name: 'Untold' })
    await signIn('integrator', `events?user=${user}`)
    await page.setViewportSize({ width: 1440, height: 900 })
    const status = page.getByRole('table', { name: 'Events' }).getByText(/^Waiting, next attempt/)
    await expect(status).toBeVisible()
    // The longest time until an attempt has as many letters.
    await status.evaluate((text) => (text.textContent = 'Waiting, next attempt in 35m'))
    if (!isPseudo) expect(await status.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
  } finally {
    await service.delete(`/subscriptions/${id}`)
  }
})

test('the register of deletions names its references', async ({
  page,
  signIn,
  request,
  baseURL,
  service,
}) => {
  const user = await service.post('/users', { name: 'Erased' })
  const reference = encodeURIComponent('DSR-2026-005 article 17 request')
  const headers = { authorization: `Bearer ${await scriptToken(request)}`, 'deletion-reference': reference }
  await request.delete(`${baseURL}api/users/${user}`, { headers })
  await signIn('steward', 'users/deleted')
  await expect(page.getByText('DSR-2026-005 article 17 request').first()).toBeVisible()
  // Other deletions of the journeys have references of any length.
  await expectWhole(page, 'Deleted users', [1, 4, 5], { hasText: 'DSR-2026-005' })
})

test('the columns of a file are named in their choices, and no arrow is over the buttons below them', async ({
  page,
  signIn,
}) => {
  await signIn('steward', 'users/import')
  const rows = ['E-mail;Joined;Phone', 'ana@example.org;3/1/2024;12']
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  const choices = page.getByRole('listitem').getByRole('combobox')
  await expect(choices.nth(2)).toBeVisible()
  const layer = (element: Element) => Number(getComputedStyle(element).zIndex)
  const arrow = await page.locator('li .mantine-Input-section').first().evaluate(layer)
  const bar = page.getByRole('button', { name: 'Check 1 row', exact: true }).locator('..')
  expect(await bar.evaluate(layer)).toBeGreaterThan(arrow)
  if (isPseudo) return
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    const lacking = () =>
      choices.evaluateAll((all) =>
        all.flatMap((choice) => {
          if (!(choice instanceof HTMLSelectElement)) return []
          const { font, paddingLeft, paddingRight } = getComputedStyle(choice)
          const context = document.createElement('canvas').getContext('2d')
          if (context) context.font = font
          const text = choice.selectedOptions[0]?.text ?? ''
          const paddings = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
          const room = choice.clientWidth - paddings - (context?.measureText(text).width ?? Number.NaN)
          return room >= 0 ? [] : [`${room}: ${text}`]
        }),
      )
    await expect.poll(lacking).toEqual([])
  }
})

test('the dictionary names the segments that use a property', async ({ page, signIn, service }) => {
  const key = `quarter_${crypto.randomUUID().slice(0, 8)}`
  const properties = [{ key, type: 'TEXT', value: 'Nord' }]
  await service.post('/users', { name: 'Of a quarter', properties })
  const name = `Everybody whose quarter is north of the river ${key}`
  const where = [{ key, type: 'TEXT', op: 'eq', value: 'Nord' }]
  await service.post('/segments', { name, filter: { entity: 'person', where } })
  // The dictionary of a large store is counted in the background.
  await expect.poll(async () => JSON.stringify(await service.get('/dictionary'))).toContain(key)
  await signIn('steward', 'dictionary')
  await page.getByRole('searchbox', { name: /^Filter/ }).fill(key)
  await expect(page.getByRole('link', { name })).toBeVisible()
  await expectWhole(page, 'person', [1, 5])
  // Numbers are aligned by their last digit.
  await page.getByRole('searchbox', { name: /^Filter/ }).fill('')
  const edges = () =>
    page
      .getByRole('table', { name: 'person' })
      .locator('tbody td:nth-child(3)')
      .evaluateAll((cells) => {
        const text = document.createRange()
        return new Set(
          cells.map((cell) => {
            const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
            let last = walker.nextNode()
            for (let next = last; next; next = walker.nextNode()) last = next
            if (last) text.selectNodeContents(last)
            return Math.round(text.getBoundingClientRect().right)
          }),
        ).size
      })
  await expect.poll(edges).toBe(1)
})

test("a message in place of a page starts at the heading's left edge", async ({ page, signIn }) => {
  await signIn('steward', 'users')
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('link').first()).toBeVisible()
  await page.goto(`users/${crypto.randomUUID()}`)
  const heading = page.getByRole('heading', { level: 1, name: 'User not found' })
  await expect(heading).toBeVisible()
  const { x } = (await heading.boundingBox()) ?? {}
  const main = page.getByRole('main')
  expect((await main.getByText('This user was deleted, or the link is wrong.').boundingBox())?.x).toBe(x)
  expect((await main.getByRole('link', { name: 'Go to all users' }).boundingBox())?.x).toBe(x)
})

test('beside the builder a long name wraps', async ({ page, signIn, service }) => {
  const ref = crypto.randomUUID()
  const name = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)
  await service.post('/users', { name, ref })
  const segment = await service.post('/segments', {
    name: `With ${ref}`,
    filter: { user: 'ref', op: 'eq', value: ref },
  })
  await signIn('admin', `segments/${segment}/edit`)
  await page.setViewportSize({ width: 1093, height: 900 })
  const aside = page.getByRole('complementary', { name: 'About this filter' })
  await expect(aside.getByRole('link', { name })).toBeVisible()
  await expect.poll(() => aside.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
})

test('the editor cuts no key short, and the tools of a hidden value are beside it', async ({
  page,
  signIn,
  service,
}) => {
  const properties = [
    { key: 'loyalty_member_since', type: 'TEXT', value: '2019' },
    { key: 'passport_number', type: 'TEXT', value: 'XDA123456', sensitive: true },
  ]
  const user = await service.post('/users', { name: 'Somebody with long keys' })
  const entity = await service.post(`/users/${user}/entities`, { type: 'person', properties })
  await signIn('steward', `users/${user}/entities/${entity}`)
  const row = page.getByRole('listitem').filter({ has: page.getByLabel('Property: Passport number') })
  const acts = row.getByRole('button', { name: /^(Reveal|Check|Replace) / })
  await expect(acts.first()).toBeVisible()
  // The timeline is beside the entity at 1,440 pixels, the summary of the user at 1,093.
  for (const width of [390, 768, 1093, 1280, 1440, 1600])
    await test.step(`${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 900 })
      const cut = () =>
        page
          .getByLabel(/^Property: /)
          .evaluateAll((all) =>
            all
              .filter((key) => key.scrollWidth > key.clientWidth)
              .map((key) => (key as HTMLInputElement).value),
          )
      await expect.poll(cut).toEqual([])
      // In a longer language the actions may need two lines on a phone.
      if (isPseudo) return
      const lines = () =>
        acts.evaluateAll((all) => new Set(all.map((act) => act.getBoundingClientRect().top)).size)
      await expect.poll(lines).toBe(1)
    })
})

test('on a phone the main button of a page is beside its title, or on its own line', async ({
  page,
  signIn,
  service,
}) => {
  const segment = await service.post('/segments', {
    name: 'With a name on a phone',
    filter: { user: 'ref', op: 'eq', value: crypto.randomUUID() },
  })
  await signIn('admin', 'users')
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['users', 'segments', `segments/${segment}`])
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.locator('[data-frame]')).toHaveCount(0)
      const header = page.getByRole('main').locator('header')
      await expect(header.locator('a, button').last()).toBeVisible()
      // Each line of the title and buttons spans the full width of the page.
      const ragged = () =>
        header.evaluate((box) => {
          const page = box.getBoundingClientRect()
          const parts = [...box.querySelectorAll(':has(> h1), :has(> h1) ~ * > *')].map((part) =>
            part.getBoundingClientRect(),
          )
          const lines = Map.groupBy(parts, ({ top, height }) => Math.round((top + height / 2) / 8))
          return [...lines.values()]
            .map((line) => [
              Math.min(...line.map(({ left }) => left)) - page.left,
              page.right - Math.max(...line.map(({ right }) => right)),
            ])
            .filter((gaps) => gaps.some((gap) => Math.abs(gap) > 1))
        })
      await expect.poll(ragged).toEqual([])
    })
})

test('the e-mail and the ref of a user stand on one line, whose end its buttons cover', async ({
  page,
  signIn,
  service,
}) => {
  const mark = crypto.randomUUID().slice(0, 8)
  const [email, ref] = [`h-baumgart.${mark}@example.org`, `CUSTOMER-2026-${mark}`]
  const user = await service.post('/users', { name: 'Walburga Hohenstein', email, ref })
  await signIn('steward', `users/${user}`)
  const card = page.getByRole('region', { name: 'Identity' })
  const lines = (text: string) =>
    card.getByText(text).evaluate((value) => {
      const range = document.createRange()
      range.selectNodeContents(value)
      return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
    })
  for (const width of [768, 1024, 1093, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => lines(email), `${width} pixels`).toBe(1)
    await expect.poll(() => lines(ref), `${width} pixels`).toBe(1)
  }
  await card.getByText(email).hover()
  await card.getByRole('button', { name: 'Edit E-mail' }).click()
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toHaveValue(email)
})

test('rows of users with columns of properties are one line high, and keep the name while others are scrolled to', async ({
  page,
  signIn,
  service,
}) => {
  const ref = crypto.randomUUID()
  const consent = { status: 'GRANTED', statusDate: '2024-05-01T10:00:00Z', expires: '2094-05-01T10:00:00Z' }
  const properties = [
    { key: 'newsletter', type: 'PREFERENCE', value: consent },
    { key: 'met', type: 'DATETIME', value: '2024-09-22T10:00:00Z' },
  ]
  const user = await service.post('/users', { name: 'Walburga Hohenstein', ref, properties })
  for (const value of [178_320, 5])
    await service.post(`/users/${user}/entities`, {
      type: 'car',
      properties: [{ key: 'mileage', type: 'NUMBER', value }],
    })
  await service.post(`/users/${await service.post('/users', { name: 'Bo', ref: `${ref}-2` })}/entities`, {
    type: 'car',
    properties: [{ key: 'mileage', type: 'NUMBER', value: 178_321 }],
  })
  const segment = await service.post('/segments', {
    name: ref,
    filter: { user: 'ref', op: 'starts_with', value: ref },
  })
  await page.addInitScript(() => {
    const names = ['person.newsletter', 'person.met', 'car.mileage', 'person.phone', 'person.language']
    localStorage.setItem('data-store.users-list', JSON.stringify({ properties: names }))
  })
  await page.setViewportSize({ width: 1024, height: 900 })
  await signIn('steward', `users?segment=${segment}`)
  const row = page.getByRole('row', { name: 'Walburga Hohenstein' })
  await expect(row).toContainText('Granted')
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(async () => (await row.boundingBox())?.height, `${width} pixels`).toBeLessThan(40)
  }
  const right = (text: string) =>
    page.getByText(text).evaluate((value) => Math.round(value.getBoundingClientRect().right))
  await expect.poll(async () => (await right('178,320')) - (await right('178,321'))).toBe(0)
  const name = row.getByRole('link')
  const before = await name.boundingBox()
  await page.getByText('178,320').evaluate((value) => value.closest('table')?.parentElement?.scrollBy(400, 0))
  expect((await name.boundingBox())?.x).toBe(before?.x)
})

test('on a wide window buttons end where what they are about ends', async ({ page, signIn, service }) => {
  const user = await service.post('/users', { name: 'On a wide window' })
  await page.setViewportSize({ width: 2560, height: 1000 })
  await signIn('steward', `users/${user}/access`)
  await page.getByRole('button', { name: 'Prepare report' }).click()
  const endOf = async (role: 'article' | 'button' | 'main', name: string | RegExp = '') => {
    const { x = 0, width = 0 } = (await page.getByRole(role, { name }).boundingBox()) ?? {}
    return Math.round(x + width)
  }
  await expect(page.getByRole('button', { name: 'Download JSON' })).toBeVisible()
  expect(await endOf('button', 'Download JSON')).toBe(await endOf('article', 'The report'))
  // The button is wider than its text, for the pointer.
  expect(Math.abs((await endOf('button', /^Account:/)) - (await endOf('main')))).toBeLessThan(32)
  await page.goto(`users/${user}/activity`)
  const times = page.getByRole('list', { name: 'Activity' }).locator('time')
  const { x = 0 } = (await times.first().boundingBox()) ?? {}
  const start = (await page.getByText('User created').boundingBox())?.x ?? 0
  expect(x - start).toBeLessThan(960)
})

test('no lock is over a name or its ellipsis', async ({ page, signIn, service }) => {
  const user = await service.post('/users', {
    name: 'Maximiliane-Wilhelmina von und zu Hohenlohe-Waldenburg',
  })
  const key = 'name_of_the_person_who_is_responsible_for_the_account'
  const entity = await service.post(`/users/${user}/entities`, {
    type: 'responsibility_of_an_account_of_several_companies',
    properties: [key, 'iban', 'e_mail_address_for_invoices_and_reminders'].map((each) => ({
      key: each,
      type: 'TEXT',
      value: 'Ada Lovelace',
      sensitive: true,
    })),
  })
  await service.ask(`/users/${user}/entities/${entity}/reveal`, { keys: [key], reason: 'Asked by phone' })
  await signIn('admin', `users/${user}`)
  for (const path of [
    `users/${user}`,
    `users/${user}/entities/${entity}`,
    `users/${user}/activity`,
    'events',
    'dictionary',
  ])
    await test.step(path, async () => {
      await page.goto(`/${path}`)
      for (const width of [390, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await expectLocksClear(page)
      }
    })
})
