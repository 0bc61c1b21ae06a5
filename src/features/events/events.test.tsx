import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Event } from '#contract/index.ts'
import { startTestService, type TestService } from '#server/testing/service.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const full = await startTestService()
const service = full
beforeEach(async () => {
  // jsdom computes no layout: simulate a viewport of 20 rows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(720)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200)
  await full.reset()
})
afterAll(() => full.close())

async function createUsersOn(service: TestService, count: number) {
  for (let index = 0; index < count; index += 1) await service.call('admin', 'POST', '/users', {})
}
const createUsers = (count: number) => createUsersOn(full, count)

async function addEvents({ database }: TestService, count: number, type = 'USER_CREATED') {
  await sql`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), now() at time zone 'UTC' + n * interval '1 millisecond', ${type}, '{}'
    from generate_series(1, ${count}::int) n`.execute(database.sql)
}

/** Hides and shows the document, as switching tabs does. */
function comeBack() {
  for (const state of ['hidden', 'visible'] as const) {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    act(() => void document.dispatchEvent(new window.Event('visibilitychange')))
  }
}

async function eventsOf(service: TestService, offset: number): Promise<Event[]> {
  return (await service.call('admin', 'GET', `/events?offset=${offset}`)).body
}
const eventsFrom = (offset: number) => eventsOf(full, offset)

/** Spaces all events one minute apart. */
async function spaceEvents({ database }: TestService) {
  await sql`update events set eventtime = timestamp '2024-03-01' + seq * interval '1 minute'`.execute(
    database.sql,
  )
  await sql`update event_blocks set first_time = '2024-03-01', last_time = '2024-03-02'`.execute(database.sql)
}

/** Returns the ids of the events in the list, in list order. */
async function shownIds() {
  const table = await screen.findByRole('table', { name: 'Events' })
  return [...table.querySelectorAll('tr[data-id]')].map((row) => row.getAttribute('data-id'))
}

const ids = (events: readonly Event[]) => events.map(({ id }) => id as string)

const scrolled = async (top: number) => {
  const scroller = (await screen.findByRole('table', { name: 'Events' })).parentElement as HTMLElement
  scroller.scrollTop = top
  fireEvent.scroll(scroller)
}

describe.each([
  ['a service with all additions', 'all'],
  ['a service with none', 'none'],
] as const)('on %s', (_, additions) => {
  let service: TestService
  beforeAll(async () => {
    service = additions === 'all' ? full : await startTestService({ additions })
  })
  beforeEach(() => service.reset())
  afterAll(async () => {
    if (service !== full) await service.close()
  })
  const createUsers = (count: number) => createUsersOn(service, count)
  const eventsFrom = (offset: number) => eventsOf(service, offset)

  test('events are listed newest first, and older ones load as they are scrolled to, down to the first', async () => {
    await addEvents(service, 257)
    const all = [...(await eventsFrom(0)), ...(await eventsFrom(100)), ...(await eventsFrom(200))]
    const newestFirst = ids(all).toReversed()
    renderApp({ service, path: '/events' })
    const first = await shownIds()
    expect(first.length).toBeGreaterThan(15)
    expect(first).toEqual(newestFirst.slice(0, first.length))
    const scope = additions === 'all' ? 'Newest 100 events' : 'Newest 100 of 257 events'
    expect(screen.getByText(scope, { exact: false })).toBeVisible()

    await scrolled(80 * 36)
    await screen.findByText(/^Newest 200 /)
    await scrolled(180 * 36)
    await screen.findByText(/^Newest 257 /)
    await scrolled(257 * 36)
    expect(await screen.findByText('This is the start of the log.')).toBeVisible()
    await waitFor(async () => expect((await shownIds()).at(-1)).toBe(newestFirst.at(-1)))
    // The rendered rows must be in order, each at its own index.
    const last = (await shownIds()).slice(1)
    expect(last).toEqual(newestFirst.slice(-last.length))
    const row = screen.getByRole('table', { name: 'Events' }).querySelector(`[data-id="${last.at(-1)}"]`)
    expect(row).toHaveAttribute('aria-rowindex', '258')
  })

  test('new events are announced, and move no row until they are asked for', async () => {
    await addEvents(service, 60)
    const { user } = renderApp({ service, path: '/events' })
    const before = await shownIds()
    expect(await screen.findByText('Live')).toBeVisible()
    const happen = async (count: number) => {
      await createUsers(count)
      if (additions === 'none') comeBack()
    }
    await happen(2)
    await screen.findByRole('button', { name: '2 new events · Show' })
    expect((await shownIds())[0]).toBe(before[0])

    await scrolled(20 * 36)
    await happen(1)
    const offer = await screen.findByRole('button', { name: '3 new events · Show' })
    const scroller = screen.getByRole('table', { name: 'Events' }).parentElement
    expect(scroller?.scrollTop).toBe(20 * 36)
    await user.click(offer)
    await waitFor(() => expect(scroller?.scrollTop).toBe(0))
    fireEvent.scroll(scroller as HTMLElement)
    await waitFor(async () => expect((await shownIds())[3]).toBe(before[0]))
    expect(screen.queryByRole('button', { name: /new event/ })).not.toBeInTheDocument()
    await happen(1)
    expect(await screen.findByRole('button', { name: '1 new event · Show' })).toBeVisible()
  })

  test('a page that fails says so, and is read again', async () => {
    await createUsers(3)
    let isDown = true
    const { fetch } = network(service, ({ url }) =>
      isDown && url.includes('/events')
        ? Response.json({ title: 'No', status: 500 }, { status: 500 })
        : undefined,
    )
    const { user } = renderApp({ service: { ...service, fetch }, path: '/events' })
    expect(await screen.findByText('Couldn’t load the events')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Events' })).toBeVisible()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await shownIds()).toHaveLength(3)
  })
})

test('a moment in the address begins the list there, and newer events come above it on request', async () => {
  await addEvents(service, 150)
  const all = [...(await eventsFrom(0)), ...(await eventsFrom(100))]
  // All events were created within moments, so space them a minute apart.
  await spaceEvents(service)
  // 01:40 is the 100th minute: the newest event before it is number 99.
  const { user, router } = renderApp({ service, path: '/events?at=2024-03-01T01:40:00.000Z' })
  const newestFirst = ids(all).toReversed()
  await waitFor(async () => expect((await shownIds())[0]).toBe(all[99]?.id))
  await user.click(screen.getByRole('button', { name: 'Show newer events' }))
  // The rows that were there stay where they are, 50 rows further down.
  const scroller = screen.getByRole('table', { name: 'Events' }).parentElement
  await waitFor(() => expect(scroller?.scrollTop).toBe(50 * 36))
  fireEvent.scroll(scroller as HTMLElement)
  await waitFor(async () => expect(await shownIds()).toContain(all[100]?.id))
  expect(await screen.findByText('Live')).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Remove filter: Starting at Mar 1, 2024, 01:40' }))
  await waitFor(async () => expect((await shownIds())[0]).toBe(newestFirst[0]))
  await waitFor(() => expect(router.state.location.search).toBe(''))
  await user.click(screen.getByRole('button', { name: 'Jump to a time' }))
  fireEvent.change(await screen.findByLabelText('Date and time (UTC)'), {
    target: { value: '2024-03-01T00:30:00' },
  })
  await user.click(screen.getByRole('button', { name: 'Jump' }))
  await waitFor(async () => expect((await shownIds())[0]).toBe(all[29]?.id))
  expect(router.state.location.search).toBe('?at=2024-03-01T00%3A30%3A00.000Z')
  await user.click(await screen.findByRole('button', { name: 'Newest events' }))
  await waitFor(async () => expect((await shownIds())[0]).toBe(newestFirst[0]))
  expect(router.state.location.search).toBe('')
})

test('a moment before all events of a list begins it with those after it', async () => {
  await addEvents(service, 3)
  await spaceEvents(service)
  renderApp({ service, path: '/events?at=2023-01-01T00:00:00.000Z' })
  await waitFor(async () => expect(await shownIds()).toEqual(ids(await eventsFrom(0)).toReversed()))
})

test('new events that cannot be read leave the list as it is, and say so', async () => {
  await addEvents(service, 150)
  let isDown = false
  const { fetch } = network(service, ({ url }) =>
    isDown && /\/events\?/.test(url) ? new Response('', { status: 403 }) : undefined,
  )
  const { user } = renderApp({ service: { ...service, fetch }, path: '/events' })
  const [first] = await shownIds()
  await scrolled(99 * 36)
  await screen.findByText(/^Newest 15\d /)
  await createUsers(1)
  const offer = await screen.findByRole('button', { name: '1 new event · Show' })
  isDown = true
  await user.click(offer)
  expect(await screen.findByText('Couldn’t load newer events.')).toBeVisible()
  await scrolled(0)
  await waitFor(async () => expect((await shownIds())[0]).toBe(first))
  expect(screen.getByText(/^Newest 15\d /)).toBeVisible()
  isDown = false
  await user.click(screen.getByRole('button', { name: '1 new event · Show' }))
  await waitFor(async () => expect((await shownIds())[1]).toBe(first))
})

test('filters are kept in the address, can be removed one by one, and an empty result says so', async () => {
  await createUsers(30)
  const list: { users: { id: string }[] } = (await service.call('admin', 'GET', '/users')).body
  const changed = list.users[4]?.id ?? ''
  await service.call('admin', 'PATCH', `/users/${changed}`, { name: 'Ana' })
  const { user, router } = renderApp({ service, path: '/events' })
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('checkbox', { name: 'User changed' }))
  const field = screen.getByRole('combobox', { name: 'User' })
  await user.type(field, 'two ids')
  await user.click(screen.getByRole('button', { name: 'Show events' }))
  expect(await screen.findByText('Choose a user from the list, or paste an id.')).toBeVisible()
  await user.clear(field)
  await user.type(field, changed)
  await user.click(screen.getByRole('button', { name: 'Show events' }))
  await waitFor(async () => expect(await shownIds()).toHaveLength(1))
  await waitFor(() => expect(router.state.location.search).toBe(`?type=USER_UPDATED&user=${changed}`))
  expect(screen.getByText('Newest 1 matching event', { exact: false })).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Remove filter: Type: User changed' }))
  await waitFor(async () => expect(await shownIds()).toHaveLength(2))
  await router.navigate(`/events?type=SEGMENT_CREATED&user=${changed}`)
  expect(await screen.findByText('No events match')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Remove filter: User: Ana' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(async () => expect((await shownIds()).length).toBeGreaterThan(15))
  await waitFor(() => expect(router.state.location.search).toBe(''))
})

test('events are filtered by who caused them, in the form or at a row', async () => {
  await createUsers(3)
  await service.call('steward', 'POST', '/users', {})
  const { user, router } = renderApp({ service, path: '/events?type=USER_CREATED' })
  await waitFor(async () => expect(await shownIds()).toHaveLength(4))
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  await user.type(await screen.findByRole('combobox', { name: 'By' }), 'stew')
  await user.click(await screen.findByRole('option', { name: 'steward' }))
  await user.click(screen.getByRole('button', { name: 'Show events' }))
  await waitFor(async () => expect(await shownIds()).toHaveLength(1))
  expect(router.state.location.search).toBe('?type=USER_CREATED&actor=steward')
  await user.click(await screen.findByRole('button', { name: 'Remove filter: By: steward' }))
  await waitFor(async () => expect(await shownIds()).toHaveLength(4))
  const [own] = screen.getAllByRole('link', { name: 'Only events by admin' })
  expect(own).toHaveTextContent('You')
  if (own) await user.click(own)
  await waitFor(async () => expect(await shownIds()).toHaveLength(3))
  expect(router.state.location.search).toBe('?type=USER_CREATED&actor=admin')
})

test('Back finds the list where it was left, and announces the events since then', async () => {
  await addEvents(service, 257)
  const { router } = renderApp({ service, path: '/events' })
  await shownIds()
  await scrolled(80 * 36)
  await screen.findByText(/^Newest 200 /)
  await scrolled(150 * 36)
  await waitFor(async () => expect(await shownIds()).toHaveLength(45))
  const left = await shownIds()
  await act(() => router.navigate('/unknown'))
  await screen.findByRole('heading', { name: 'Page not found' })
  await createUsers(2)
  await act(() => router.navigate(-1))
  const scroller = (await screen.findByRole('table', { name: 'Events' })).parentElement
  expect(scroller?.scrollTop).toBe(150 * 36)
  await waitFor(async () => expect(await shownIds()).toEqual(left))
  expect(await screen.findByRole('button', { name: '2 new events · Show' })).toBeVisible()
})

test('a link to the list that is shown leads to its newest events', async () => {
  await addEvents(service, 150)
  const { user } = renderApp({ service, path: '/events' })
  await shownIds()
  await scrolled(40 * 36)
  await createUsers(1)
  await screen.findByRole('button', { name: '1 new event · Show' })
  const newest = (await eventsFrom(100)).at(-1)?.id
  const [link] = screen.getAllByRole('link', { name: 'Events' })
  if (link) await user.click(link)
  const scroller = screen.getByRole('table', { name: 'Events' }).parentElement as HTMLElement
  await waitFor(() => expect(scroller.scrollTop).toBe(0))
  fireEvent.scroll(scroller)
  await waitFor(async () => expect((await shownIds())[0]).toBe(newest))
})

test('Back finds the row that was at the top, although its list has begun again since', async () => {
  await addEvents(service, 90)
  const { router } = renderApp({ service, path: '/events' })
  await shownIds()
  await scrolled(30 * 36)
  await act(() => router.navigate('/unknown'))
  await screen.findByRole('heading', { name: 'Page not found' })
  await createUsers(2)
  await act(() => router.navigate('/events'))
  await waitFor(async () => expect(await shownIds()).toContain((await eventsFrom(0)).at(-1)?.id))
  await act(() => router.navigate('/unknown'))
  await screen.findByRole('heading', { name: 'Page not found' })
  await act(() => router.navigate(-3))
  await screen.findByRole('table', { name: 'Events' })
  const scroller = () => screen.getByRole('table', { name: 'Events' }).parentElement
  await waitFor(() => expect(scroller()?.scrollTop).toBe(32 * 36))
})

test('a list that is no longer wanted is not read to its end', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  const { fetch } = network(service, ({ url, signal }) => {
    if (!/\/events\?/.test(url)) return undefined
    signals.push(signal)
    return new Promise<Response>(() => undefined)
  })
  const { router } = renderApp({ service: { ...service, fetch }, path: '/unknown' })
  await screen.findByRole('heading', { name: 'Page not found' })
  void router.navigate('/events')
  await waitFor(() => expect(signals).toHaveLength(1))
  await act(() => router.navigate('/another'))
  expect(signals[0]?.aborted).toBe(true)
})

test('coming back to the tab reads only the events that were not counted yet', async () => {
  await createUsers(1)
  const after: (string | null)[] = []
  const { fetch } = network(service, ({ url }) => {
    if (url.includes('/events/stream')) after.push(new URL(url).searchParams.get('after'))
    return undefined
  })
  renderApp({ service: { ...service, fetch }, path: '/events' })
  await waitFor(() => expect(after).toHaveLength(1))
  await createUsers(2)
  await screen.findByRole('button', { name: '2 new events · Show' })
  const counted = (await eventsFrom(0)).at(-1)?.id
  comeBack()
  await waitFor(() => expect(after.length).toBeGreaterThan(1))
  expect(after.at(-1)).toBe(counted)
  await createUsers(1)
  expect(await screen.findByRole('button', { name: '3 new events · Show' })).toBeVisible()
})

test('a time of today or yesterday says so', async () => {
  await addEvents(service, 3)
  await eventsFrom(0)
  await sql`update events set eventtime = date_trunc('day', now() at time zone 'UTC') - seq * interval '1 day'
    + interval '9 hours 30 minutes'`.execute(service.database.sql)
  renderApp({ service, path: '/events' })
  await shownIds()
  const table = screen.getByRole('table', { name: 'Events' })
  const times = [...table.querySelectorAll('tr[data-id]')].map((row) => row.firstElementChild?.textContent)
  expect(times).toEqual([
    expect.stringMatching(/^\w{3} \d+, \d{4}, 09:30$/),
    'Yesterday, 09:30',
    'Today, 09:30',
  ])
})

test('the arrow keys lead through the rows of a filter, and the open event goes along', async () => {
  await createUsers(40)
  const { user, router } = renderApp({ service, path: '/events?type=USER_CREATED' })
  const order = await shownIds()
  const table = await screen.findByRole('table', { name: 'Events' })
  const link = (index: number) => table.querySelector(`[data-id="${order[index]}"] a[data-row-link]`)
  ;(link(0) as HTMLElement).focus()
  await user.keyboard('{ArrowDown}j')
  expect(link(2)).toHaveFocus()
  await user.keyboard('k{Enter}')
  expect(await screen.findByRole('dialog', { name: 'User created' })).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe(`/events/${order[1]}`))
  ;(link(1) as HTMLElement).focus()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/events/${order[3]}`))
  expect(router.state.location.search).toBe('?type=USER_CREATED')
  expect(link(3)).toHaveFocus()
  await user.keyboard('{End}')
  await waitFor(() => expect(document.activeElement?.closest('tr')).toHaveAttribute('aria-rowindex', '41'))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await waitFor(() => expect(router.state.location.search).toBe('?type=USER_CREATED'))
  await user.keyboard('{Home}')
  expect(link(0)).toHaveFocus()
})

test('an export holds every event that matches the filter, whatever is loaded', async () => {
  await createUsers(130)
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    files.push(blob as Blob)
    return 'blob:file'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  const { user } = renderApp({ service, path: '/events?type=USER_CREATED' })
  await shownIds()
  await user.click(screen.getByRole('button', { name: 'Export' }))
  const dialog = await screen.findByRole('dialog', { name: 'Export events' })
  await user.click(within(dialog).getByRole('button', { name: 'Export' }))
  expect(await within(dialog).findByText(/^130 events in events-.*\.csv\.$/)).toBeVisible()
  const lines = (await files[0]?.text())?.trim().split('\r\n')
  expect(lines).toHaveLength(131)
  expect(lines?.[0]).toContain('"id","eventtime","type","delivered","deliveredtime","delivery","user"')
  const newest = (await eventsFrom(100)).at(-1)
  expect(lines?.[1]).toContain(`"${newest?.id}","${newest?.eventtime}","USER_CREATED","false","","none","`)
})

test('a row opens the whole event beside the list, with the ways to what it is about', async () => {
  await createUsers(1)
  const users: { users: { id: string }[] } = (await service.call('admin', 'GET', '/users')).body
  const userId = users.users[0]?.id ?? ''
  await service.call('admin', 'POST', `/users/${userId}/entities`, { type: 'car', properties: [] })
  const [, changed] = await eventsFrom(0)
  const { user, router } = renderApp({ service, path: '/events' })

  const row = await screen.findByRole('link', { name: 'Data changed' })
  await user.click(row)
  const detail = await screen.findByRole('dialog', { name: 'Data changed' })
  await waitFor(() => expect(router.state.location.pathname).toBe(`/events/${changed?.id}`))
  expect(within(detail).queryByText('Delivery')).toBeNull()
  expect(within(detail).getByText('DIRECT_DATA_CHANGE')).toBeVisible()
  expect(within(detail).getByText(String(changed?.properties['changeset']))).toBeVisible()
  const time = within(detail).getByText(/^\w+ \d+, \d{4}, \d\d:\d\d$/)
  expect(time).toHaveAttribute('datetime', changed?.eventtime)
  expect(time).toHaveAttribute('data-hint', expect.stringMatching(/:\d\d UTC\n/))
  expect(within(detail).getByRole('link', { name: userId })).toHaveAttribute('href', `/users/${userId}`)
  expect(within(detail).getByRole('link', { name: String(changed?.properties['entity']) })).toHaveAttribute(
    'href',
    `/users/${userId}/entities/${String(changed?.properties['entity'])}`,
  )
  const copy = vi.spyOn(navigator.clipboard, 'writeText')
  await user.click(within(detail).getByRole('button', { name: 'Copy JSON' }))
  expect(JSON.parse(copy.mock.calls[0]?.[0] ?? '')).toEqual({ ...changed, delivery: { state: 'none' } })

  expect(screen.getByRole('table', { name: 'Events' })).toBeVisible()
  within(detail).getByRole('heading', { level: 2 }).focus()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await waitFor(() => expect(screen.getByRole('link', { name: 'Data changed' })).toHaveFocus())
})

test('an event that arrives takes no focus from what was opened over the page meanwhile', async () => {
  await createUsers(1)
  const [created] = await eventsFrom(0)
  const { user, router } = renderApp({ service, path: '/events' })
  await screen.findByRole('link', { name: 'User created' })
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: 'Find anywhere' })
  await waitFor(() => expect(field).toHaveFocus())

  await act(() => router.navigate(`/events/${created?.id}`))
  expect(await screen.findByRole('dialog', { name: 'User created', hidden: true })).toBeInTheDocument()
  expect(field).toHaveFocus()
})

test('an address of one event opens it beside the list, which stays if there is none', async () => {
  await createUsers(1)
  const [created] = await eventsFrom(0)
  const { unmount } = renderApp({ service, path: `/events/${created?.id}` })
  expect(await screen.findByRole('dialog', { name: 'User created' })).toBeVisible()
  expect(await shownIds()).toEqual([created?.id])
  unmount()
  renderApp({ service, path: '/events/0190aaaa-0000-7000-8000-000000000000' })
  const detail = await screen.findByRole('dialog')
  expect(within(detail).getByText('This event doesn’t exist')).toBeVisible()
  expect(await shownIds()).toHaveLength(1)
})

test("another service's events are shown as they come", async () => {
  const foreign = {
    id: 'e-1',
    eventtime: '2024-03-01T09:30:00.000Z',
    type: 'INVOICE_PAID',
    properties: { invoice: 'I-7', user: 'u 1', lines: [1, 2] },
    delivered: true,
    deliveredtime: '2024-03-01T09:30:02.000Z',
    channel: 'billing',
  }
  const { fetch } = network(service, ({ url }) => {
    const body = url.includes('/events/') ? foreign : url.includes('offset=0') ? [foreign] : []
    return Response.json(url.includes('/capabilities') ? {} : body)
  })
  renderApp({ service: { ...service, features: {}, fetch }, path: '/events/e-1' })
  const detail = await screen.findByRole('dialog', { name: 'INVOICE_PAID' })
  for (const shown of ['I-7', '[1,2]', 'billing', 'Delivered'])
    expect(within(detail).getByText(shown, { selector: 'span' })).toBeVisible()
  expect(within(detail).getByRole('link', { name: 'u 1' })).toHaveAttribute('href', '/users/u%201')
  expect(within(await screen.findByRole('table')).getByRole('link', { name: 'INVOICE_PAID' })).toBeVisible()
})

test('an empty log says what will appear here', async () => {
  renderApp({ service, path: '/events' })
  expect(await screen.findByText('No events yet')).toBeVisible()
})

test('the end of a list says whether the log, the filter or its span ends there, and leads beyond the span', async () => {
  await createUsers(4)
  // Ensure that the events are in the log, not only in the inbox.
  await eventsFrom(0)
  await spaceEvents(service)
  const { user, router } = renderApp({ service, path: '/events?from=2024-03-01T00:02:00Z' })
  expect(await screen.findByText('Start of the filtered period:', { exact: false })).toBeVisible()
  expect(await shownIds()).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Show events before it' }))
  expect(await screen.findByText('This is the start of the log.')).toBeVisible()
  expect(await shownIds()).toHaveLength(4)
  expect(router.state.location.search).toBe('')
  await router.navigate('/events?type=USER_CREATED')
  expect(await screen.findByText('No older events match.')).toBeVisible()
})

test('events of a user are found by the name, which is in no address', async () => {
  const person = await service.create('admin', '/users', { name: 'Nora Ek' })
  await createUsers(2)
  const { user, router } = renderApp({ service, path: '/events', role: 'support' })
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  await user.type(await screen.findByRole('combobox', { name: 'User' }), 'nora')
  await screen.findByRole('option', { name: /Nora Ek/ })
  await user.keyboard('{Enter}')
  expect(screen.getByRole('combobox', { name: 'User' })).toHaveValue(person)
  expect(await screen.findByText('Nora Ek', { selector: 'form bdi' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Show events' }))
  await waitFor(async () => expect(await shownIds()).toHaveLength(1))
  expect(router.state.location.search).toBe(`?user=${person}`)
  expect(await screen.findByRole('button', { name: 'Remove filter: User: Nora Ek' })).toBeVisible()
})

test('a filter is saved as a view, chosen again and deleted, and belongs to its owner alone', async () => {
  await createUsers(2)
  const { user, router, unmount } = renderApp({ service, path: '/events?type=USER_CREATED&delivery=none' })
  await user.click(await screen.findByRole('button', { name: 'Views' }))
  await user.type(await screen.findByRole('textbox', { name: 'Save view as' }), 'Nobody told{Enter}')
  expect(await screen.findByRole('button', { name: 'Nobody told' })).toBeVisible()
  await router.navigate('/events')
  await user.click(screen.getByRole('button', { name: 'Nobody told' }))
  await waitFor(() => expect(router.state.location.search).toBe('?type=USER_CREATED&delivery=none'))
  unmount()

  const other = renderApp({ service, path: '/events', role: 'support' })
  await other.user.click(await screen.findByRole('button', { name: 'Views' }))
  expect(await screen.findByText('No saved views yet.')).toBeVisible()
  other.unmount()

  const own = renderApp({ service, path: '/events' })
  await own.user.click(await screen.findByRole('button', { name: 'Views' }))
  await own.user.click(await screen.findByRole('button', { name: 'Delete view Nobody told' }))
  expect(await screen.findByText('No saved views yet.')).toBeVisible()
  own.unmount()
  renderApp({ service, path: '/events', keptIn: 'memory' })
  await screen.findByRole('button', { name: 'Filter' })
  expect(screen.queryByRole('button', { name: 'Views' })).not.toBeInTheDocument()
})
