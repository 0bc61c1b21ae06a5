import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'

import type { User } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { clearToasts } from '../../ui/toast.tsx'

const service = testService()
beforeEach(() => {
  clearToasts()
  return service.reset()
})

async function create(path: string, body: unknown): Promise<string> {
  const { headers } = await service.call('admin', 'POST', path, body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function readUser(id: string): Promise<User> {
  return (await service.call('admin', 'GET', `/users/${id}`)).body
}

const ana = { name: 'Ana', email: 'ana@example.org', ref: 'C-1', since: '2021-03-28T02:30:00.250' }

async function openUser(body: unknown = ana, role: 'support' | 'admin' = 'support') {
  const id = await create('/users', body)
  const edge = network(service)
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path: `/users/${id}`, role })
  await screen.findByRole('region', { name: 'Identity' })
  const identity = within(screen.getByRole('region', { name: 'Identity' }))
  const field = (name: string | RegExp) => identity.getByRole('textbox', { name })
  const press = (name: string | RegExp) => app.user.click(identity.getByRole('button', { name }))
  const edit = async () => {
    await press('Edit')
    await identity.findByRole('textbox', { name: 'Name' })
  }
  return { ...app, id, edge, identity, field, press, edit }
}

test('an edit sends only what was changed and shows what the service then says', async () => {
  const { user, id, edge, field, press, edit } = await openUser()
  await edit()
  expect(field('Name')).toHaveFocus()
  await user.clear(field('Name'))
  await user.type(field('Name'), 'Ana Lopez')
  await press('Save 1 change')
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana Lopez' })).toBeVisible()
  expect(edge.writes()).toEqual([['PATCH', { name: 'Ana Lopez' }]])
  expect(await readUser(id)).toMatchObject({ ...ana, name: 'Ana Lopez' })
  expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus()
})

test('Ctrl+S saves it as Enter does, and nothing while nothing is changed', async () => {
  const { user, edge, field, edit } = await openUser()
  await edit()
  await user.click(field('Ref'))
  await user.keyboard('{Control>}s{/Control}')
  expect(edge.writes()).toEqual([])
  await user.keyboard('-new{Control>}s{/Control}')
  expect(await screen.findByText('C-1-new')).toBeVisible()
  expect(edge.writes()).toEqual([['PATCH', { ref: 'C-1-new' }]])
})

test('a cleared field goes back to nothing, and since is sent as it was written', async () => {
  const { user, id, edge, field, press, edit } = await openUser()
  await edit()
  expect(field(/^Since/)).toHaveValue('Mar 28, 2021, 02:30:00.250')
  await user.clear(field('Name'))
  await user.clear(field(/^Since/))
  await user.type(field(/^Since/), '2020-10-25 02:30')
  await press('Save 2 changes')
  expect(await screen.findByRole('heading', { level: 1, name: 'No name' })).toBeVisible()
  expect(edge.writes()).toEqual([['PATCH', { name: '', since: '2020-10-25T02:30:00' }]])
  expect(await readUser(id)).toMatchObject({ name: 'Unknown user', since: '2020-10-25T02:30:00.000' })
})

test('somebody else has this e-mail: told at the field, with what was typed', async () => {
  await create('/users', { email: 'bob@example.org' })
  const { user, id, field, press, edit } = await openUser()
  await edit()
  await user.clear(field('E-mail'))
  await user.type(field('E-mail'), 'bob@example.org')
  await press('Save 1 change')
  await waitFor(() =>
    expect(field('E-mail')).toHaveAccessibleDescription('Another user has this e-mail address.'),
  )
  expect(field('E-mail')).toHaveValue('bob@example.org')
  expect(screen.queryByText('Not saved')).toBeNull()
  expect(await readUser(id)).toMatchObject(ana)
})

test('a save that meets a failing network loses nothing, and works when pressed again', async () => {
  const { user, id, edge, field, press, edit } = await openUser()
  await edit()
  await user.type(field('Ref'), '-new')
  edge.loseNext('PATCH')
  await press('Save 1 change')
  expect(await screen.findByText('Your changes may have been saved')).toBeVisible()
  expect(field('Ref')).toHaveValue('C-1-new')
  expect(edge.writes()).toHaveLength(1)
  await press('Save 1 change')
  expect(await screen.findByText('C-1-new')).toBeVisible()
  expect(await readUser(id)).toMatchObject({ ...ana, ref: 'C-1-new' })
})

test('leaving with unsaved edits asks; staying keeps them', async () => {
  const { user, field, edit, router } = await openUser()
  await edit()
  await user.type(field('Name'), ' Lopez')
  await user.click(
    within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Segments' }),
  )
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(field('Name')).toHaveValue('Ana Lopez')
  await user.click(
    within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Segments' }),
  )
  await user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/segments'))
})

test("an entity's unsaved edits are kept while another one is opened, and asked about when the user is left", async () => {
  const entity = (city: string) => ({
    type: 'address',
    properties: [{ key: 'city', type: 'TEXT', sensitive: false, value: city }],
  })
  const id = await create('/users', ana)
  const [first, second] = [
    await create(`/users/${id}/entities`, entity('Lyon')),
    await create(`/users/${id}/entities`, entity('Nice')),
  ]
  const { user, router } = renderApp({ service, path: `/users/${id}/entities/${first}` })
  const openOther = async () => user.click(await screen.findByRole('link', { name: 'Edit Nice address' }))
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await user.type(await screen.findByRole('textbox', { name: 'Ref' }), '-new')
  await openOther()
  await waitFor(() => expect(router.state.location.pathname).toContain(second))
  expect(screen.getByRole('textbox', { name: 'Ref' })).toHaveValue('C-1-new')

  await screen.findByDisplayValue('Nice')
  void router.navigate(-1)
  await user.type(await screen.findByDisplayValue('Lyon'), '!')
  await user.type(screen.getByRole('textbox', { name: 'Ref' }), '{Backspace>4/}')
  await user.type(await screen.findByRole('textbox', { name: 'Ref' }), '-new')
  await openOther()
  await screen.findByDisplayValue('Nice')
  expect(screen.getByDisplayValue('Lyon!')).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Activity' }))
  await waitFor(() => expect(screen.queryByDisplayValue('Lyon!')).toBeNull())
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Users' }))
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  await user.click(screen.getByRole('link', { name: 'Entities' }))
  expect(await screen.findByDisplayValue('Lyon!')).toBeVisible()
})

test('a user is deleted once the e-mail is typed; the list says so, and when that is final', async () => {
  const iban = { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02120300000000202051' }
  const earlier = await service.call('steward', 'POST', '/users', { properties: [iban] })
  await service.call('admin', 'DELETE', `/users/${earlier.headers.get('location')?.split('/').at(-1)}`)
  const { user, id, router } = await openUser(ana, 'admin')
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete user…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Ana?' }))
  expect(dialog.getByRole('button', { name: 'Delete user' })).toBeDisabled()
  expect(
    await dialog.findByText(
      /^Sensitive data becomes unrecoverable once the operator .* Backups made before then still contain it\.$/,
    ),
  ).toBeVisible()
  expect(dialog.getByText(/1 earlier deletion isn’t final yet\. Oldest:/)).toBeVisible()
  await user.type(dialog.getByRole('textbox', { name: /^Type/ }), 'ana@example.org')
  await user.type(dialog.getByRole('textbox', { name: 'Reference (optional)' }), ' Ticket 4711 ')
  await user.click(dialog.getByRole('button', { name: 'Delete user' }))
  // The user had no sensitive value, so the message promises no later final deletion.
  expect(await screen.findByText('Ana deleted')).toBeVisible()
  const kept = await service.call('admin', 'GET', `/erasures?state=all&user=${id}`)
  expect(kept.body).toMatchObject({ erasures: [{ actor: 'admin', reference: 'Ticket 4711' }] })
  expect(await screen.findByText('No users yet')).toBeVisible()
  expect((await service.call('admin', 'GET', `/users/${id}`)).status).toBe(404)

  void router.navigate(`/users/${id}`)
  expect(await screen.findByRole('heading', { name: 'User not found' })).toBeVisible()
})

test('a dialog that a menu opened gives the focus back to the button of the menu', async () => {
  const { user } = await openUser(ana, 'admin')
  const actions = screen.getByRole('button', { name: 'More actions' })
  actions.focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('menuitem', { name: 'Delete user…' })).toBeVisible()
  await user.keyboard('{End}{Enter}')
  expect(await screen.findByRole('dialog', { name: 'Delete Ana?' })).toBeVisible()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(actions).toHaveFocus())
})

test('no trace of a deleted user stays in memory, neither what was read nor what was written', async () => {
  const city = { key: 'city', type: 'TEXT', value: 'Lisbon' }
  const { user, queryClient, field, press, edit } = await openUser({ ...ana, properties: [city] }, 'admin')
  const memory = () => {
    const answers = queryClient.getQueryCache().getAll()
    const writes = queryClient.getMutationCache().getAll()
    return JSON.stringify([answers.map(({ state }) => state), writes.map(({ state }) => state)])
  }
  await edit()
  await user.clear(field('Name'))
  await user.type(field('Name'), 'Beatrix')
  await press('Save 1 change')
  expect(await screen.findByRole('heading', { level: 1, name: 'Beatrix' })).toBeVisible()
  expect(await screen.findByText('Lisbon')).toBeVisible()
  expect(memory()).toMatch(/Beatrix.*Lisbon|Lisbon.*Beatrix/)
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete user…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Beatrix?' }))
  await user.type(dialog.getByRole('textbox', { name: /^Type/ }), 'ana@example.org')
  await user.click(dialog.getByRole('button', { name: 'Delete user' }))
  expect(await screen.findByText('No users yet')).toBeVisible()
  await waitFor(() => expect(memory()).not.toMatch(/Beatrix|Lisbon|ana@example/))
})

test('a role that may write users and not delete them is told so in the menu', async () => {
  const { user, id } = await openUser(ana, 'support')
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  const item = await screen.findByRole('menuitem', { name: 'Delete user…' })
  expect(item).toHaveAttribute('aria-disabled', 'true')
  expect(item).toHaveAttribute('data-hint', 'Your role can’t delete users.')
  await user.click(item)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await readUser(id)).toMatchObject(ana)
})

test('a reference with personal data is not sent, or is refused, and can be corrected', async () => {
  const iban = { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02120300000000202051' }
  const { user, edge, router } = await openUser({ name: 'Ana López', properties: [iban] }, 'admin')
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete user…' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByRole('textbox', { name: /^Type/ }), 'delete')
  const reference = dialog.getByRole('textbox', { name: 'Reference (optional)' })
  const write = async (value: string) => {
    await user.clear(reference)
    await user.click(reference)
    await user.paste(value)
    await user.click(dialog.getByRole('button', { name: 'Delete user' }))
  }
  await write('x'.repeat(101))
  expect(dialog.getByText('Use at most 100 characters.')).toBeVisible()
  expect(reference).toHaveFocus()
  await write('for ana@example.org')
  expect(dialog.getByText(/^Leave out the e-mail address/)).toBeVisible()
  await write('a\u202eb')
  expect(dialog.getByText(/^Use letters, digits/)).toBeVisible()
  expect(edge.requests.filter(({ method }) => method === 'DELETE')).toEqual([])
  await write('asked by Ana López')
  expect(await dialog.findByText(/^The reference identifies the user/)).toBeVisible()
  await write('🙂'.repeat(100))
  expect(
    await screen.findByText(
      'Ana López deleted. Sensitive data becomes unrecoverable once the operator of this service has replaced its master key.',
    ),
  ).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Deleted users' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Deleted users' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/users/deleted')
})

test('a deletion that fails stays in its dialog, and unsaved edits do not hold up one that works', async () => {
  const { user, edge, field, edit } = await openUser({ name: 'Ana' }, 'admin')
  await edit()
  await user.type(field('Name'), ' Lopez')
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete user…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Ana?' }))
  await user.type(dialog.getByRole('textbox', { name: /^Type/ }), 'delete')
  edge.loseNext('DELETE')
  await user.click(dialog.getByRole('button', { name: 'Delete user' }))
  expect(await dialog.findByText(/You can safely delete the user again/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Delete user' }))
  expect(await screen.findByText(/^Ana deleted/)).toBeVisible()
})

test('the timeline says a value as its definition does', async () => {
  const id = await create('/users', ana)
  const choices = [
    { value: 'de', label: { en: 'German' } },
    { value: 'fr', label: { en: 'French' } },
  ]
  await service.call('steward', 'PUT', '/definitions/person/language', { type: 'TEXT', choices })
  const entity = await create(`/users/${id}/entities`, {
    type: 'person',
    properties: [{ key: 'language', type: 'TEXT', value: 'de' }],
  })
  await service.call('steward', 'PATCH', `/users/${id}/entities/${entity}`, {
    properties: [{ key: 'language', value: 'fr' }],
  })
  renderApp({ service, path: `/users/${id}/activity` })
  const changed = await screen.findByRole('button', { name: 'Changed Language' })
  await waitFor(() => expect(changed.closest('li')).toHaveTextContent('Language German → French'))
})

test('consents of all entities say what holds now, and what has ended or is still to come', async () => {
  const id = await create('/users', ana)
  const began = { statusDate: '2019-03-01T10:00:00Z' }
  const [past, future] = ['2020-01-01T10:00:00Z', '2899-01-01T10:00:00Z']
  const consents = (values: Readonly<Record<string, object | null>>) =>
    Object.entries(values).map(([key, value]) => ({ key, type: 'PREFERENCE', value }))
  await create(`/users/${id}/entities`, {
    type: 'person',
    properties: consents({
      newsletter: { status: 'GRANTED', ...began, expires: past },
      calls: { status: 'GRANTED', ...began, expires: future },
      letters: { status: 'GRANTED', statusDate: future },
      visits: { status: 'DENIED', ...began, expires: past },
      parcels: null,
    }),
  })
  await create(`/users/${id}/entities`, {
    type: 'car',
    properties: consents({ news: { status: 'REVOKED', ...began } }),
  })
  renderApp({ service, path: `/users/${id}` })
  const listed = within(await screen.findByRole('region', { name: 'Consents' })).getAllByRole('listitem')
  expect(listed.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^NewsletterExpired Jan 1, 2020$/),
    expect.stringMatching(/^CallsGranted · \d+y ago$/),
    expect.stringMatching(/^LettersGranted from Jan 1, 2899$/),
    expect.stringMatching(/^VisitsDenied until Jan 1, 2020$/),
    expect.stringMatching(/^Car newsRevoked · \d+y ago$/),
  ])
  const tones = listed.map((item) => item.querySelector('[data-tone]')?.getAttribute('data-tone'))
  expect(tones).toEqual([undefined, 'success', undefined, undefined, undefined])
})

test('the invitation is read on request, copied, and shown nowhere', async () => {
  const { user, id, container, queryClient } = await openUser()
  const copy = vi.spyOn(navigator.clipboard, 'writeText')
  const address = /invitation\?/
  expect((await readUser(id)).invite_url).toMatch(address)
  expect(container.innerHTML).not.toMatch(address)
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Copy invitation link' }))
  expect(await screen.findByText(/Invitation link copied/)).toBeVisible()
  const copied = copy.mock.calls[0]?.[0] ?? ''
  expect(copied).toMatch(address)
  expect(new URL(copied).searchParams.get('user')).toBe(id)
  const kept = queryClient
    .getQueryCache()
    .getAll()
    .map(({ state }) => state.data)
  expect(JSON.stringify(kept)).not.toMatch(address)
})

test('"Users" leads back to the page of the list that one came from', async () => {
  for (let index = 1; index <= 55; index += 1) await create('/users', { name: `Person ${index}` })
  const { user } = renderApp({ service, path: '/users' })
  await screen.findByText('1–50 of 55')
  await user.click(screen.getByRole('button', { name: 'Next' }))
  await user.click(await screen.findByRole('link', { name: 'Person 53' }))
  await screen.findByRole('heading', { level: 1, name: 'Person 53' })
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Users' }))
  expect(await screen.findByText('51–55 of 55')).toBeVisible()
})

test('"Users" leads the next person who signs in to all users, not to the list of the previous person', async () => {
  const id = await create('/users', ana)
  const segment = { name: 'None', filter: { user: 'name', op: 'eq', value: 'Nobody' } }
  const before = renderApp({ service, path: `/users?segment=${await create('/segments', segment)}` })
  await screen.findByText('No users in this segment')
  before.unmount()
  const { user } = renderApp({ service, path: `/users/${id}` })
  // Waits for the page, because its link replaces the skeleton's.
  await screen.findByText(ana.email)
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Users' }))
  expect(await screen.findByRole('link', { name: 'Ana' })).toBeVisible()
})

test('a role that may not read users does not see one', async () => {
  const id = await create('/users', ana)
  renderApp({ service, path: `/users/${id}`, role: 'integrator' })
  expect(await screen.findByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible()
  expect(screen.queryByText('Ana')).toBeNull()
})
