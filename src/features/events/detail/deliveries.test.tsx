import { screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { startReceiver, type TestReceiver } from '#server/testing/receiver.ts'
import { startTestService, type TestService } from '#server/testing/service.ts'
import { network } from '../../../testing/network.ts'
import { renderApp } from '../../../testing/render-app.tsx'

let service: TestService
let receiver: TestReceiver
beforeAll(async () => {
  service = await startTestService({ allowLoopback: true, deliveries: true })
  receiver = await startReceiver()
})
beforeEach(async () => {
  receiver.received.length = 0
  receiver.answer = () => 200
  await service.reset()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

/** Response that refuses a delivery and puts off the next attempt until after the test. */
const refuse = () => ({ status: 500, headers: { 'retry-after': '3600' } })

async function subscribe(settings: object = {}): Promise<string> {
  const made = { url: receiver.url, ...settings }
  const { id }: { id: string } = (await service.call('admin', 'POST', '/subscriptions', made)).body
  return id
}

async function createUser(body: object = {}): Promise<Event[]> {
  await service.call('admin', 'POST', '/users', body)
  return (await service.call('admin', 'GET', '/events?order=desc')).body
}

/** Returns the webhooks section of the open event, once it is shown. */
async function webhooks() {
  return within(await screen.findByRole('region', { name: 'Webhooks' }))
}

/** State of a delivery, apart from its attempts, which say "Delivered" too. */
const state = { selector: '[data-delivery-state] *' }

const host = () => new URL(receiver.url).host

test('an event shows every attempt, and is sent again under its id until it arrives', async () => {
  receiver.answer = () => 500
  const id = await subscribe({ description: 'Billing' })
  const [event] = await createUser()
  await waitFor(() => expect(receiver.received).not.toHaveLength(0))
  const { user } = renderApp({ service, path: `/events/${event?.id}` })

  const part = await webhooks()
  expect(await part.findByRole('link', { name: host() })).toHaveAttribute('href', `/webhooks/${id}`)
  expect(await part.findByText('Billing')).toBeVisible()
  const attempts = within(
    await part.findByRole('list', { name: `Delivery attempts to ${host()}, newest first` }),
  )
  // On a busy machine the second attempt, after 5 s, may already have been made.
  expect(attempts.getAllByRole('listitem').at(-1)).toHaveTextContent(
    /^Not accepted Status 500.* ms.*Attempt 1, \w+ \d+, \d{4}, \d\d:\d\d/,
  )
  expect(await part.findByText(/^Waiting, next attempt/)).toBeVisible()
  expect(await screen.findAllByText(/^Waiting/)).not.toHaveLength(0)

  receiver.answer = () => 204
  await user.click(part.getByRole('button', { name: `Resend to ${host()}` }))
  expect(await screen.findByText('Resending the event to 1 webhook.')).toBeVisible()
  expect(await part.findByText('Delivered', state)).toBeVisible()
  await waitFor(() =>
    expect(attempts.getAllByRole('listitem')[0]).toHaveTextContent(/^Delivered Status 204.*Attempt \d/),
  )
  expect(attempts.getAllByRole('listitem').at(-1)).toHaveTextContent(/^Not accepted Status 500.*Attempt 1/)
  expect(new Set(receiver.received.map((request) => request.id))).toEqual(new Set([event?.id]))
  // The event is refetched after its deliveries.
  expect(await screen.findByText('Delivered at')).toBeVisible()
})

test('an attempt tells what was sent and answered, to those who manage webhooks', async () => {
  receiver.answer = () => ({
    ...refuse(),
    headers: { ...refuse().headers, 'content-type': 'text/plain', 'set-cookie': 'sid=crumb' },
    body: 'no such tenant',
  })
  await subscribe()
  const [event] = await createUser()
  await waitFor(() => expect(receiver.received).toHaveLength(1))
  const { user, unmount } = renderApp({ service, path: `/events/${event?.id}`, role: 'integrator' })
  const part = await webhooks()
  await user.click(await part.findByText('Request and response'))
  const detail = within(part.getByRole('group'))
  expect(detail.getByText('webhook-id').nextSibling).toHaveTextContent(event?.id ?? '')
  expect(detail.getByText('text/plain')).toBeVisible()
  expect(detail.getByText('no such tenant')).toBeVisible()
  expect(document.body).not.toHaveTextContent('crumb')
  unmount()

  renderApp({ service, path: `/events/${event?.id}`, role: 'support' })
  expect(await (await webhooks()).findByText(/^Not accepted/)).toBeVisible()
  expect(screen.queryByText('Request and response')).toBeNull()
  expect(document.body).not.toHaveTextContent('no such tenant')
})

test('an event from before a webhook can be sent to it, or to all of them at once', async () => {
  const [event] = await createUser()
  await subscribe()
  const second = await subscribe({ url: `${receiver.url}/second` })
  await subscribe({ url: `${receiver.url}/other`, types: ['USER_DELETED'] })
  const { user } = renderApp({ service, path: `/events/${event?.id}` })

  const part = await webhooks()
  expect(await part.findAllByText('Not sent')).toHaveLength(2)
  const [, recover] = part.getAllByRole('link', {
    name: 'Resend everything this webhook missed since this event',
  })
  expect(recover).toHaveAttribute(
    'href',
    `/webhooks/${second}/recover?since=${encodeURIComponent(event?.eventtime ?? '')}`,
  )
  await user.click(part.getByRole('button', { name: 'Resend to all' }))
  await waitFor(() => expect(part.getAllByText('Delivered', state)).toHaveLength(2))
  expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/hooks', '/hooks/second'])
})

test('an event that is for no webhook says so', async () => {
  const [event] = await createUser()
  renderApp({ service, path: `/events/${event?.id}` })
  expect(await (await webhooks()).findByText('No webhook was listening for this event.')).toBeVisible()
})

test('a delivery for a paused webhook waits, and the page says why it is not sent', async () => {
  receiver.answer = refuse
  const id = await subscribe()
  const [event] = await createUser()
  await waitFor(() => expect(receiver.received).toHaveLength(1))
  await service.call('admin', 'PATCH', `/subscriptions/${id}`, { enabled: false })
  const { user } = renderApp({ service, path: `/events/${event?.id}` })

  const part = await webhooks()
  expect(await part.findByText('Waiting until the webhook is resumed')).toBeVisible()
  const resend = part.getByRole('button', { name: `Resend to ${host()}` })
  expect(resend).toHaveAttribute('data-hint', expect.stringContaining('Resume it first'))
  await user.click(resend)
  expect(receiver.received).toHaveLength(1)
})

test('a webhook that was paused meanwhile refuses, and the page says so', async () => {
  const id = await subscribe()
  const [event] = await createUser()
  const { user } = renderApp({ service, path: `/events/${event?.id}` })
  const part = await webhooks()
  const resend = await part.findByRole('button', { name: `Resend to ${host()}` })
  await part.findByText('Delivered', state)
  await service.call('admin', 'PATCH', `/subscriptions/${id}`, { enabled: false })
  await user.click(resend)
  expect(
    await screen.findByText(/^Couldn’t resend the event\. This subscription is not enabled/),
  ).toBeVisible()
})

test('a person who may not manage webhooks sees how the event fared, and why it cannot be sent again', async () => {
  await subscribe({ url: `${receiver.url}?token=secret` })
  const [event] = await createUser()
  await waitFor(() => expect(receiver.received).toHaveLength(1))
  renderApp({ service, path: `/events/${event?.id}`, role: 'support' })
  const part = await webhooks()
  expect(await part.findByText('Delivered', state)).toBeVisible()
  expect(part.queryByRole('link')).not.toBeInTheDocument()
  expect(part.getByRole('button', { name: `Resend to ${host()}` })).toHaveAttribute(
    'data-hint',
    'Your role can’t see or change webhooks.',
  )
  expect(document.body).not.toHaveTextContent('secret')
})

test('deliveries that cannot be read leave the event, and are read again', async () => {
  await subscribe()
  const [event] = await createUser()
  let isBroken = true
  const { fetch } = network(service, ({ url }) =>
    isBroken && url.endsWith('/attempts')
      ? Response.json({ title: 'Broken', instance: 'r-1' }, { status: 500 })
      : undefined,
  )
  const { user } = renderApp({ service: { ...service, fetch }, path: `/events/${event?.id}` })
  const failure = await screen.findByRole('alert')
  expect(failure).toHaveTextContent('Couldn’t load the deliveries')
  expect(failure).toHaveTextContent('r-1')
  expect(screen.getByText('USER_CREATED', { selector: 'dd *' })).toBeVisible()
  isBroken = false
  await user.click(within(failure).getByRole('button', { name: 'Try again' }))
  expect(await (await webhooks()).findByText('Delivered', state)).toBeVisible()
})

test('an event shows what its write changed, without sensitive values', async () => {
  const iban = { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE89' }
  const city = { key: 'city', type: 'TEXT', sensitive: false, value: 'Lyon' }
  const [added] = await createUser({ properties: [iban, city] })
  const { user: userId, entity } = added?.properties ?? {}
  const paris = { type: 'person', properties: [{ ...city, value: 'Paris' }] }
  await service.call('admin', 'PATCH', `/users/${String(userId)}/entities/${String(entity)}`, paris)
  const [changed]: Event[] = (await service.call('admin', 'GET', '/events?order=desc')).body

  const { router } = renderApp({ service, path: `/events/${changed?.id}` })
  expect(await screen.findByRole('row', { name: 'City Lyon Paris' })).toBeVisible()
  await router.navigate(`/events/${added?.id}`)
  expect(await screen.findByRole('row', { name: 'IBAN Sensitive Sensitive value added' })).toBeVisible()
  expect(document.body).not.toHaveTextContent('DE89')
})

test('an event says properties, values and types of entities as their definitions do', async () => {
  const choices = [
    { value: 'de', label: { en: 'German' } },
    { value: 'fr', label: { en: 'French' } },
  ]
  const language = { label: { en: 'Mother tongue' }, type: 'TEXT', choices }
  await service.call('steward', 'PUT', '/definitions/guest', { label: { en: 'Visitor' } })
  await service.call('steward', 'PUT', '/definitions/guest/language', language)
  const property = { key: 'language', type: 'TEXT', sensitive: false, value: 'de' }
  const [added] = await createUser({ properties: [property] })
  const { user: userId, entity } = added?.properties ?? {}
  const guest = { type: 'guest', properties: [{ ...property, value: 'fr' }] }
  await service.call('admin', 'PATCH', `/users/${String(userId)}/entities/${String(entity)}`, guest)
  const [changed]: Event[] = (await service.call('admin', 'GET', '/events?order=desc')).body

  renderApp({ service, path: `/events/${changed?.id}` })
  expect(await screen.findByRole('row', { name: 'Mother tongue German French' })).toBeVisible()
  expect(screen.getByRole('row', { name: 'Entity type Person Visitor' })).toBeVisible()
})

test('an event says that a property is sensitive from then on, or no longer', async () => {
  const city = { key: 'city', type: 'TEXT', value: 'Lyon' }
  const [added] = await createUser({ properties: [{ ...city, sensitive: false }] })
  const { user: userId, entity } = added?.properties ?? {}
  const mark = async (sensitive: boolean) => {
    const body = { type: 'person', properties: [{ ...city, sensitive }] }
    await service.call('steward', 'PATCH', `/users/${String(userId)}/entities/${String(entity)}`, body)
    const [event]: Event[] = (await service.call('admin', 'GET', '/events?order=desc')).body
    return `/events/${event?.id}`
  }
  const [sealed, plain] = [await mark(true), await mark(false)]
  const { unmount } = renderApp({ service, path: sealed })
  expect(await screen.findByRole('row', { name: /^City / })).toHaveTextContent('now sensitive')
  unmount()
  renderApp({ service, path: plain })
  expect(await screen.findByRole('row', { name: /^City / })).toHaveTextContent('no longer sensitive')
})

test('a person who may not see users is told why the changes are not there', async () => {
  const [event] = await createUser()
  renderApp({ service, path: `/events/${event?.id}`, role: 'integrator' })
  const part = within(await screen.findByRole('region', { name: 'What changed' }))
  expect(await part.findByText('Your role can’t see users.')).toBeVisible()
})

test('a test leads to the webhook that it tested', async () => {
  const id = await subscribe()
  const { event }: { event: string } = (await service.call('admin', 'POST', `/subscriptions/${id}/test`, {}))
    .body
  renderApp({ service, path: `/events/${event}`, role: 'integrator' })
  const detail = within(await screen.findByRole('dialog', { name: 'Webhook tested' }))
  expect(await detail.findByRole('link', { name: id })).toHaveAttribute('href', `/webhooks/${id}`)
  expect(await (await webhooks()).findByText('Delivered', state)).toBeVisible()
})

test('a service that offers no webhooks shows the event, and that it is not delivered, no more', async () => {
  const [event] = await createUser()
  renderApp({ service: { ...service, features: {} }, path: `/events/${event?.id}` })
  const detail = within(await screen.findByRole('dialog', { name: 'User created' }))
  expect(detail.getByText('Not delivered')).toBeVisible()
  const sections = detail.getAllByRole('region').map((each) => each.getAttribute('aria-label'))
  expect(sections).toEqual(['Properties', 'JSON'])
})
