import { startReceiver, type TestReceiver } from '#server/testing/receiver.ts'
import { expectFits } from './fits.ts'
import { expect, expectAccessible, type Service, test } from './fixtures.ts'

let receiver: TestReceiver
test.beforeAll(async () => {
  receiver = await startReceiver()
})
test.afterAll(() => receiver.close())

// Webhooks to delete, because other journeys share the store and do not expect them.
const webhooks: string[] = []
test.afterEach(async ({ service }) => {
  for (const id of webhooks.splice(0)) await service.delete(`/subscriptions/${id}`)
})

async function subscribe(service: Service, settings: object): Promise<string> {
  const { id } = await service.ask<{ id: string }>('/subscriptions', { url: receiver.url, ...settings })
  webhooks.push(id)
  return id
}

test('an event that a receiver refused is resent from its detail, and arrives', async ({
  page,
  signIn,
  service,
}) => {
  receiver.answer = () => 500
  const description = 'Billing of the northern branches and of those overseas'
  const webhook = await subscribe(service, { types: ['USER_CREATED'], description })
  const user = await service.post('/users', { name: 'Delivered' })
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0)

  await signIn('integrator', 'events?type=USER_CREATED')
  await page
    .getByRole('table', { name: 'Events' })
    .getByRole('link', { name: 'User created' })
    .first()
    .click()
  const detail = page.getByRole('dialog', { name: 'User created' })
  await expect(detail).toContainText(user)
  const part = detail.getByRole('region', { name: 'Webhooks' })
  const host = new URL(receiver.url).host
  await expect(part.getByRole('link', { name: host })).toHaveAttribute(
    'href',
    new RegExp(`/webhooks/${webhook}$`),
  )
  const attempts = part
    .getByRole('list', { name: `Delivery attempts to ${host}, newest first` })
    .getByRole('listitem')
  await expect(attempts.first()).toContainText(/Not accepted Status 500.* ms/)
  await expect(part).toContainText('Waiting, next attempt')
  const list = page.getByRole('table', { name: 'Events' })
  await expect(list.locator('tr[data-selected]')).toContainText('Waiting')
  await test.step('buttons and states are whole in a narrow panel', async () => {
    for (const width of [390, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await expectFits(page)
    }
  })

  receiver.answer = () => 204
  await part.getByRole('button', { name: `Resend to ${host}` }).press('Enter')
  await expect(attempts.first()).toContainText('Delivered Status 204')
  await expect(detail.getByText('Delivered at')).toBeVisible()
  await expect(part).not.toContainText('Waiting')
  // The row is reloaded together with the other rows of its page.
  await expect(list.locator('tr[data-selected]')).toContainText('Delivered')
  const [first, ...again] = receiver.received
  expect(again.length).toBeGreaterThan(0)
  for (const request of again) {
    expect(request.id).toBe(first?.id)
    expect(request.text).toBe(first?.text)
  }
})

test('a colleague who may not manage webhooks reads the attempts, and is told why they cannot resend', async ({
  page,
  signIn,
  service,
}) => {
  receiver.answer = () => 200
  await subscribe(service, { url: `${receiver.url}?token=hidden`, types: ['USER_UPDATED'] })
  const user = await service.post('/users', { name: 'Before' })
  await service.patch(`/users/${user}`, { name: 'After' })
  const [event] = await service.get<{ id: string }[]>(`/events?order=desc&user=${user}`)
  await expect.poll(() => receiver.received.some(({ id }) => id === event?.id)).toBe(true)

  await signIn('support', `events/${event?.id ?? ''}`)
  const detail = page.getByRole('dialog', { name: 'User changed' })
  await expect(detail.getByRole('row', { name: 'Name Before After' })).toBeVisible()
  const part = detail.getByRole('region', { name: 'Webhooks' })
  await expect(part).toContainText('Delivered Status 200')
  await part.getByRole('button', { name: /^Resend to/ }).focus()
  await expect(page.getByRole('tooltip')).toHaveText('Your role can’t see or change webhooks.')
  await expect(page.locator('body')).not.toContainText('hidden')
})

test('bars over time are filters, for pointer and keyboard, and a table for who cannot see them', async ({
  page,
  signIn,
  service,
}) => {
  // Enough events for a separate bar, since the rarest types share one.
  await Promise.all(Array.from({ length: 15 }, () => service.post('/users', { name: 'Charted' })))
  await page.setViewportSize({ width: 1280, height: 960 })
  await signIn('admin', 'events')
  const charts = page.getByRole('region', { name: 'Events over time' })
  const bars = charts.getByRole('group', { name: 'Events by type' }).getByRole('button')
  // The bar must be drawn, not just named: its graphic is in the same place as its button.
  await expect(charts.locator('span[style*="height"]').first()).toBeVisible()
  await expectAccessible(page)

  await bars.last().focus()
  await page.keyboard.press('ArrowLeft')
  const before = page.locator(':focus')
  await expect(page.getByRole('tooltip')).toContainText('Click to show only these events')
  const said = (await before.getAttribute('aria-label')) ?? ''
  const count = Number(/, ([\d,]+) events?,/.exec(said)?.[1]?.replace(',', ''))
  expect(count).toBeGreaterThan(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=.*&to=/)

  const clear = page.getByRole('button', { name: 'Clear all' })
  await expect(clear).toBeVisible()
  await page.goBack()
  await expect(clear).toBeHidden()
  await charts.getByRole('button', { name: 'User created', exact: true }).click()
  await expect(page).toHaveURL(/type=USER_CREATED/)
  await charts.getByRole('button', { name: 'As a table' }).click()
  await expect(charts.getByRole('table').getByRole('columnheader', { name: 'User created' })).toBeVisible()
  await expectAccessible(page)
})

test('bars that are dragged over are the time span of the filter; of all events, not of those in the list', async ({
  page,
  signIn,
  service,
}) => {
  await service.post('/users', { name: 'Zoomed' })
  await page.setViewportSize({ width: 1280, height: 960 })
  await signIn('integrator', 'events')
  const charts = page.getByRole('region', { name: 'Events over time' })
  await charts.getByRole('button', { name: 'By delivery' }).click()
  const plot = charts.getByRole('group', { name: 'Events by delivery' })
  const bars = plot.getByRole('button')
  await expect(charts.locator('[data-state="none"][style*="height"]').first()).toBeVisible()
  const whole = charts.getByText(/^[\d,]+ events, /)
  const before = await whole.textContent()
  // The charts cover the thirty days of the sample, while the list has loaded only a hundred events.
  expect(Number(/^[\d,]+/.exec(before ?? '')?.[0].replace(',', ''))).toBeGreaterThan(100)
  expect(await bars.count()).toBeGreaterThan(20)

  const count = await bars.count()
  const first = await bars.nth(Math.floor(count / 3)).boundingBox()
  const last = await bars.nth(Math.floor((2 * count) / 3)).boundingBox()
  if (!first || !last) throw new Error('There are no bars.')
  await page.mouse.move(first.x + first.width / 2, first.y + 20)
  await page.mouse.down()
  await page.mouse.move(last.x + last.width / 2, last.y + 20, { steps: 5 })
  await expect(charts.getByText(/: [\d,]+ events?$/)).toBeVisible()
  await page.mouse.up()
  await expect(page).toHaveURL(/from=.*&to=/)
  const zoomed = page.url()
  const from = page.getByText(/^From \d/)
  const zoomedFrom = (await from.textContent()) ?? ''
  const out = charts.getByRole('button', { name: 'Zoom out' })
  await expect(out).toBeFocused()

  // Narrows it further with the keyboard; Back leads to the wider span, and the button to all of the log.
  await expect(bars.last()).toBeEnabled()
  await bars.last().focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(zoomed)
  await expect(from).not.toHaveText(zoomedFrom)
  await page.goBack()
  await expect(page).toHaveURL(zoomed)
  await expect(from).toHaveText(zoomedFrom)
  await out.click()
  await expect(page).toHaveURL(/events$/)
  await expect(whole).toHaveText(before ?? '')

  await charts.getByRole('button', { name: '12 months' }).click()
  await expect(charts.getByRole('button', { name: '12 months', pressed: true })).toBeVisible()
  await expect(whole).not.toHaveText(before ?? '')
  await charts.getByRole('button', { name: 'As a table' }).click()
  const table = charts.getByRole('table')
  await expect(table.getByRole('columnheader', { name: 'No webhook' })).toBeVisible()
  await table.getByRole('rowheader').first().getByRole('button').hover()
  await expect(page.getByRole('tooltip')).toHaveText(/^\d{4}-\d\d-\d\dT00:00:00\.000Z – /)
  await expectAccessible(page)
})
