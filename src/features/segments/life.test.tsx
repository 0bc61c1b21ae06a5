import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { Segment } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { startTestService, type TestService } from '#server/testing/service.ts'
import { segmentEditText } from '../../messages/index.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())

async function create(path: string, body: object): Promise<string> {
  const { headers, status } = await service.call('admin', 'POST', path, body)
  expect(status).toBe(201)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

const createSegment = (body: object) => create('/segments', body)

async function readSegment(id: string): Promise<Segment> {
  return (await service.call('admin', 'GET', `/segments/${id}`)).body
}

async function storedSegments(): Promise<Segment[]> {
  return (await service.call('admin', 'GET', '/segments')).body
}

const nameIs = (value: string) => ({ all: [{ user: 'name', op: 'eq', value }] })
const part = (name: string) => within(screen.getByRole('group', { name }))
const preview = () => within(screen.getByRole('region', { name: 'Who matches now' }))
const save = () => screen.getByRole('button', { name: 'Save segment' })

async function openEdit(id: string, as: Pick<TestService, 'fetch'> = service) {
  const app = renderApp({ service: { ...service, fetch: as.fetch }, path: `/segments/${id}/edit` })
  await screen.findByRole('button', { name: 'Add condition' })
  return app
}

type User = ReturnType<typeof renderApp>['user']
/** Adds a condition on what the list of subjects marks for a text, to the filter or to a group. */
async function addCondition(user: User, typed: string, to = '') {
  await user.click(screen.getByRole('button', { name: `Add condition${to}` }))
  await user.type(await screen.findByRole('combobox', { name: 'Property, consent, segment…' }), typed)
  await user.keyboard('{Enter}')
}

async function retype(user: User, label: string, value: string) {
  await user.clear(screen.getByLabelText(label))
  if (value !== '') await user.type(screen.getByLabelText(label), value)
}

test('while a filter is written it is said how many users it finds and who they are', async () => {
  await create('/users', { name: 'Ana Lopez', email: 'ana@example.org' })
  await create('/users', { name: 'Bo Berg' })
  const { user } = renderApp({ service, path: '/segments/new' })
  await screen.findByRole('button', { name: 'Add condition' })
  // The list of members appears after the form.
  await screen.findByRole('region', { name: 'Who matches now' })
  expect(await preview().findByText('2 users')).toBeVisible()
  expect(await preview().findByText('out of 2')).toBeVisible()
  expect(preview().getByRole('link', { name: 'Ana Lopez, opens in a new tab' })).toBeVisible()

  await addCondition(user, 'name')
  expect(preview().getByText(/^Finish the filter/)).toBeVisible()
  await user.type(part('Condition 1').getByLabelText('Value'), 'bo berg')
  expect(await preview().findByText('1 user')).toBeVisible()
  expect(preview().getByRole('link', { name: 'Bo Berg, opens in a new tab' })).toBeVisible()
  expect(preview().queryByText('Ana Lopez')).not.toBeInTheDocument()
  expect(preview().getByText(/^Counted/)).toHaveTextContent(/^Counted .* in \d/)
  expect(await storedSegments()).toEqual([])
})

test('a count that fails says so, can be tried again, and keeps nobody from saving', async () => {
  let failing = true
  const { fetch } = network(service, ({ url }) =>
    failing && url.endsWith('/preview')
      ? Response.json({ detail: 'The database is away.' }, { status: 500 })
      : undefined,
  )
  const { user } = renderApp({ service: { ...service, fetch }, path: '/segments/new' })
  await user.type(await screen.findByLabelText('Name'), 'Uncounted')
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Couldn’t count the matching users')
  expect(alert).toHaveTextContent('You can still save the segment.')
  failing = false
  await user.click(within(alert).getByRole('button'))
  expect(await preview().findByText('0 users')).toBeVisible()
  failing = true
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  await screen.findByRole('heading', { level: 1, name: 'Uncounted' })
})

test('a filter on a sensitive key is counted once it is saved, where values are revealed for a reason alone', async () => {
  const revealing = await startTestService({ sensitiveReads: 'reveal' })
  const properties = [{ key: 'phone', type: 'TEXT', value: '1', sensitive: true }]
  await revealing.create('steward', '/users', { name: 'Ana Lopez', properties })
  const where = [{ key: 'phone', type: 'TEXT', op: 'exists' }]
  const filter = { all: [{ entity: 'person', where }] }
  const id = await revealing.create('admin', '/segments', { name: 'With a phone', filter })
  renderApp({ service: revealing, path: `/segments/${id}/edit` })
  await screen.findByRole('button', { name: 'Add condition' })
  expect(await preview().findByText(/Save the segment to see who matches/)).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  await revealing.close()
})

test('a count for an older filter is cancelled, and never shown for the newer one', async () => {
  await create('/users', { name: 'Ana' })
  const given: AbortSignal[] = []
  let holding = false
  const { fetch } = network(service, ({ url, signal }) => {
    if (!holding || !url.endsWith('/preview')) return undefined
    given.push(signal)
    holding = false
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const { user } = renderApp({ service: { ...service, fetch }, path: '/segments/new' })
  await screen.findByRole('button', { name: 'Add condition' })
  await preview().findByText('1 user')
  holding = true
  await addCondition(user, 'e-mail')
  await user.type(part('Condition 1').getByLabelText('Value'), 'ana@example.org')
  await waitFor(() => expect(given).toHaveLength(1))
  expect(preview().getByText('Counting… Showing the previous result.')).toBeVisible()
  expect(preview().getByText('1 user').closest('[data-old]')).not.toBeNull()
  await user.selectOptions(part('Condition 1').getByLabelText('Comparison'), 'has no value')
  await waitFor(() => expect(given[0]?.aborted).toBe(true))
  expect(await preview().findByText(/^Counted/)).toBeVisible()
  expect(preview().getByText('1 user').closest('[data-old]')).toBeNull()
  // An unfinished condition keeps the last result too, and says so.
  await user.selectOptions(part('Condition 1').getByLabelText('Comparison'), 'contains')
  await user.clear(part('Condition 1').getByLabelText('Value'))
  expect(await preview().findByText(/Showing the previous result\.$/)).toBeVisible()
  expect(preview().getByText('1 user').closest('[data-old]')).not.toBeNull()
})

test('a segment is edited in place and keeps its id', async () => {
  const id = await createSegment({ name: 'Before', description: 'Old words', filter: nameIs('Ana') })
  const { user, router } = renderApp({ service, path: `/segments/${id}` })
  await user.click(await screen.findByRole('link', { name: 'Edit' }))
  await screen.findByRole('button', { name: 'Add condition' })
  await retype(user, 'Name', 'After')
  await retype(user, 'Description', '')
  await user.clear(part('Condition 1').getByLabelText('Value'))
  await user.type(part('Condition 1').getByLabelText('Value'), 'Bo')
  await user.click(save())
  await screen.findByRole('heading', { level: 1, name: 'After' })
  await waitFor(() => expect(router.state.location.pathname).toBe(`/segments/${id}`))
  expect(screen.getByText('Users whose name is “Bo”.')).toBeVisible()
  expect(await readSegment(id)).toMatchObject({ name: 'After', filter: nameIs('Bo') })
  expect((await readSegment(id)).description ?? '').toBe('')
})

test('leaving an edit asks first, an untouched one does not', async () => {
  const id = await createSegment({ name: 'Kept', filter: { all: [] } })
  const { user, router } = await openEdit(id)
  await user.type(screen.getByLabelText('Name'), '!')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  const question = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(question).not.toBeInTheDocument())
  await user.type(screen.getByLabelText('Name'), '{Backspace}')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/segments/${id}`))
})

test('two people’s edits of different members are merged', async () => {
  const id = await createSegment({ name: 'Shared', filter: nameIs('Ana') })
  const { user } = await openEdit(id)
  await service.call('admin', 'PUT', `/segments/${id}`, { name: 'Shared', filter: nameIs('Cy') })
  await retype(user, 'Name', 'Renamed')
  await user.click(save())
  expect(
    await screen.findByText('“Renamed” saved. Someone else changed filter: their changes are kept.'),
  ).toBeVisible()
  expect(await readSegment(id)).toMatchObject({ name: 'Renamed', filter: nameIs('Cy') })
})

test('two people’s edits of the same member need a choice, and going back loses nothing', async () => {
  const id = await createSegment({ name: 'Shared', filter: nameIs('Ana') })
  const { user } = await openEdit(id)
  await service.call('admin', 'PUT', `/segments/${id}`, { name: 'Theirs', filter: nameIs('Cy') })
  await retype(user, 'Name', 'Mine')
  await user.clear(part('Condition 1').getByLabelText('Value'))
  await user.type(part('Condition 1').getByLabelText('Value'), 'Bo')
  await user.click(save())
  let dialog = await screen.findByRole('dialog', { name: '“Shared” has changed since you opened it' })
  await user.click(within(dialog).getByRole('button', { name: 'Back to editing' }))
  expect(screen.getByLabelText('Name')).toHaveValue('Mine')
  expect(await readSegment(id)).toMatchObject({ name: 'Theirs', filter: nameIs('Cy') })

  await user.click(save())
  dialog = await screen.findByRole('dialog', { name: '“Shared” has changed since you opened it' })
  const choose = within(dialog).getByRole('button', { name: 'Save' })
  expect(choose).toBeDisabled()
  await user.click(within(dialog).getByRole('radio', { name: 'Yours Mine' }))
  await user.click(within(dialog).getByRole('radio', { name: 'Theirs Users whose name is “Cy”.' }))
  await user.click(choose)
  await screen.findByRole('heading', { level: 1, name: 'Mine' })
  expect(await readSegment(id)).toMatchObject({ name: 'Mine', filter: nameIs('Cy') })
})

test('issues that the service finds in an edit are marked where they occur', async () => {
  const id = await createSegment({ name: 'Round', filter: { all: [] } })
  const other = await createSegment({ name: 'Uses it', filter: { segment: id } })
  const { user } = await openEdit(id)
  await user.click(screen.getByRole('button', { name: 'Add condition' }))
  expect(await screen.findByRole('option', { name: /Uses it/ })).toBeVisible()
  expect(screen.queryByRole('option', { name: /Round/ })).not.toBeInTheDocument()
  await user.click(screen.getByRole('option', { name: /Uses it/ }))
  const choice = part('Condition 1').getByLabelText('Segment')
  await user.click(save())
  await waitFor(() => expect(choice).toBeInvalid())
  expect(choice).toHaveValue(other)
  expect((await readSegment(id)).filter).toEqual({ all: [] })
})

test('an edit whose answer was lost is sent again and done once', async () => {
  const id = await createSegment({ name: 'Lost', filter: { all: [] } })
  const keys: (string | null)[] = []
  const { fetch } = network(service, async ({ method, headers }, onward) => {
    if (method !== 'PUT') return undefined
    const response = await onward()
    keys.push(headers.get('Idempotency-Key'))
    if (keys.length === 1) throw new TypeError('offline')
    return response
  })
  const { user } = await openEdit(id, { fetch })
  await retype(user, 'Name', 'Found')
  await user.click(save())
  expect(await screen.findByText('Your changes may have been saved')).toBeVisible()
  expect(screen.getByLabelText('Name')).toHaveValue('Found')
  await user.click(save())
  await screen.findByRole('heading', { level: 1, name: 'Found' })
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('a segment that somebody deleted during its edit can be created again from what was typed', async () => {
  const id = await createSegment({ name: 'Going', filter: nameIs('Ana') })
  const { user } = await openEdit(id)
  await retype(user, 'Name', 'Back again')
  await service.call('admin', 'DELETE', `/segments/${id}`)
  await user.click(save())
  expect(await screen.findByText('Someone else deleted this segment')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  await screen.findByRole('heading', { level: 1, name: 'Back again' })
  expect(await storedSegments()).toMatchObject([{ name: 'Back again', filter: nameIs('Ana') }])
})

test('a duplicate begins with everything of the original, which stays', async () => {
  const original = { description: 'Why', tz: 'Europe/Berlin', filter: nameIs('Ana') }
  const id = await createSegment({ name: 'Original', ...original })
  const { user, router } = renderApp({ service, path: `/segments/${id}` })
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate…' }))
  const name = segmentEditText.copyOf({ segment: 'Original' })
  expect(await screen.findByLabelText('Name')).toHaveValue(name)
  await screen.findByRole('button', { name: 'Add condition' })
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  await screen.findByRole('heading', { level: 1, name: 'Copy of Original' })
  expect(router.state.location.pathname).not.toContain(id)
  expect(await storedSegments()).toMatchObject([
    { name: 'Original', ...original },
    { name, ...original },
  ])
})

test('a segment shows its users, who uses it, and says so before it is deleted', async () => {
  await create('/users', { name: 'Ana Lopez', email: 'ana@example.org' })
  await create('/users', { name: 'Bo Berg' })
  const id = await createSegment({ name: 'Anas', filter: nameIs('Ana Lopez') })
  await createSegment({ name: 'All but them', filter: { all: [{ not: { segment: id } }] } })
  const { user } = renderApp({ service, path: `/segments/${id}` })
  const members = await screen.findByRole('table', { name: 'Users in this segment' })
  expect(await within(members).findByRole('link', { name: 'Ana Lopez' })).toBeVisible()
  expect(within(members).queryByText('Bo Berg')).not.toBeInTheDocument()
  expect(within(members).getByRole('cell', { name: '—' })).toBeVisible()
  expect(screen.getByText(/^1 user\b/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'All but them' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Export users' })).toHaveAttribute(
    'href',
    `/users/export?segment=${id}`,
  )
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete segment…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete Anas?' })
  expect(within(dialog).getByRole('link', { name: 'All but them' })).toBeVisible()
})

test('the list tells how many users a segment has once they are counted, and who uses it', async () => {
  await create('/users', { name: 'Ana the counted' })
  // A unique filter, because the service caches the count of a filter for a while.
  const id = await createSegment({ name: 'Counted', filter: nameIs('Ana the counted') })
  await createSegment({ name: 'Nobody else', filter: { all: [{ segment: id }, nameIs('Zoe')] } })
  renderApp({ service, path: '/segments' })
  expect(await screen.findByRole('link', { name: 'Show 1 user of Counted' })).toHaveAttribute(
    'href',
    `/users?segment=${id}`,
  )
  expect(await screen.findByRole('link', { name: 'Show 0 users of Nobody else' })).toBeVisible()
  const row = within(screen.getByRole('row', { name: /^Counted/ }))
  expect(row.getByRole('link', { name: 'Nobody else' })).toBeVisible()
})

test('the list is searched by name, description and filter', async () => {
  for (let index = 0; index < 10; index += 1)
    await createSegment({ name: `Segment ${index}`, filter: { all: [] } })
  await createSegment({ name: 'Renaults', description: 'Letter', filter: nameIs('Zoe') })
  const { user } = renderApp({ service, path: '/segments' })
  const table = await screen.findByRole('table', { name: 'Segments' })
  const names = () => within(table).getAllByRole('row').length - 1
  expect(names()).toBe(11)
  for (const typed of ['renau', 'letter', 'zoe']) {
    await retype(user, 'Find a segment', typed)
    expect(names()).toBe(1)
  }
  await retype(user, 'Find a segment', 'nothing like it')
  expect(screen.getByText('No segment matches')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Show all segments' }))
  expect(screen.getByText('11 segments')).toBeVisible()
})
