import type { Page } from '@playwright/test'

import type { Event } from '#contract/index.ts'
import { consoleAddresses } from '#server/http/console.ts'
import { expectFits, expectRings } from './fits.ts'
import { expect, expectAccessible, type Service, test } from './fixtures.ts'
import { expectLines } from './lines.ts'

/** Every address of the console, plus some with a query that sets their initial state. */
const addresses = [
  ...consoleAddresses,
  'users?segment=:segmentId',
  'users/export?segment=:segmentId',
  'segments/new?from=:segmentId',
]

/** Creates a record for each address to show. */
async function prepare(service: Service) {
  const name = `Everywhere ${crypto.randomUUID().slice(0, 8)}`
  const user = await service.post('/users', { name, email: `${crypto.randomUUID()}@example.org` })
  const entity = await service.post(`/users/${user}/entities`, {
    type: 'person',
    properties: [
      { key: 'birthday', type: 'DATE', value: '1984-02-29' },
      { key: 'iban', type: 'TEXT', sensitive: true, value: 'FR76 0189' },
      { key: 'newsletter', type: 'PREFERENCE', value: { status: 'GRANTED' } },
    ],
  })
  const segment = await service.post('/segments', { name, filter: { user: 'name', op: 'eq', value: name } })
  const job = await service.post('/users/batch', {
    ids: [user],
    dryRun: true,
    set: { entity: 'person', key: 'city', type: 'TEXT', value: 'Lyon' },
  })
  const erased = await service.post('/users', { name: 'Deleted' })
  await service.delete(`/users/${erased}`)
  const { id: webhook } = await service.ask<{ id: string }>('/subscriptions', {
    url: `https://example.org/${crypto.randomUUID()}`,
    enabled: false,
  })
  const [event] = await service.get<Event[]>('/events?order=desc')
  return { user, entity, segment, job, erased, webhook, event: event?.id ?? '' }
}

/** Returns the address with the ids filled in. */
function addressOf(address: string, made: Awaited<ReturnType<typeof prepare>>): string {
  const { user, entity, segment, job, erased, webhook, event } = made
  const ids: Readonly<Record<string, string>> = {
    userId: address.startsWith('users/deleted') ? erased : user,
    entityId: entity,
    segmentId: segment,
    jobId: job,
    eventId: event,
    subscriptionId: webhook,
  }
  return address.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
}

/** Opens the page of an import, which only its author may see. */
async function beginImport(page: Page): Promise<void> {
  await page.goto('users/import')
  const rows = [
    'Full name;E-mail;Joined;Phone',
    'Ana López;ana@example.org;3/1/2024;+34 600 000 000',
    'Bo;no address;4/1/2024;',
  ]
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  await expect(page).toHaveURL(/\/users\/import\/[\w-]+$/)
  await expect(page.getByText('1 cell can’t be read')).toBeVisible()
}

/** Inputs whose texts the browser may store, and suggest to the next person. */
const rememberedInputs = (page: Page) =>
  page.locator(
    ':is(input:not([type=checkbox], [type=radio], [type=file]), textarea, select):not([autocomplete=off])',
  )

/** Parts whose changes a screen reader announces, of which it follows few: at rest, a page has the one of the shell. */
const announcing = (page: Page) =>
  page.locator('[aria-live]:not([aria-live=off]), [role=status], [role=alert], output')

const areas = {
  'home, the dictionary and the audit': /^(?:|home|dictionary|audit)$/,
  'the list of users': /^users(?:\/(?:new|export|import(?:\/:jobId)?))?(?:\?|$)/,
  'what is done with many users': /^(?:users\/(?:batch|deleted)|jobs)/,
  'a user': /^users\/:userId(?!\/entities)/,
  'an entity': /^users\/:userId\/entities/,
  segments: /^segments/,
  events: /^events/,
  webhooks: /^webhooks/,
} as const

test('every address of the console is in an area that is looked at', () => {
  for (const address of addresses)
    expect(
      Object.values(areas).filter((area) => area.test(address)),
      address,
    ).toHaveLength(1)
})

for (const [name, area] of Object.entries(areas))
  for (const width of [1440, 390])
    test(`${name}, ${width} pixels wide: all texts fit and share their lines, and whatever the colours, everybody can use them`, async ({
      page,
      signIn,
      service,
    }) => {
      const made = await prepare(service)
      const shown = addresses.filter((address) => area.test(address))
      await signIn('admin', addressOf(shown[0] ?? '', made))
      await page.setViewportSize({ width, height: 900 })
      for (const address of shown)
        await test.step(address, async () => {
          if (address === 'users/import/:jobId') await beginImport(page)
          else await page.goto(addressOf(address, made))
          await expect(page.locator('[data-frame]')).toHaveCount(0)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
          await expect(page.getByRole('main').getByText(/^Loading( segments…)?$/)).toHaveCount(0)
          await expectFits(page)
          await expectLines(page)
          await expectAccessible(page)
          await expectRings(page)
          await expect(rememberedInputs(page)).toHaveCount(0)
          await expect(announcing(page)).toHaveCount(1)
          // In between, each part has the layout of one of both, so only its room differs.
          if (width === 1440)
            for (const between of [1093, 1024, 768]) {
              await page.setViewportSize({ width: between, height: 900 })
              await expectFits(page)
              await expectLines(page)
            }
          await page.setViewportSize({ width, height: 900 })
        })
    })
