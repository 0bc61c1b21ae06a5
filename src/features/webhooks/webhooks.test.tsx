import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'

import type { Subscription } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { startReceiver, type TestReceiver } from '#server/testing/receiver.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService({ allowLoopback: true, deliveries: true })
let receiver: TestReceiver
beforeEach(async () => {
  await service.reset()
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const link = (name: string | RegExp) => screen.findByRole('link', { name })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const field = (name: string) => screen.findByRole('textbox', { name })
const hostOf = (url: string) => new URL(url).host

async function createSubscription(
  body: object = { url: receiver.url },
): Promise<{ id: string; secret: string }> {
  const answer = await service.call('admin', 'POST', '/subscriptions', body)
  expect(answer.status).toBe(200)
  return answer.body
}

async function readSubscriptions(): Promise<Subscription[]> {
  return (await service.call('admin', 'GET', '/subscriptions')).body
}

async function createUser(name: string) {
  expect((await service.call('admin', 'POST', '/users', { name })).status).toBe(201)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('a webhook is created, and the code that is shown with its secret verifies what it sends', async () => {
  const { user, queryClient } = renderApp({ service, path: '/webhooks', role: 'integrator' })
  expect(await screen.findByText('No webhooks yet')).toBeVisible()
  await user.click(await link('New webhook'))
  await user.click(await screen.findByRole('radio', { name: 'Only these' }))
  await user.click(await button('Create webhook'))
  expect(await screen.findByText('Choose at least one event type.')).toBeVisible()
  const address = await field('Address')
  expect(address).toHaveAccessibleDescription(/Enter the whole address/)
  expect(address).toHaveFocus()

  await user.click(screen.getByLabelText(/User created/))
  await user.click(screen.getByLabelText(/Segment deleted/))
  await user.type(address, 'https://10.1.2.3/')
  await user.type(await field('Description'), 'Warehouse')
  await user.click(await button('Create webhook'))
  await waitFor(() => expect(address).toHaveAccessibleDescription(/private network/))
  expect(address).toHaveFocus()
  expect(address).toHaveValue('https://10.1.2.3/')
  const port = await freePort()
  await user.clear(address)
  await user.type(address, `http://localhost:${port}/`)
  await user.click(await button('Create webhook'))

  await heading(`localhost:${port} created`)
  const secret = screen.getByLabelText('Signing secret').textContent
  expect(secret).toMatch(/^whsec_/)
  expect(await readSubscriptions()).toMatchObject([
    { description: 'Warehouse', types: ['USER_CREATED', 'SEGMENT_DELETED'], enabled: true },
  ])
  const caches = [queryClient.getQueryCache(), queryClient.getMutationCache()]
  expect(JSON.stringify(caches.map((cache) => cache.getAll().map(({ state }) => state)))).not.toContain(
    secret,
  )

  const program = spawn(
    process.execPath,
    ['--input-type=module', '-e', document.querySelector('pre code')?.textContent ?? ''],
    { env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) } },
  )
  let printed = ''
  program.stdout.on('data', (chunk) => (printed += String(chunk)))
  program.stderr.on('data', (chunk) => (printed += String(chunk)))
  try {
    // Leaving asks first, because the secret cannot be shown again.
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Webhooks' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stay here' }))
    await user.click(await button('I’ve stored the secret'))
    await heading(`localhost:${port}`)
    expect(screen.queryByText(secret)).not.toBeInTheDocument()
    await waitFor(() => fetch(`http://localhost:${port}/`))
    await user.click(await button('Send test'))
    expect(await screen.findByText('The test was delivered')).toBeVisible()
    await waitFor(() => expect(printed).toContain('WEBHOOK_TEST'))
    expect((await fetch(`http://localhost:${port}/`, { method: 'POST', body: '{}' })).status).toBe(401)
  } finally {
    program.kill()
  }
})

test('a secret is replaced: for as long as asked both sign, then the new one alone', async () => {
  const { id, secret } = await createSubscription()
  const { user } = renderApp({ service, path: `/webhooks/${id}` })
  const rotate = async (hours: string) => {
    await user.click(await button('Replace secret'))
    const typed = await field('Hours to keep the old secret working')
    await user.clear(typed)
    await user.type(typed, hours)
    await user.click(await button('Create new secret'))
  }
  const readSecret = async () => {
    const made = (await screen.findByLabelText('Signing secret')).textContent
    await user.click(await button('I’ve stored the secret'))
    expect(screen.queryByText(made)).not.toBeInTheDocument()
    return made
  }
  /** Returns for each secret whether the next delivery is signed with it. */
  const verifies = async (...secrets: readonly string[]) => {
    const before = receiver.received.length
    await user.click(await button('Send test'))
    await waitFor(() => expect(receiver.received).toHaveLength(before + 1))
    const { text, headers } = receiver.received[before] ?? { text: '', headers: {} }
    await user.click(await button('Dismiss'))
    return secrets.map((each) => {
      try {
        return Boolean(new Webhook(each).verify(text, headers as Record<string, string>))
      } catch {
        return false
      }
    })
  }

  await rotate('200')
  expect(await screen.findByText('Enter a number from 0 to 168.')).toBeVisible()
  await user.click(await button('Cancel'))
  await rotate('24')
  const second = await readSecret()
  expect(await screen.findByText('Old secret works until')).toBeVisible()
  expect(await verifies(secret, second)).toEqual([true, true])
  await rotate('0')
  const third = await readSecret()
  expect(await verifies(secret, second, third)).toEqual([false, false, true])
})

test('paused, events are not sent; resumed, those of the gap are offered, counted and sent', async () => {
  const { id } = await createSubscription()
  const { user, router } = renderApp({ service, path: `/webhooks/${id}` })
  await createUser('Before')
  await waitFor(() => expect(receiver.received).toHaveLength(1))
  await user.click(await button('Pause'))
  await user.click(await button('Pause webhook'))
  expect(await button('Resume')).toBeVisible()
  await createUser('One')
  await createUser('Two')
  // A test is sent to a paused webhook, too.
  await user.click(await button('Send test'))
  expect(await screen.findByText('The test was delivered')).toBeVisible()
  expect(receiver.received).toHaveLength(2)

  await user.click(await button('Resume'))
  expect(await screen.findByText('2 events were missed')).toBeVisible()
  await user.click(await link('Resend them'))
  await heading('Resend missed events')
  await waitFor(() => expect(router.state.location.search).toMatch(/^\?since=/))
  expect(await screen.findByText('2 events would be resent.')).toBeVisible()
  const until = await field('Until')
  await user.clear(until)
  await user.type(until, '2001-01-01T00:00:00Z')
  expect(await screen.findByText('Enter an end after the start.')).toBeVisible()
  expect(await button('Resend events')).toHaveAttribute('aria-disabled', 'true')
  await user.clear(until)
  await user.click(await button('Resend 2 events'))
  expect(await screen.findByText('No events are waiting.')).toBeVisible()
  expect(screen.getByText('2 of 2 resent')).toBeVisible()
  expect(receiver.received).toHaveLength(4)
  await user.click(await button('Choose another period'))
  expect(await screen.findByText('This webhook missed nothing in this period.')).toBeVisible()
})

test('below the number of waiting events is since when the oldest waits, once it is a minute', async () => {
  const at = (agoMs: number) => new Date(Date.now() - agoMs).toISOString()
  await createSubscription()
  const edge = network(service, async (request, onward) => {
    if (!request.url.endsWith('/subscriptions')) return undefined
    const [stored] = (await (await onward()).json()) as Subscription[]
    return Response.json([
      { ...stored, url: 'https://short.example.org', waiting: 2, waitingSince: at(5_000) },
      {
        ...stored,
        id: crypto.randomUUID(),
        url: 'https://long.example.org',
        waiting: 3,
        waitingSince: at(330_000),
      },
    ])
  })
  renderApp({ service: { ...service, fetch: edge.fetch }, path: '/webhooks' })
  const long = (await link(/^long/)).closest('tr')
  expect(long).toHaveTextContent(/3\s*oldest 5m ago/)
  expect((await link(/^short/)).closest('tr')).not.toHaveTextContent(/oldest|now/)
})

test('why it was stopped is said in words, and nothing is sent before it is resumed', async () => {
  receiver.answer = () => 410
  const { id } = await createSubscription()
  await createSubscription({ url: 'https://example.org/', enabled: false })
  await createUser('Nobody')
  await waitFor(async () =>
    expect((await readSubscriptions())[0]?.disabled).toMatchObject({ reason: 'gone' }),
  )
  const { user, unmount } = renderApp({ service, path: `/webhooks/${id}` })
  expect(await screen.findByText('Stopped: the receiver wants no more events')).toBeVisible()
  expect(await screen.findByText('Status 410')).toBeVisible()
  await user.click(await link('Resend missed events'))
  expect(await screen.findByText(/Resume the webhook first/)).toBeVisible()
  expect(await button('Resend 1 event')).toHaveAttribute('aria-disabled', 'true')
  unmount()

  await sql`update subscriptions set disabled_reason = 'exhausted' where id = ${id}::uuid`.execute(
    service.database.sql,
  )
  const exhausted = renderApp({ service, path: `/webhooks/${id}` })
  expect(await screen.findByText('Stopped: the receiver kept failing')).toBeVisible()
  exhausted.unmount()
  await sql`update subscriptions set disabled_reason = 'unpaid' where id = ${id}::uuid`.execute(
    service.database.sql,
  )
  const unknown = renderApp({ service, path: `/webhooks/${id}` })
  expect(await screen.findByText('Stopped: unpaid')).toBeVisible()
  unknown.unmount()

  renderApp({ service, path: '/webhooks' })
  const rows = within(await screen.findByRole('table', { name: 'Webhooks' })).getAllByRole('row')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Address'),
    expect.stringMatching(/127\.0\.0\.1.*Stopped: unpaid · since \w+ \d+, \d{4}, \d\d:\d\d/),
    expect.stringMatching(/example\.org.*Paused/),
  ])
})

test('missed events can be recovered while the list of recent attempts cannot be read', async () => {
  const { id } = await createSubscription()
  await createUser('One')
  await waitFor(async () => expect((await readSubscriptions())[0]?.lastSuccess).toBeTruthy())
  const { fetch } = network(service, ({ url }) =>
    url.includes('/attempts') ? new Response('<html>', { status: 500 }) : undefined,
  )
  renderApp({ service: { ...service, fetch }, path: `/webhooks/${id}/recover` })
  await heading('Resend missed events')
  expect(await screen.findByText('This webhook missed nothing in this period.')).toBeVisible()
})

test('how a webhook fared is drawn day by day, said in a sentence, and told as a table', async () => {
  const statuses = [200, 410]
  receiver.answer = () => statuses.shift() ?? 200
  const { id } = await createSubscription()
  await createUser('One')
  await waitFor(() => expect(receiver.received).toHaveLength(1))
  await createUser('Two')
  await waitFor(async () => expect((await readSubscriptions())[0]?.lastFailure).toBeTruthy())
  const { user } = renderApp({ service, path: `/webhooks/${id}`, role: 'integrator' })
  const health = within(await screen.findByRole('region', { name: 'Last 30 days' }))
  expect(await health.findByText('50% of 2 attempts succeeded.')).toBeVisible()
  expect(health.getByText(/^Half of the responses came within \d/)).toBeVisible()
  await user.click(health.getByText('As a table'))
  const [, today] = within(health.getByRole('table')).getAllByRole('row')
  expect(today).toHaveTextContent(/\d{4}11$/)
})

test('attempts are narrowed to those that arrived or failed, and the log to what became of the events', async () => {
  const statuses = [200, 410]
  receiver.answer = () => statuses.shift() ?? 200
  const { id } = await createSubscription({ url: receiver.url, types: ['USER_CREATED'] })
  await createUser('One')
  await waitFor(() => expect(receiver.received).toHaveLength(1))
  const { user, router } = renderApp({ service, path: `/webhooks/${id}`, role: 'integrator' })
  const outcomes = async () =>
    within(await screen.findByRole('table', { name: 'Recent delivery attempts' }))
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => /Delivered|Not accepted/.exec(textContent)?.[0])
  await waitFor(async () => expect(await outcomes()).toEqual(['Delivered']))
  expect(screen.queryByRole('radiogroup')).not.toBeInTheDocument()
  await createUser('Two')
  const choice = within(await screen.findByRole('radiogroup', { name: 'Outcome' }))
  expect(await outcomes()).toEqual(['Not accepted', 'Delivered'])
  await user.click(choice.getByRole('radio', { name: 'Failed' }))
  expect(await outcomes()).toEqual(['Not accepted'])
  await user.click(choice.getByRole('radio', { name: 'Delivered' }))
  expect(await outcomes()).toEqual(['Delivered'])

  await user.click(await link('Waiting'))
  expect(await screen.findByRole('button', { name: 'Remove filter: Waiting' })).toBeVisible()
  expect(router.state.location.search).toBe('?type=USER_CREATED&delivery=waiting')
})

test('an edit sends what it changed and nothing else; a deletion is typed', async () => {
  const { id } = await createSubscription({ url: receiver.url, types: ['USER_CREATED'], description: 'Old' })
  const { user } = renderApp({ service, path: `/webhooks/${id}/edit` })
  await user.click(await screen.findByRole('radio', { name: /All events/ }))
  await service.call('admin', 'PATCH', `/subscriptions/${id}`, { description: 'Of somebody else' })
  await user.click(await button('Save webhook'))
  await heading(hostOf(receiver.url))
  expect(await screen.findByText('Of somebody else')).toBeVisible()
  const [subscription] = await readSubscriptions()
  expect(subscription).not.toHaveProperty('types')

  await user.click(await button('Delete'))
  const dialog = within(await screen.findByRole('dialog'))
  const remove = dialog.getByRole('button', { name: 'Delete webhook' })
  expect(remove).toBeDisabled()
  await user.type(dialog.getByRole('textbox'), hostOf(receiver.url))
  await user.click(remove)
  expect(await screen.findByText('No webhooks yet')).toBeVisible()
  expect(await readSubscriptions()).toEqual([])
})

test('a lost answer is not taken for a failure, and what was typed stays', async () => {
  const { id } = await createSubscription()
  const { fetch } = network(service, async ({ method }, onward) => {
    const response = await onward()
    if (method === 'POST') throw new TypeError('Connection reset')
    return response
  })
  const { user, unmount } = renderApp({ service: { ...service, fetch }, path: `/webhooks/${id}` })
  await user.click(await button('Replace secret'))
  await user.click(await button('Create new secret'))
  expect(await screen.findByText('The secret may have been replaced')).toBeVisible()
  unmount()

  const again = renderApp({ service: { ...service, fetch }, path: '/webhooks/new' })
  await again.user.type(await field('Address'), 'https://example.org/hooks')
  await again.user.click(await button('Create webhook'))
  expect(await screen.findByText('The webhook may have been created')).toBeVisible()
  expect(await field('Address')).toHaveValue('https://example.org/hooks')
})

test('a person who may not manage webhooks is told so', async () => {
  const { user } = renderApp({ service, path: '/segments', role: 'support' })
  const entry = await link('Webhooks')
  expect(entry).toHaveAttribute('aria-disabled', 'true')
  expect(entry).toHaveAttribute('data-hint', 'Your role can’t see or change webhooks.')
  await user.click(entry)
  // Waits for the page's heading, which replaces the skeleton's.
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Segments' })).toBeVisible())
})

test('a service of the bare document has no webhooks', async () => {
  const bare = { ...service, features: {} }
  renderApp({ service: bare, path: '/webhooks' })
  expect(await heading('Page not found')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Webhooks' })).not.toBeInTheDocument()
})
