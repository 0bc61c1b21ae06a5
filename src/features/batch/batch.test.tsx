import { resolveObjectURL } from 'node:buffer'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'

import { type Entity, type Job, roleScopes, type Scope } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { wholeList, writeMemory } from '../../domain/user-list/list-state.ts'
import { figureSpace } from '../../messages/language/pseudo.ts'
import { network } from '../../testing/network.ts'
import { listenAloud, renderApp } from '../../testing/render-app.tsx'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const soon = { timeout: 60_000 }

async function owner(name: string, plate?: string): Promise<string> {
  const user = await service.create('admin', '/users', { name })
  const properties = plate === undefined ? [] : [{ key: 'plate', type: 'TEXT', value: plate }]
  await service.create('admin', `/users/${user}/entities`, { type: 'car', properties })
  return user
}

async function carOf(user: string): Promise<Entity | undefined> {
  const cars: Entity[] = (await service.call('admin', 'GET', `/users/${user}/entities`)).body
  return cars[0]
}

async function plateOf(user: string) {
  return (await carOf(user))?.properties.find(({ key }) => key === 'plate')?.value
}

/** Opens the batch form for these users, as the user list does. */
async function openForm(
  ids: readonly string[],
  role: 'steward' | 'support' = 'steward',
  scopes: readonly Scope[] = roleScopes[role],
) {
  const app = renderApp({ service, path: '/users', role, scopes })
  await heading('Users')
  await app.router.navigate('/users/batch', { state: { ids } })
  await heading('Bulk change')
  return app
}

async function check({ user }: Awaited<ReturnType<typeof openForm>>, value: string) {
  const entity = await screen.findByRole('combobox', { name: 'Entity type' })
  await user.clear(entity)
  await user.type(entity, 'car')
  await user.type(screen.getByRole('combobox', { name: 'Property' }), 'plate')
  // The value is a text area, in which Enter inserts a line break; Ctrl+Enter submits.
  await user.type(screen.getByRole('textbox', { name: 'Value' }), `${value}{Control>}{Enter}{/Control}`)
}

async function expectRows(...expected: string[]) {
  const table = await screen.findByRole('table', { name: 'Results by user' })
  const rows = () =>
    within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
  await waitFor(() => expect(rows()).toEqual(expected), soon)
}

test('a bulk change is previewed, and then made for the users whom it changes', async () => {
  const ids = [await owner('Ana', 'A 1'), await owner('Eva', 'B 2'), await owner('Ida')]
  const app = await openForm(ids)
  expect(await screen.findByText('3 users selected')).toBeVisible()
  const said = listenAloud()
  await check(app, 'B 2')
  const change = await screen.findByRole('button', { name: 'Change 2 users' }, soon)
  expect(said).toContain('Gets the property: 1, Will be changed: 1, Already has this value: 1')
  await expectRows(
    'AnaWill be changedA 1 → B 2',
    'EvaAlready has this valueB 2',
    'IdaGets the propertynot set → B 2',
  )
  expect(await plateOf(ids[0] ?? '')).toBe('A 1')
  await app.user.click(change)
  expect(await screen.findByText('Finished', {}, soon)).toBeVisible()
  expect(said).toContain('Got the property: 1, Changed: 1, Already had this value: 1')
  await expectRows('AnaChangedA 1 → B 2', 'EvaAlready had this valueB 2', 'IdaGot the propertynot set → B 2')
  expect(await Promise.all(ids.map(plateOf))).toEqual(['B 2', 'B 2', 'B 2'])
})

test('the property to change is said by its label, and typing that label chooses it', async () => {
  const label = { en: 'Registration' }
  await service.call('admin', 'PUT', '/definitions/car/plate', { label })
  const ana = await owner('Ana', 'A 1')
  await service.create('admin', `/users/${ana}/entities`, { type: 'person', properties: [] })
  const app = await openForm([ana])
  const entity = await screen.findByRole('combobox', { name: 'Entity type' })
  await waitFor(() => expect(entity).toHaveValue('Person'))
  await app.user.clear(entity)
  await app.user.type(entity, 'car')
  expect(entity).toHaveValue('car')
  const property = screen.getByRole('combobox', { name: 'Property' })
  await app.user.click(property)
  expect(entity).toHaveValue('Car')
  await app.user.type(property, 'Registration')
  await app.user.tab()
  expect(property).toHaveValue('Registration')
  await app.user.type(screen.getByRole('textbox', { name: 'Value' }), 'B 2{Control>}{Enter}{/Control}')
  await heading('Registration (car)')
  await expectRows('AnaWill be changedA 1 → B 2')
})

test('a property that somebody else changes after the preview is left alone, and the results say so', async () => {
  const ana = await owner('Ana', 'A 1')
  const app = await openForm([ana, await owner('Eva', 'E 1')])
  await check(app, 'B 2')
  const change = await screen.findByRole('button', { name: 'Change 2 users' }, soon)
  const car = await carOf(ana)
  await service.call('admin', 'PATCH', `/users/${ana}/entities/${car?.id}`, {
    properties: [{ key: 'plate', value: 'A 9' }],
  })
  await app.user.click(change)
  expect(await screen.findByText('Finished', {}, soon)).toBeVisible()
  expect(await screen.findByText(/Someone changed the value after the preview/)).toBeVisible()
  expect(await plateOf(ana)).toBe('A 9')

  await app.user.selectOptions(
    screen.getByRole('combobox', { name: 'Show' }),
    'Changed since the preview (1)',
  )
  await expectRows(
    'AnaChanged since the previewA 9Someone changed the value after the preview, so this user was skipped.',
  )
})

test('a bulk change is undone: what others have changed since stays, and the results say of whom', async () => {
  const ids = [
    await owner('Ana', 'A 1'),
    await owner('Eva', 'E 1'),
    await owner('Ida', 'B 2'),
    await owner('Ole'),
  ]
  const set = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B 2' }
  const job = await service.create('steward', '/users/batch', { ids, set })
  await waitFor(async () => {
    const { state }: Job = (await service.call('steward', 'GET', `/jobs/${job}`)).body
    expect(state).toBe('finished')
  }, soon)
  const car = await carOf(ids[0] ?? '')
  await service.call('admin', 'PATCH', `/users/${ids[0]}/entities/${car?.id}`, {
    properties: [{ key: 'plate', value: 'A 9' }],
  })
  const { user } = renderApp({ service, path: `/jobs/${job}`, role: 'steward' })
  await user.click(await button('Undo bulk change…'))
  expect(await screen.findByText(/What someone else has changed since stays/)).toBeVisible()
  await user.type(screen.getByRole('textbox', { name: 'Reason (optional)' }), 'The wrong list')
  await user.click(await button('Restore 3 users'))
  expect(await screen.findByText('Undone', {}, soon)).toBeVisible()
  await expectRows(
    'AnaChanged since, left as it isA 1 → B 2Someone changed this after the bulk change, so it wasn’t restored.',
    'EvaRestoredE 1',
    'IdaAlready had this valueB 2',
    'OleRestorednot set',
  )
  expect(await Promise.all(ids.map(plateOf))).toEqual(['A 9', 'E 1', 'B 2', undefined])
  expect(screen.queryByRole('button', { name: 'Undo bulk change…' })).not.toBeInTheDocument()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Restored (2)')
  await expectRows('EvaRestoredE 1', 'OleRestorednot set')
})

test('an incomplete form is not sent, and focus moves to the first invalid field', async () => {
  const { user } = await openForm([await owner('Ana')])
  await user.click(await button('Preview change'))
  expect(screen.getByRole('combobox', { name: 'Property' })).toHaveFocus()
  expect(screen.getByText('Choose a property.')).toBeVisible()
  expect(screen.getByText('Enter a value, or choose “Clear value”.')).toBeVisible()
  await user.click(screen.getByRole('checkbox', { name: 'Clear value' }))
  expect(screen.queryByText('Enter a value, or choose “Clear value”.')).not.toBeInTheDocument()
})

/** Creates a user with a sensitive pin and a non-sensitive age, both numbers. */
async function readNumbers() {
  const ana = await owner('Ana')
  const properties = [
    { key: 'pin', type: 'NUMBER', value: 1234, sensitive: true },
    { key: 'age', type: 'NUMBER', value: 40 },
  ]
  await service.create('admin', `/users/${ana}/entities`, { type: 'person', properties })
  return ana
}

test('a known property brings its type, and that it is sensitive', async () => {
  const ana = await readNumbers()
  const { user } = await openForm([ana])
  await user.click(await screen.findByRole('combobox', { name: 'Property' }))
  await user.click(await screen.findByRole('option', { name: /pin/i }))
  expect(screen.getByRole('combobox', { name: 'Type' })).toHaveDisplayValue('Number')
  expect(screen.getByRole('checkbox', { name: /^Sensitive/ })).toBeChecked()
  await user.type(screen.getByRole('textbox', { name: 'Value' }), '99')
  await user.click(screen.getByRole('button', { name: 'Preview change' }))
  expect(await screen.findByRole('button', { name: 'Change 1 user' }, soon)).toBeVisible()
  expect(screen.queryByText('99')).not.toBeInTheDocument()
  await expectRows('AnaWill be changedHidden value → Hidden value')
})

test('a bulk change reads as its definitions say: labels, units and choices', async () => {
  const ana = await service.create('admin', '/users', { name: 'Ana' })
  const properties = [
    { key: 'km', type: 'NUMBER', value: 12_000 },
    { key: 'fuel', type: 'TEXT', value: 'd' },
  ]
  await service.create('admin', `/users/${ana}/entities`, { type: 'car', properties })
  const choices = [
    { value: 'd', label: { en: 'Diesel' } },
    { value: 'e', label: { en: 'Electric' } },
  ]
  for (const [path, definition] of Object.entries({
    car: { label: { en: 'Vehicle' } },
    'car/km': { label: { en: 'Mileage' }, type: 'NUMBER', unit: 'km' },
    'car/fuel': { choices },
  }))
    expect((await service.call('admin', 'PUT', `/definitions/${path}`, definition)).status).toBe(204)
  const change = async (key: string, type: string, value: unknown) =>
    service.create('steward', '/users/batch', { ids: [ana], set: { entity: 'car', key, type, value } })
  await change('km', 'NUMBER', 15_000)
  await change('fuel', 'TEXT', 'e')
  const { user } = renderApp({ service, path: '/jobs', role: 'steward' })
  await user.click(await screen.findByRole('link', { name: 'Mileage (vehicle)' }))
  await heading('Mileage (vehicle)')
  await expectRows('AnaChanged12,000\u{a0}km → 15,000\u{a0}km')
  expect(screen.getByText('New value').parentElement).toHaveTextContent('15,000 km')
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Jobs' }))
  await user.click(await screen.findByRole('link', { name: 'Fuel (vehicle)' }))
  await expectRows('AnaChangedDiesel → Electric')
})

test('earlier bulk changes are found again, and their results are a file', async () => {
  const downloads: Promise<string>[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    downloads.push(resolveObjectURL(this.href)?.text() ?? Promise.reject(new Error('No such file.')))
  })
  const ana = await owner('Ana', 'A 1')
  const set = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B 2' }
  await service.create('steward', '/users/batch', { ids: [ana], set, reason: 'New plates' })
  const { user } = renderApp({ service, path: '/jobs', role: 'steward' })
  await user.click(await screen.findByRole('link', { name: 'Plate (car)' }))
  await heading('Plate (car)')
  expect(await screen.findByText('Finished', {}, soon)).toBeVisible()
  expect(screen.getByText('New plates')).toBeVisible()
  await user.click(await button('Download results'))
  await waitFor(() => expect(downloads).toHaveLength(1))
  const results = (await downloads[0])?.replaceAll(figureSpace, '')
  expect(results).toContain(`"${ana}","Ana",`)
  expect(results).toContain('"Changed","A 1","B 2",""')
})

test('a segment leads to it for all of its members', async () => {
  const ana = await owner('Ana', 'A 1')
  await owner('Eva', 'E 1')
  const where = [{ key: 'plate', type: 'TEXT', op: 'eq', value: 'A 1' }]
  const filter = { entity: 'car', where }
  const segment = await service.create('admin', '/segments', { name: 'First plates', filter })
  const app = renderApp({ service, path: `/segments/${segment}`, role: 'steward' })
  await app.user.click(await screen.findByRole('button', { name: 'More actions' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Bulk change…' }))
  await heading('Bulk change')
  expect(await screen.findByText(/All users in “First plates”/)).toBeVisible()
  await check(app, 'B 2')
  await app.user.click(await screen.findByRole('button', { name: 'Change 1 user' }, soon))
  expect(await screen.findByText('Finished', {}, soon)).toBeVisible()
  expect(await plateOf(ana)).toBe('B 2')
})

test('a person who may not write entities is told so', async () => {
  await openForm([await owner('Ana')], 'support')
  expect(await screen.findByRole('button', { name: 'Preview change' })).toBeDisabled()
})

test('a box ticked by hand stays ticked; one ticked by a property is unticked with it', async () => {
  const { user } = await openForm([await readNumbers()])
  const key = await screen.findByRole('combobox', { name: 'Property' })
  const sensitive = screen.getByRole('checkbox', { name: /^Sensitive/ })
  await user.click(key)
  await user.click(await screen.findByRole('option', { name: /pin/i }))
  expect(sensitive).toBeChecked()
  await user.clear(key)
  await user.type(key, 'pint')
  expect(sensitive).not.toBeChecked()
  await user.click(sensitive)
  await user.clear(key)
  await user.click(await screen.findByRole('option', { name: /age/i }))
  expect(sensitive).toBeChecked()
})

test('setting a hidden property in clear is asked, and its preview says it, too', async () => {
  await readNumbers()
  const bare = await service.create('admin', '/users', {
    properties: [{ key: 'city', type: 'TEXT', value: 'Lyon' }],
  })
  const { user } = await openForm([bare])
  await user.type(await screen.findByRole('combobox', { name: 'Property' }), 'pin')
  await user.tab()
  const sensitive = screen.getByRole('checkbox', { name: /^Sensitive/ })
  await waitFor(() => expect(sensitive).toBeChecked())
  // The number of users is not asserted: it may have been counted shortly before this test.
  expect(await screen.findByText(/^Marked as sensitive for /)).toBeVisible()
  await user.click(sensitive)
  await user.click(await button('Make PIN readable'))
  expect(sensitive).not.toBeChecked()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Number')
  await user.type(screen.getByRole('textbox', { name: 'Value' }), '99')
  await user.click(screen.getByRole('button', { name: 'Preview change' }))
  await heading('PIN (person)')
  expect(await screen.findByText('This change would make PIN readable')).toBeVisible()
})

/** Previews a change of a pin, typing the entity type last. */
async function checkAtOnce({ user }: Awaited<ReturnType<typeof openForm>>) {
  const entity = await screen.findByRole('combobox', { name: 'Entity type' })
  await user.clear(entity)
  await user.type(screen.getByRole('combobox', { name: 'Property' }), 'pin')
  await user.type(screen.getByRole('textbox', { name: 'Value' }), '99')
  await user.click(entity)
  await user.keyboard('person{Control>}{Enter}{Enter}{/Control}')
}

test('a property is sensitive as its key is, however fast it is sent, and it is sent once', async () => {
  const job = Promise.withResolvers<undefined>()
  const edge = network(service, ({ method, url }) =>
    method === 'GET' && url.includes('/jobs/') ? job.promise : undefined,
  )
  const ids = [await readNumbers()]
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path: '/users', role: 'steward' })
  await heading('Users')
  await app.router.navigate('/users/batch', { state: { ids } })
  await checkAtOnce(app)
  await waitFor(() => expect(edge.requests.some(({ path }) => path.includes('/jobs/'))).toBe(true))
  await app.user.keyboard('{Enter}{Control>}{Enter}{/Control}')
  job.resolve(undefined)
  await heading('PIN (person)')
  const checks = edge.writes().filter(([, body]) => (body as { readonly dryRun?: boolean }).dryRun === true)
  expect(checks).toEqual([
    ['POST', expect.objectContaining({ set: expect.objectContaining({ key: 'pin', sensitive: true }) })],
  ])
})

test('a form whose property cannot be looked up for sensitivity is not sent', async () => {
  const edge = network(service, ({ url }) =>
    url.includes('/keys') ? new Response('', { status: 503 }) : undefined,
  )
  const ids = [await readNumbers()]
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path: '/users', role: 'steward' })
  await heading('Users')
  await app.router.navigate('/users/batch', { state: { ids } })
  await checkAtOnce(app)
  expect(await screen.findByText('Couldn’t start the preview')).toBeVisible()
  expect(screen.getByText(/Couldn’t check whether this property is sensitive/)).toBeVisible()
  expect(edge.requests.some(({ path }) => path.endsWith('/users/batch'))).toBe(false)
  expect(screen.getByRole('textbox', { name: 'Value' })).toHaveValue('99')
  edge.meet(() => undefined)
  await app.user.click(screen.getByRole('button', { name: 'Preview change' }))
  await heading('PIN (person)')
})

test('a person who may not write sensitive values is told so, and cannot set such a property in clear', async () => {
  const scopes = roleScopes.steward.filter((scope) => scope !== 'sensitive:write')
  const { user } = await openForm([await readNumbers()], 'steward', scopes)
  const sensitive = await screen.findByRole('checkbox', { name: /^Sensitive/ })
  expect(sensitive).toBeDisabled()
  await user.click(screen.getByRole('combobox', { name: 'Property' }))
  await user.click(await screen.findByRole('option', { name: /pin/i }))
  expect(sensitive).toBeChecked()
  expect(screen.getByRole('button', { name: 'Preview change' })).toBeDisabled()
  expect(sensitive).toBeDisabled()
  expect(screen.getByText(/^Marked as sensitive .* Your role can’t change sensitive values/)).toBeVisible()
})

test('a known property that is typed brings its type, too; one that nobody has is pointed out', async () => {
  const { user } = await openForm([await readNumbers()])
  const key = await screen.findByRole('combobox', { name: 'Property' })
  await user.click(key)
  await screen.findByRole('option', { name: /age/i })
  await user.type(key, 'age')
  await user.tab()
  expect(screen.getByRole('combobox', { name: 'Type' })).toHaveDisplayValue('Number')
  await user.type(screen.getByRole('textbox', { name: 'Value' }), '41')
  await user.clear(key)
  await user.type(key, 'ag')
  await user.tab()
  expect(screen.getByText('No entity of this type has this property.')).toBeVisible()
  await user.type(key, 'e')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Text')
  await user.click(screen.getByRole('button', { name: 'Use Number' }))
  expect(screen.getByRole('textbox', { name: 'Value' })).toHaveValue('41')
})

/** Creates a finished dry run of the steward; `edge` can change the state that the service reports for it. */
async function watch(ids: readonly string[], role: 'admin' | 'steward' = 'steward') {
  const set = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B 2' }
  const id = await service.create('steward', '/users/batch', { ids, set, dryRun: true })
  const done = async (): Promise<Job> => (await service.call('steward', 'GET', `/jobs/${id}`)).body
  await waitFor(async () => expect((await done()).state).toBe('finished'), soon)
  const edge = network(service)
  const open = (path: string) => renderApp({ service: { ...service, fetch: edge.fetch }, path, role })
  const polls = () => edge.requests.filter(({ path }) => path.endsWith(`/jobs/${id}`)).length
  return { id, job: await done(), edge, open, polls }
}

test('the report keeps what was read of it while the job runs', async () => {
  const ids = Array.from({ length: 120 }, () => crypto.randomUUID())
  const { id, job, edge, open, polls } = await watch(ids)
  let done = 0
  edge.meet(({ url }) => {
    if (!url.endsWith(`/jobs/${id}`)) return undefined
    done += 1
    return Response.json({ ...job, state: 'running', dryRun: false, done })
  })
  const { user } = open(`/jobs/${id}`)
  const rows = () => screen.getAllByRole('row').length - 1
  await user.click(await button('Show more'))
  await waitFor(() => expect(rows()).toBe(120))
  const before = polls()
  await waitFor(() => expect(polls()).toBeGreaterThan(before + 2), soon)
  expect(rows()).toBe(120)
})

test('the list of jobs follows their progress', async () => {
  const { job, edge, open } = await watch([await owner('Ana', 'A 1')])
  let isRunning = true
  edge.meet(({ url }) =>
    url.endsWith('/jobs') && isRunning ? Response.json([{ ...job, state: 'running' }]) : undefined,
  )
  open('/jobs')
  expect(await screen.findByText('Previewing')).toBeVisible()
  isRunning = false
  expect(await screen.findByText('Previewed', {}, soon)).toBeVisible()
})

test('a colleague’s job says whose it is, and that only they can continue it', async () => {
  const { open } = await watch([await owner('Ana', 'A 1')], 'admin')
  const { user } = open('/jobs')
  expect(await screen.findByRole('cell', { name: 'steward' })).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Plate (car)' }))
  expect(
    await screen.findByText('Only steward, who started this preview, can make the change.'),
  ).toBeVisible()
})

test('back from the preview, the form is as it was filled in, until the change is made', async () => {
  const app = await openForm([await owner('Ana', 'A 1')])
  const back = () => app.user.click(screen.getByRole('link', { name: 'Bulk change' }))
  const value = () => screen.findByRole('textbox', { name: 'Value' })
  await check(app, 'B 2')
  await screen.findByRole('button', { name: 'Change 1 user' }, soon)
  await back()
  expect(await value()).toHaveValue('B 2')
  expect(screen.getByText('1 user selected')).toBeVisible()
  await app.user.type(await value(), '3')
  await app.user.click(screen.getByRole('button', { name: 'Preview change' }))
  await app.user.click(await screen.findByRole('button', { name: 'Change 1 user' }, soon))
  expect(await screen.findByText('Finished', {}, soon)).toBeVisible()
  await app.router.navigate(-1)
  expect(await value()).toHaveValue('')
})

test('back from the preview for a filtered list, the filter is still there', async () => {
  await owner('Ana', 'A 1')
  await owner('Eva', 'E 1')
  const app = renderApp({ service, path: '/users', role: 'steward' })
  await heading('Users')
  const plate = { key: 'plate', type: 'TEXT', op: 'eq', value: 'A 1' } as const
  const conditions = [{ id: '1', filter: { entity: 'car', where: [plate] }, isSensitive: false }]
  writeMemory(app.queryClient, 'entry', { ...wholeList, conditions })
  await app.router.navigate('/users/batch', { state: { listEntry: 'entry' } })
  await heading('Bulk change')
  await check(app, 'B 2')
  await screen.findByRole('button', { name: 'Change 1 user' }, soon)
  await app.user.click(screen.getByRole('link', { name: 'Bulk change' }))
  expect(await screen.findByRole('textbox', { name: 'Value' })).toHaveValue('B 2')
  await app.user.click(screen.getByRole('button', { name: 'Preview change' }))
  expect(await screen.findByRole('button', { name: 'Change 1 user' }, soon)).toBeVisible()
})
