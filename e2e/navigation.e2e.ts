import { type Page } from '@playwright/test'

import type { Event, Role, UserList } from '#contract/index.ts'
import { expect, type Service, test } from './fixtures.ts'

const unique = () => crypto.randomUUID().slice(0, 8)

/** Creates the data that the pages show. */
async function prepare(service: Service) {
  const name = `Wanted ${unique()}`
  const user = await service.post('/users', { name, ref: unique(), email: `${unique()}@example.org` })
  const entity = await service.post(`/users/${user}/entities`, {
    type: 'person',
    properties: [
      { key: 'city', type: 'TEXT', value: 'Lyon' },
      { key: 'iban', type: 'TEXT', sensitive: true, value: 'FR76 0189' },
    ],
  })
  const segment = await service.post('/segments', {
    name,
    filter: { user: 'name', op: 'eq', value: name },
  })
  const [event] = await service.get<Event[]>('/events?offset=120')
  const { next } = await service.get<UserList>('/users')
  return { name, user, entity, segment, event: event?.id ?? '', next: next ?? '' }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

interface Place {
  readonly path: (made: Prepared) => string
  /** Finds an element that exists only on this page. */
  readonly shows: (page: Page, made: Prepared) => ReturnType<Page['locator']>
  /** Role of the viewer; defaults to administrator. */
  readonly role?: Role
}

const heading = (name: string | ((made: Prepared) => string)) => (page: Page, made: Prepared) =>
  page.getByRole('heading', { level: 1, name: typeof name === 'string' ? name : name(made), exact: true })
const tab = (name: string) => (page: Page) =>
  page.getByRole('link', { name, exact: true }).and(page.locator('[aria-current=page]'))

/** Finds the line of the segment form that says when the filter was counted; it appears once the count is done. */
const countOf = (page: Page) => page.getByRole('region', { name: 'Who matches now' }).getByText(/^Counted/)

const places: Record<string, Place> = {
  'all users': {
    path: () => 'users',
    shows: (page) => page.getByRole('table', { name: 'Users' }).getByRole('row').nth(50),
  },
  'a page of users': {
    path: ({ next }) => `users?offset=${encodeURIComponent(next)}`,
    shows: (page) => page.getByRole('table', { name: 'Users' }).getByRole('row').nth(50),
  },
  'the users of a segment': {
    path: ({ segment }) => `users?segment=${segment}`,
    shows: (page, { name }) => page.getByRole('table', { name: 'Users' }).getByRole('link', { name }),
  },
  'a new user': { path: () => 'users/new', shows: heading('New user') },
  'the export': {
    path: ({ segment }) => `users/export?segment=${segment}`,
    shows: (page) => page.getByRole('button', { name: 'Export 1 user' }),
  },
  'the import': { path: () => 'users/import', shows: heading('Import users') },
  'a user': { path: ({ user }) => `users/${user}`, shows: heading(({ name }) => name) },
  'an entity': {
    path: ({ user, entity }) => `users/${user}/entities/${entity}`,
    shows: (page) => page.getByRole('textbox', { name: 'Value of City' }),
  },
  'a new entity': {
    path: ({ user }) => `users/${user}/entities/new`,
    shows: (page) => page.getByLabel('Entity type'),
  },
  "a user's activity": {
    // A role without access to sensitive values, because reading them would add an event to the activity.
    role: 'support',
    path: ({ user }) => `users/${user}/activity`,
    shows: tab('Activity'),
  },
  "a user's segments": { path: ({ user }) => `users/${user}/segments`, shows: tab('Segments') },
  "a user's record": { path: ({ user }) => `users/${user}/record`, shows: tab('Record') },
  'the subject access': { path: ({ user }) => `users/${user}/access`, shows: heading('Subject access') },
  segments: {
    path: () => 'segments',
    shows: (page, { name }) => page.getByRole('link', { name: `Show 1 user of ${name}` }),
  },
  'a segment': {
    path: ({ segment }) => `segments/${segment}`,
    shows: (page) => page.getByRole('table', { name: 'Users in this segment' }).getByRole('link'),
  },
  'a new segment': { path: () => 'segments/new', shows: countOf },
  'a copy of a segment': { path: ({ segment }) => `segments/new?from=${segment}`, shows: countOf },
  'the edit of a segment': { path: ({ segment }) => `segments/${segment}/edit`, shows: countOf },
  events: {
    path: () => 'events',
    shows: (page) => page.getByRole('table', { name: 'Events' }).getByRole('row').nth(15),
  },
  'some events': {
    path: () => 'events?type=USER_UPDATED',
    shows: (page) => page.getByRole('table', { name: 'Events' }).getByRole('row').nth(15),
  },
  'an event': {
    path: ({ event }) => `events/${event}`,
    shows: (page) => page.getByRole('dialog'),
  },
}

/** Waits until nothing is loading or searching; otherwise the comparison would be unstable. */
async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  await expect(page.getByRole('main').getByText(/^Loading( segments…)?$/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
  // The segments of a user are counted after the page has loaded.
  if (/users\/[\w-]{36}($|\/(entities|activity|record))/.test(page.url()))
    await expect(page.getByRole('link', { name: /^See (why|all \d+ and why)$/ })).toBeVisible()
}

for (const [name, { path, shows, role = 'admin' }] of Object.entries(places))
  test(`${name}: opened by a link, read again and come back to, the page is the same`, async ({
    page,
    signIn,
    service,
    baseURL,
  }) => {
    const made = await prepare(service)
    const address = `${baseURL ?? ''}${path(made)}`
    // Labels come with the definitions, and may change words of a page that is already there.
    const defined = page.waitForResponse(/\/definitions$/)
    await signIn(role, path(made))
    await expect(shows(page, made)).toBeVisible()
    expect(page.url()).toBe(address)
    await expectLoaded(page)
    await (await defined).finished()
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    const before = await content(page)

    await page.reload()
    await expect(shows(page, made)).toBeVisible()
    expect(page.url()).toBe(address)
    await expect.poll(() => content(page)).toBe(before)

    const elsewhere = name.includes('segment') ? 'Events' : 'Segments'
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: elsewhere, exact: true })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: elsewhere, exact: true })).toBeFocused()
    await page.goBack()
    await expect(shows(page, made)).toBeVisible()
    expect(page.url()).toBe(address)
    await expect.poll(() => content(page)).toBe(before)
  })

test('Back from a user leads to the same row of the list, where it was on screen', async ({
  page,
  signIn,
}) => {
  await signIn('support', 'users')
  const table = page.getByRole('table', { name: 'Users' })
  const pages = page.getByRole('navigation', { name: 'Pages' })
  // Uses the keyboard, because a row under the pointer would open a preview, which is not there after Back.
  await pages.getByRole('button', { name: 'Next' }).press('Enter')
  await expect(pages).toContainText('51–100 of')
  const row = table.getByRole('row').nth(35).getByRole('link')
  await row.scrollIntoViewIfNeeded()
  const top = await page.evaluate(() => scrollY)
  expect(top).toBeGreaterThan(100)
  const before = await content(page)
  const address = page.url()

  await row.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goBack()
  await expect(pages).toContainText('51–100 of')
  expect(page.url()).toBe(address)
  await expect(row).toBeFocused()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(top)
  expect(await content(page)).toBe(before)
})

test('an address that is opened begins at its top, a reload where it was', async ({ page, signIn }) => {
  await signIn('support', 'users')
  await page.setViewportSize({ width: 1280, height: 400 })
  const top = () => page.evaluate(() => scrollY)
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
  await expect(rows.nth(50)).toBeVisible()
  await page.evaluate(() => scrollTo(0, 700))
  await page.reload()
  await expect(rows.nth(50)).toBeVisible()
  await expect.poll(top).toBe(700)
  await page.goto('segments')
  await expect(page.getByRole('table', { name: 'Segments' }).getByRole('row').nth(10)).toBeVisible()
  expect(await top()).toBe(0)
})

/** Returns the text of the page without relative times, which change in the meantime. */
function content(page: Page): Promise<string> {
  return page.evaluate(() => {
    const main = document.querySelector('main')?.cloneNode(true) as HTMLElement
    // The size of a segment, and its share of all users, may be counted again in the meantime.
    for (const changing of main.querySelectorAll('time, a[href*="?segment="]')) changing.remove()
    // The value of a checkbox does not depend on its state.
    const values = [...main.querySelectorAll('input:not([type="checkbox"]), textarea, select')]
    const text = main.textContent.replaceAll(/<?\d[\d.,]*% of all users/g, '')
    return [text, ...values.map((control) => (control as HTMLInputElement).value)].join('\n')
  })
}
