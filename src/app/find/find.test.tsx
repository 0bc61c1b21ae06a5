import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'

import type { Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import type { TestService } from '#server/testing/service.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const full = testService()
const bare = testService({ additions: 'none' })
beforeEach(() => Promise.all([full.reset(), bare.reset()]))

async function made(service: TestService, path: string, body: unknown): Promise<string> {
  const { headers } = await service.call('admin', 'POST', path, body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function open(service: TestService, role: Role = 'admin', path = '/segments') {
  const edge = network(service)
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path, role })
  await screen.findByRole('heading', { level: 1 })
  await app.user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: 'Find anywhere' })
  const options = () => screen.queryAllByRole('option').map((option) => option.textContent)
  const active = () => {
    const id = field.getAttribute('aria-activedescendant')
    const chosen = screen.queryAllByRole('option', { selected: true })
    expect(chosen.map((option) => option.id)).toEqual(id === null ? [] : [id])
    return chosen[0]?.textContent
  }
  const searches = () =>
    edge.requests.filter(({ path }) => path.endsWith('/users/search')).map(({ body }) => body)
  return { ...app, edge, field, options, active, searches }
}

test('a user is found by what is typed, with what matched marked, and opened with Enter', async () => {
  await made(full, '/users', { name: 'Zoë Lopez', email: 'zoe@example.org', ref: 'C-7' })
  const id = await made(full, '/users', { name: 'Ana Lopez', email: 'ana@example.org', ref: 'C-1042' })
  const { user, field, router, searches } = await open(full)
  expect(field).toHaveFocus()
  await user.type(field, 'lopez an')
  const row = await screen.findByRole('option', { name: /Ana Lopez/ })
  expect(row).toHaveTextContent('Ana Lopezana@example.orgC-1042')
  expect(within(row).getByText('Lopez').tagName).toBe('MARK')
  expect(screen.queryByRole('option', { name: /Zoë/ })).toBeNull()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana Lopez' })).toBeVisible()
  // The skeleton of the page has the same heading.
  await waitFor(() => expect(router.state.location.pathname).toContain(`/users/${id}`))
  expect(screen.queryByRole('combobox', { name: 'Find anywhere' })).toBeNull()
  // Typing sends fewer requests than letters, and no typed text ends up in an address or a storage.
  expect(searches().at(-1)).toEqual({ q: 'lopez an' })
  expect(searches().length).toBeLessThan(8)
  const kept = [router.state.location, Object.values(localStorage), Object.values(sessionStorage)]
  expect(JSON.stringify(kept)).not.toContain('lopez')
})

test('a number that somebody gives finds them by a value, which the row shows', async () => {
  const properties = [{ key: 'plate', type: 'TEXT', value: 'AB-123-CD' }]
  await made(full, '/users', { name: 'Cleo', email: 'cleo@example.org', properties })
  const { user, field } = await open(full)
  await user.type(field, 'ab123')
  const row = await screen.findByRole('option', { name: /Cleo/ })
  expect(row).toHaveTextContent('Cleocleo@example.orgplate: AB-123-CD')
})

test('the row that was gone to stays the one, whatever arrives later', async () => {
  await made(full, '/users', { name: 'Markus' })
  await made(full, '/segments', { name: 'Market of May', filter: { all: [] } })
  const { user, edge, field, active, router } = await open(full)
  let release = () => {}
  const released = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined)
  })
  edge.meet((request) => (request.url.endsWith('/search') ? released : undefined))
  await user.type(field, 'mark')
  await screen.findByRole('option', { name: /Market of May/ })
  await user.keyboard('{ArrowDown}')
  expect(active()).toContain('Market of May')
  release()
  await screen.findByRole('option', { name: /Markus/ })
  expect(active()).toContain('Market of May')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/segments\/./))
})

test('Enter before the answer opens the first one that comes, as soon as it comes', async () => {
  await made(full, '/users', { name: 'Ana Lopez', ref: 'C-1042' })
  await made(full, '/users', { name: 'Bea', ref: 'C-9' })
  const { user, field } = await open(full)
  await user.type(field, 'bea')
  await screen.findByRole('option', { name: /Bea/ })
  await user.clear(field)
  await user.type(field, 'C-1042{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana Lopez' })).toBeVisible()
  await user.keyboard('{Control>}k{/Control}events{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Events' })).toBeVisible()
})

test('an action that is named is the first one, before anybody of that name, and waits for no search', async () => {
  await made(full, '/users', { name: 'Dark Vader' })
  const { user, edge, field, active } = await open(full)
  await user.type(field, 'dar')
  await screen.findByRole('option', { name: /Dark Vader/ })
  expect(active()).toContain('Dark Vader')
  edge.meet((request) => (request.url.endsWith('/search') ? new Promise(() => {}) : undefined))
  await user.type(field, 'k')
  expect(active()).toContain('Switch to dark mode')
  await user.type(field, ' mode{Enter}')
  await waitFor(() => expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark'))
})

test('Enter before the answer opens nobody whose name is only similar', async () => {
  await made(full, '/users', { name: 'Ana Lopez' })
  const { user, field, router } = await open(full)
  await user.type(field, 'lopes{Enter}')
  expect(await screen.findByText('Users · similar spellings')).toBeVisible()
  expect(await screen.findByRole('option', { name: 'Ana Lopez' })).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/segments'))
})

test('an outdated search is aborted, and old rows stay until new ones arrive', async () => {
  await made(full, '/users', { name: 'Ana' })
  await made(full, '/users', { name: 'Andrea' })
  const { user, edge, field, options } = await open(full)
  const given: AbortSignal[] = []
  edge.meet((request) => {
    if (!request.url.endsWith('/search')) return undefined
    given.push(request.signal)
    // The second request hangs.
    return given.length === 2 ? new Promise(() => {}) : undefined
  })
  await user.type(field, 'an')
  await waitFor(() => expect(options().join()).toMatch(/Ana.*Andrea|Andrea.*Ana/))
  await user.type(field, 'x')
  await waitFor(() => expect(given).toHaveLength(2))
  expect(options().join()).toContain('Andrea')
  await user.type(field, '{Backspace}d')
  await waitFor(() => expect(given[1]?.aborted).toBe(true))
  await waitFor(() => expect(options().join()).toBe('Andrea'))
})

test('a pasted id is opened as whatever it is', async () => {
  const userId = await made(full, '/users', { name: 'Ana' })
  const segmentId = await made(full, '/segments', { name: 'Everyone', filter: { all: [] } })
  const { body } = await full.call('admin', 'GET', '/events')
  const event = (body as { id: string; type: string }[])[0]
  const { user, field, options, searches } = await open(full)
  for (const [id, label] of [
    [userId, 'Ana'],
    [segmentId, 'Everyone'],
    [event?.id ?? '', `Event ${event?.type ?? ''}`],
  ] as const) {
    await user.clear(field)
    await user.paste(`see http://console.test/x/${id.toUpperCase()}.`)
    await waitFor(() => expect(options()).toHaveLength(1))
    expect(options()[0]).toContain(label)
  }
  await user.clear(field)
  await user.paste('01935bfa-1371-752d-9d0c-000000000000')
  expect(await screen.findByText('No user, segment or event has this id.')).toBeVisible()
  expect(searches()).toEqual([])
})

test('segments, pages and actions are found by words; one that is not allowed says why', async () => {
  await made(full, '/segments', { name: 'Lapsed in Lyon', filter: { all: [] } })
  const { user, field, options, active, router } = await open(full, 'integrator', '/events')
  // Without typed text, only permitted commands are offered.
  expect(options()).not.toContain('New user')
  expect(screen.getByRole('option', { name: 'Events' })).toHaveTextContent('ge')
  await user.type(field, 'new user')
  const denied = await screen.findByRole('option', { name: /New user/ })
  expect(denied).toHaveAttribute('aria-disabled', 'true')
  expect(denied).toHaveTextContent('Your role can’t create or change users.')
  expect(screen.getByText(/Users aren’t searched. Your role can’t see users/)).toBeVisible()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/events'))
  await user.clear(field)
  await user.type(field, 'theme dark')
  expect(active()).toBe('Switch to dark mode')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark'))
})

test('recently opened pages come first', async () => {
  const first = await made(full, '/users', { name: 'Ana' })
  const second = await made(full, '/segments', { name: 'Everyone', filter: { all: [] } })
  const third = await made(full, '/users', { name: 'Bea' })
  const { user, router, field, options } = await open(full)
  await user.keyboard('{Escape}')
  for (const [path, heading] of [
    [`/users/${first}`, 'Ana'],
    [`/users/${third}`, 'Bea'],
    [`/segments/${second}`, 'Everyone'],
    ['/users/new', 'New user'],
    [`/users/${first}`, 'Ana'],
  ] as const) {
    await router.navigate(path)
    await screen.findByRole('heading', { level: 1, name: heading })
  }
  expect(field).not.toBeInTheDocument()
  await user.keyboard('{Control>}k{/Control}')
  await waitFor(() => expect(options().slice(0, 2)).toEqual(['Everyone', 'Bea']))
  // Recent pages are stored by id only, for the person who opened them.
  expect(Object.values(localStorage).join(' ')).toContain(first)
  expect(Object.values(localStorage).join(' ')).not.toMatch(/Ana|Bea|Everyone/)
})

test('recently opened pages are still known after a reload, to the same person', async () => {
  const id = await made(full, '/users', { name: 'Ana' })
  const again = await open(full, 'admin', `/users/${id}`)
  await screen.findByRole('heading', { level: 1, name: 'Ana' })
  again.unmount()
  const { options, unmount } = await open(full)
  await waitFor(() => expect(options()[0]).toBe('Ana'))
  unmount()
  const other = await open(full, 'support')
  await screen.findByRole('option', { name: 'Users' })
  expect(other.options()).not.toContain('Ana')
})

test('a computer that several people share keeps no trace of the users who were looked up', async () => {
  localStorage.clear()
  const id = await made(full, '/users', { name: 'Ana' })
  renderApp({ service: full, path: `/users/${id}`, keptIn: 'memory' })
  await screen.findByRole('heading', { level: 1, name: 'Ana' })
  expect(Object.values(localStorage).join(' ')).not.toContain(id)
})

test('find offers the actions for the open user, on the spot or on another page, and only those possible from here', async () => {
  const id = await made(full, '/users', { name: 'Ana' })
  const { user, field, options, router } = await open(full, 'admin', `/users/${id}`)
  const copy = vi.spyOn(navigator.clipboard, 'writeText')
  // Some actions are known only once the user is loaded.
  await waitFor(() =>
    expect(within(screen.getByRole('group', { name: 'This user' })).getAllByRole('option')).toHaveLength(7),
  )
  await user.type(field, 'copy id{Enter}')
  await waitFor(() => expect(copy).toHaveBeenCalledWith(id))
  expect(await screen.findByText('Id copied')).toBeVisible()

  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Find anywhere' }), 'edit details{Enter}')
  expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Ana')
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Find anywhere' }), 'subject access{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/users/${id}/access`))

  await user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox', { name: 'Find anywhere' })
  expect(options()).not.toContain('Edit name, e-mail and ref')
})

test('a service without a search says so, and opens a whole id', async () => {
  const id = await made(bare, '/users', { name: 'Ana Lopez' })
  const { user, field, options, edge } = await open(bare)
  await user.type(field, 'lopez')
  expect(await screen.findByText(/This service can’t search for users/)).toBeVisible()
  expect(screen.queryByText(/^Nothing matches/)).toBeNull()
  expect(options()).toEqual([])
  await user.clear(field)
  await user.paste(id)
  await waitFor(() => expect(options()).toEqual(['Ana Lopez']))
  expect(edge.requests.filter(({ path }) => /lopez/.test(path))).toEqual([])
})

test('more than fits is shown in the list, with what was typed', async () => {
  for (let n = 0; n < 12; n++) await made(full, '/users', { name: `Ana ${n}` })
  const { user, field } = await open(full)
  await user.type(field, 'ana')
  expect(await screen.findByText('Users · 8 of 12')).toBeVisible()
  await user.click(screen.getByRole('option', { name: 'Show all in the list' }))
  expect(await screen.findByRole('searchbox')).toHaveValue('ana')
})

test('a search that fails can be tried again where it stands', async () => {
  await made(full, '/users', { name: 'Ana' })
  const { user, edge, field } = await open(full)
  edge.meet((request) => (request.url.endsWith('/search') ? new Response(null, { status: 500 }) : undefined))
  await user.type(field, 'ana')
  const again = await screen.findByRole('option', { name: 'Couldn’t search for users. Try again.' })
  edge.meet(() => undefined)
  await user.click(again)
  expect(await screen.findByRole('option', { name: 'Ana' })).toBeVisible()
})

test('an empty result is shown and announced', async () => {
  const { user, field } = await open(full)
  await user.type(field, 'zzzz')
  expect(await screen.findByText('Nothing matches “zzzz”.')).toBeVisible()
  expect(screen.getByText(/numbers such as phones, not hidden values/)).toBeVisible()
  expect(screen.getByText('0 results').closest('[role="status"]')).not.toBeNull()
})

test('Enter that ends a composition opens nothing; with Control it opens another tab', async () => {
  const { user, field, router } = await open(full)
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  await user.type(field, 'events')
  await screen.findByText('1 result')
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  expect(field).toBeInTheDocument()
  await user.keyboard('{ArrowDown}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/segments'))
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(opened).toHaveBeenCalledWith(expect.stringMatching(/\/events$/), '_blank', 'noopener')
  await waitFor(() => expect(router.state.location.pathname).toBe('/segments'))
  expect(field).toBeInTheDocument()
})

test('closed, it gives the focus back and remembers nothing', async () => {
  const { user, field } = await open(full, 'admin', '/users/new')
  await user.type(field, 'ana')
  await user.keyboard('{Control>}k{/Control}')
  expect(field).not.toBeInTheDocument()
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Ana')
  await user.keyboard('{Control>}k{/Control}')
  expect(await screen.findByRole('combobox', { name: 'Find anywhere' })).toHaveValue('')
  await user.keyboard('{Control>}k{/Control}')
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus())
})

test('a value on the page is found by its label, and opens where it stands', async () => {
  const id = await made(full, '/users', { name: 'Ana Lopez' })
  for (const [type, phone] of [
    ['person', '+33 6'],
    ['company', '+33 1'],
  ])
    await made(full, `/users/${id}/entities`, {
      type,
      properties: [{ key: 'phone', type: 'TEXT', value: phone }],
    })
  const { user, field, options, active } = await open(full, 'steward', `/users/${id}`)
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Edit Phone' })).toHaveLength(2))
  await user.type(field, 'phone')
  await waitFor(() =>
    expect(options()).toEqual([
      expect.stringMatching(/^Edit Phone.*Person$/),
      expect.stringMatching(/^Edit Phone.*ompany$/),
    ]),
  )
  expect(active()).toMatch(/Person$/)
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(screen.getByLabelText('Value of Phone')).toHaveFocus())
  expect(screen.getByLabelText('Value of Phone')).toHaveValue('+33 1')
  await user.keyboard('{Escape}{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Find anywhere' }), 'ref{Enter}')
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Ref' })).toHaveFocus())
})

test('a value that only all properties show is found too, and opens among them', async () => {
  const id = await made(full, '/users', { name: 'Ana Lopez' })
  const notes = Array.from({ length: 20 }, (_, n) => ({
    key: `note_${n}`,
    type: 'TEXT',
    value: `about ${n}`,
  }))
  for (const [type, value] of [
    ['company', '+33 1'],
    ['person', '+33 6'],
  ]) {
    const properties = [...notes, { key: 'phone', type: 'TEXT', value }]
    await made(full, `/users/${id}/entities`, { type, properties })
  }
  const { user, field, options } = await open(full, 'steward', `/users/${id}`)
  expect(await screen.findAllByRole('button', { name: 'Show all 21 properties' })).toHaveLength(2)
  expect(screen.queryByRole('button', { name: 'Edit Phone' })).toBeNull()
  await user.type(field, 'phone')
  await waitFor(() =>
    expect(options()).toEqual([
      expect.stringMatching(/^Edit Phone.*company$/i),
      expect.stringMatching(/^Edit Phone.*person$/i),
    ]),
  )
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(screen.getByLabelText('Value of Phone')).toHaveFocus())
  expect(screen.getByLabelText('Value of Phone')).toHaveValue('+33 6')
  // The other entity stays as short as it was.
  expect(screen.getAllByRole('button', { name: 'Show all 21 properties' })).toHaveLength(1)
})

test('a value of an entity that only all entities show is found too, and opens there', async () => {
  const id = await made(full, '/users', { name: 'Ana Lopez' })
  const notes = Array.from({ length: 20 }, (_, n) => ({ key: `note_${n}`, type: 'TEXT', value: 'x' }))
  for (let number = 0; number < 8; number += 1) {
    const properties = [{ key: `plate_${number}`, type: 'TEXT', value: `AB-${number}` }, ...notes]
    await made(full, `/users/${id}/entities`, { type: 'car', properties })
  }
  const { user, field, options } = await open(full, 'steward', `/users/${id}`)
  await screen.findByRole('button', { name: 'Show all 8 entities' })
  await user.type(field, 'plate 7')
  await waitFor(() => expect(options()).toEqual([expect.stringMatching(/^Edit Plate 7.*car$/i)]))
  await user.keyboard('{Enter}')
  const plate = await screen.findByRole('textbox', { name: 'Value of Plate 7' })
  await waitFor(() => expect(plate).toHaveFocus())
  expect(plate).toHaveValue('AB-7')
  expect(screen.getAllByRole('button', { name: 'Show all 21 properties' })).toHaveLength(8)
  await user.keyboard('{Escape}{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Find anywhere' }), 'note 19')
  await waitFor(() => expect(options()).toHaveLength(8))
})

test('a value that stands behind both buttons is found and opened by one choice', async () => {
  const id = await made(full, '/users', { name: 'Ana Lopez' })
  for (let number = 0; number < 8; number += 1) {
    const notes = Array.from({ length: 20 }, (_, n) => ({
      key: `note_${n}`,
      type: 'TEXT',
      value: `${number} ${n}`,
    }))
    await made(full, `/users/${id}/entities`, { type: 'car', properties: notes })
  }
  const { user, field, options } = await open(full, 'steward', `/users/${id}`)
  await screen.findByRole('button', { name: 'Show all 8 entities' })
  await user.type(field, 'note 19')
  await waitFor(() => expect(options()).toHaveLength(8))
  await user.keyboard('{ArrowUp}{Enter}')
  const note = await screen.findByRole('textbox', { name: 'Value of Note 19' })
  await waitFor(() => expect(note).toHaveFocus())
  expect(note).toHaveValue('7 19')
  expect(screen.getAllByRole('button', { name: 'Show all 20 properties' })).toHaveLength(7)
})

test('values are offered only to those who may edit them', async () => {
  const id = await made(full, '/users', { name: 'Ana Lopez' })
  const shown = ['phone', ...Array.from({ length: 20 }, (_, n) => `note_${n}`)]
  const properties = [...shown, 'phone_at_work'].map((key) => ({ key, type: 'TEXT', value: '+33 6' }))
  await made(full, `/users/${id}/entities`, { type: 'person', properties })
  const { user, field, options } = await open(full, 'support', `/users/${id}`)
  await screen.findAllByText('+33 6')
  await user.type(field, 'phone')
  expect(await screen.findByText('Nothing matches “phone”.')).toBeVisible()
  expect(options()).toEqual([])
})
