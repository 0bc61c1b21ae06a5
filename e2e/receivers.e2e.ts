import type { Locator, Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'

import { startReceiver, type TestReceiver } from '#server/testing/receiver.ts'
import { expect, expectAccessible, type Service, test } from './fixtures.ts'

/** A receiver and the webhook that sends to it. */
interface Subscribed {
  readonly id: string
  readonly secret: string
  readonly host: string
  readonly receiver: TestReceiver
}

// Webhooks to delete, because other journeys share the store and do not expect them.
const webhooks: Subscribed[] = []
test.afterEach(async ({ service }) => {
  for (const { id, receiver } of webhooks.splice(0)) {
    await service.delete(`/subscriptions/${id}`)
    await receiver.close()
  }
})

async function subscribe(service: Service, answer: TestReceiver['answer']): Promise<Subscribed> {
  const receiver = await startReceiver(answer)
  const made = await service.ask<{ id: string; secret: string }>('/subscriptions', {
    url: receiver.url,
    types: ['USER_CREATED'],
  })
  const subscribed = { ...made, receiver, host: new URL(receiver.url).host }
  webhooks.push(subscribed)
  return subscribed
}

const apology = 'The warehouse is closed until nine. '
const tornDown = {
  status: 500,
  headers: { 'content-type': 'text/plain', 'x-trace': 'warehouse-7', 'set-cookie': 'session=canary' },
  body: apology.repeat(200),
}

/** Finds the attempts listed in a webhook's part of the event panel, newest first. */
const triesOf = (part: Locator, { host }: Subscribed) =>
  part.getByRole('list', { name: `Delivery attempts to ${host}, newest first` }).getByRole('listitem')

async function newestEvent(service: Service, user: string): Promise<string> {
  const [event] = await service.get<{ id: string }[]>(`/events?order=desc&user=${user}`)
  return event?.id ?? ''
}

const webhooksPart = (page: Page) =>
  page.getByRole('dialog', { name: 'User created' }).getByRole('region', { name: 'Webhooks' })

test('one event at a receiver that recovers, one that hangs and one that is slow: each try says what was sent and answered', async ({
  page,
  signIn,
  service,
}) => {
  const unwell = [tornDown]
  const recovering = await subscribe(service, () => unwell.pop() ?? 204)
  const hung = ['silence' as const]
  const hanging = await subscribe(service, () => hung.pop() ?? 200)
  const answers = Promise.withResolvers<number>()
  const slow = await subscribe(service, () => answers.promise)
  const event = await newestEvent(service, await service.post('/users', { name: 'Sent' }))
  await Promise.all(
    webhooks.map(({ receiver }) => expect.poll(() => receiver.received.length).toBeGreaterThan(0)),
  )

  await signIn('integrator', `events/${event}`)
  const part = webhooksPart(page)
  // The test presses no button: the page has to update by itself.
  await expect(part.getByRole('listitem').filter({ hasText: slow.host })).toContainText('Sending…')
  answers.resolve(200)
  await expect(triesOf(part, slow)).toHaveText([/^Delivered Status 200.*Attempt 1,/])
  await expect(triesOf(part, recovering)).toHaveText([
    /^Delivered Status 204.*Attempt 2,/,
    /^Not accepted Status 500.*Attempt 1,/,
  ])
  await expect(triesOf(part, hanging)).toHaveText([
    /^Delivered Status 200.*Attempt 2,/,
    /^No response in time ?15 s.*Attempt 1,/,
  ])
  await expect(page.getByRole('dialog').getByText('Delivered at')).toBeVisible()

  const refused = triesOf(part, recovering).last()
  await refused.getByText('Request and response').press('Enter')
  await expect(refused).toContainText(`webhook-id${event}`)
  await expect(refused).toContainText('x-tracewarehouse-7')
  await expect(refused).not.toContainText('canary')
  await expect(refused.getByLabel('Response body')).toHaveText(tornDown.body.slice(0, 4096).trim())
  await expect(refused).toContainText('Only the beginning of the body is kept.')
  const givenUp = triesOf(part, hanging).last()
  await givenUp.getByText('Request and response').press('Enter')
  await expect(givenUp.getByRole('heading')).toHaveText(['Request'])
  await expectAccessible(page)

  // Every attempt, including failed ones, is signed as the webhook standard requires.
  for (const { secret, receiver } of webhooks)
    for (const { text, headers } of receiver.received)
      expect(() => new Webhook(secret).verify(text, headers as Record<string, string>)).not.toThrow()

  await part.getByRole('link', { name: recovering.host }).click()
  const health = page.getByRole('region', { name: 'Last 30 days' })
  await expect(health).toContainText('50% of 2 attempts succeeded.')
  await expect(health).toContainText(/Half of the responses came within \d.*, 95% within \d/)
  await health.getByText('As a table').press('Enter')
  await expect(health.getByRole('row')).toHaveText([/^Day \(UTC\) ?Delivered ?Failed$/, /11$/])
  await expectAccessible(page)
})

test('a colleague who may not manage webhooks reads how an event fared, but not what was sent and answered', async ({
  page,
  signIn,
  service,
}) => {
  const gone = await subscribe(service, () => ({ ...tornDown, status: 410 }))
  const event = await newestEvent(service, await service.post('/users', { name: 'Told to few' }))
  await expect.poll(() => gone.receiver.received.length).toBe(1)
  await signIn('steward', `events/${event}`)
  const tries = triesOf(webhooksPart(page), gone)
  await expect(tries).toHaveText([/^Not accepted Status 410/])
  await expect(tries.getByText('Request and response')).toHaveCount(0)
  await expect(page.locator('body')).not.toContainText('warehouse')
})
