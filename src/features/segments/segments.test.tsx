import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'

import type { Segment } from '#contract/index.ts'
import { readCounts, testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())

async function createUser(body: object): Promise<string> {
  const { headers } = await service.call('admin', 'POST', '/users', body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function createSegment(body: object): Promise<string> {
  const { headers, status } = await service.call('admin', 'POST', '/segments', body)
  expect(status).toBe(201)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function storedSegments(): Promise<Segment[]> {
  return (await service.call('admin', 'GET', '/segments')).body
}

const car = (make: string, year: number) => ({
  type: 'car',
  properties: [
    { key: 'make', type: 'TEXT', value: make },
    { key: 'year', type: 'NUMBER', value: year },
  ],
})

type User = ReturnType<typeof renderApp>['user']

/** Adds a condition on what the list of subjects marks for a text, to the filter or to a group. */
async function addCondition(user: User, typed: string, to = '') {
  await user.click(screen.getByRole('button', { name: `Add condition${to}` }))
  await user.type(await screen.findByRole('combobox', { name: 'Property, consent, segment…' }), typed)
  await user.keyboard('{Enter}')
}

/** Presses Tab until a control has the focus. */
async function tabTo(user: User, element: HTMLElement) {
  for (let steps = 0; document.activeElement !== element; steps += 1) {
    if (steps > 200) throw new Error('The control cannot be reached with the Tab key.')
    await user.tab()
  }
}

async function press(user: User, element: HTMLElement) {
  await tabTo(user, element)
  await user.keyboard('{Enter}')
}

async function choose(user: User, element: HTMLElement, option: string) {
  await tabTo(user, element)
  // Unlike a real browser, the simulated one does not change a select by key.
  await user.selectOptions(element, option)
}

async function type(user: User, element: HTMLElement, text: string) {
  await tabTo(user, element)
  await user.keyboard(text)
}

const part = (name: string) => within(screen.getByRole('group', { name }))

test('a nested segment is built by keyboard alone, and holds the users it should', async () => {
  const ana = await createUser({ name: 'Ana', email: 'ana@example.org' })
  const bo = await createUser({ name: 'Bo', email: 'bo@example.com' })
  const cy = await createUser({ name: 'Cy', email: 'cy@example.com' })
  const di = await createUser({ name: 'Di', email: 'di@example.org' })
  for (const [id, year] of [
    [ana, 2020],
    [bo, 2021],
    [cy, 2022],
    [di, 2001],
  ] as const)
    await service.call('admin', 'POST', `/users/${id}/entities`, car('Renault', year))

  await readCounts(service)
  const { user, router } = renderApp({ service, path: '/segments' })
  await press(user, await screen.findByRole('link', { name: 'New segment' }))
  await type(user, await screen.findByRole('textbox', { name: 'Name' }), 'Newer Renaults')

  await press(user, await screen.findByRole('button', { name: 'Add condition' }))
  expect(await screen.findByRole('combobox', { name: 'Property, consent, segment…' })).toHaveFocus()
  await user.keyboard('make{Enter}')
  expect(part('Car › Make').getByLabelText('Value')).toHaveFocus()
  await user.keyboard('renault')
  await press(user, screen.getByRole('button', { name: 'Add another property of this entity' }))
  await user.keyboard('year{Enter}')
  expect(part('Car › Year').getByLabelText('Value')).toHaveFocus()
  await user.keyboard('2015{Enter}')
  expect(screen.getByRole('button', { name: 'Add condition' })).toHaveFocus()

  await press(user, screen.getByRole('button', { name: 'Add group' }))
  expect(screen.getByRole('button', { name: 'Add condition to group 2' })).toHaveFocus()
  await user.keyboard('{Enter}e-mail{Enter}')
  await choose(user, part('Condition 2.1').getByLabelText('Comparison'), 'ends with')
  await type(user, part('Condition 2.1').getByLabelText('Value'), '@example.org{Enter}')
  expect(screen.getByRole('button', { name: 'Add condition to group 2' })).toHaveFocus()
  await user.keyboard('{Enter}name{Enter}')
  await choose(user, part('Condition 2.2').getByLabelText('Comparison'), 'is')
  await type(user, part('Condition 2.2').getByLabelText('Value'), 'Cy')
  await press(user, part('Condition 2.2').getByRole('button', { name: 'Exclude' }))
  expect(part('Group 2.2').getByLabelText('Value')).toHaveValue('Cy')

  expect(
    screen.getByText(
      'Users who have a car (make is “renault” and year is at least 2015) and (whose e-mail ends with “@example.org” or whose name, if any, is not “Cy”).',
    ),
  ).toBeVisible()
  await press(user, screen.getByRole('button', { name: 'Create segment' }))

  await screen.findByRole('heading', { level: 1, name: 'Newer Renaults' })
  const [segment] = await storedSegments()
  await waitFor(() => expect(router.state.location.pathname).toBe(`/segments/${segment?.id}`))
  expect(segment?.filter).toEqual({
    all: [
      {
        entity: 'car',
        where: [
          { key: 'make', type: 'TEXT', op: 'eq', value: 'renault' },
          { key: 'year', type: 'NUMBER', op: 'gte', value: 2015 },
        ],
      },
      {
        any: [
          { user: 'email', op: 'ends_with', value: '@example.org' },
          { not: { user: 'name', op: 'eq', value: 'Cy' } },
        ],
      },
    ],
  })
  await press(user, await screen.findByRole('link', { name: 'Show 2 users' }))
  // The skeleton's table has the same name until the page's table replaces it.
  const users = () => within(screen.getByRole('table', { name: 'Users' }))
  await waitFor(() => expect(users().getByText('ana@example.org')).toBeVisible())
  const table = screen.getByRole('table', { name: 'Users' })
  expect(within(table).getByText('bo@example.com')).toBeVisible()
  expect(within(table).queryByText('cy@example.com')).not.toBeInTheDocument()
  expect(within(table).queryByText('di@example.org')).not.toBeInTheDocument()
})

async function openNew(role?: 'admin' | 'support') {
  const app = renderApp({ service, path: '/segments/new', ...(role && { role }) })
  await screen.findByRole('heading', { level: 1, name: 'New segment' })
  await screen.findByRole('button', { name: 'Add condition' })
  return app
}

async function writeJson(user: User, json: string) {
  const area = await screen.findByLabelText('Filter as JSON')
  await user.clear(area)
  await user.click(area)
  await user.paste(json)
}

test('the builder and JSON are two views of one filter, and going between them loses nothing', async () => {
  const { user } = await openNew()
  await user.type(screen.getByLabelText('Name'), 'Two views')
  await user.click(screen.getByRole('radio', { name: 'JSON' }))
  const json = `{ "all": [
    {"user": "since", "op": "within_last", "value": "P1Y6M"},
    {"not": {"entity": "car", "min": 2, "where": [
      {"key": "price", "type": "DECIMAL", "op": "between", "value": ["1.50", "12345678901234567890.120"], "orMissing": true}]}}
  ]}`
  await writeJson(user, json)
  await user.click(screen.getByRole('radio', { name: 'Builder' }))
  expect(part('Condition 1').getByLabelText('Value')).toHaveValue('P1Y6M')
  expect(part('Car › Price').getByLabelText('To')).toHaveValue('12345678901234567890.120')
  expect(part('Car › Price').getByRole('checkbox', { name: 'or has no value' })).toBeChecked()

  // Text that the builder did not change comes back as it was written.
  await user.click(screen.getByRole('radio', { name: 'JSON' }))
  expect(screen.getByLabelText('Filter as JSON')).toHaveValue(json)

  await user.click(screen.getByRole('radio', { name: 'Builder' }))
  await user.clear(part('Car › Price').getByLabelText('From'))
  await user.click(screen.getByRole('radio', { name: 'JSON' }))
  expect(JSON.parse(screen.getByLabelText<HTMLTextAreaElement>('Filter as JSON').value)).toMatchObject({
    all: [{ value: 'P1Y6M' }, { not: { where: [{ value: [null, '12345678901234567890.120'] }] } }],
  })
  // The cleared bound is still empty in the builder.
  await user.click(screen.getByRole('radio', { name: 'Builder' }))
  expect(part('Car › Price').getByLabelText('From')).toHaveValue('')
  await user.type(part('Car › Price').getByLabelText('From'), '2.50')
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  await screen.findByRole('heading', { level: 1, name: 'Two views' })
  expect((await storedSegments())[0]?.filter).toMatchObject({
    all: [{ value: 'P1Y6M' }, { not: { min: 2, where: [{ value: ['2.50', '12345678901234567890.120'] }] } }],
  })
})

test('JSON that the builder cannot show stays, and says why and where', async () => {
  const { user } = await openNew()
  await user.click(screen.getByRole('radio', { name: 'JSON' }))
  await writeJson(user, '{"all": [')
  await user.click(screen.getByRole('radio', { name: 'Builder' }))
  expect(screen.getByRole('alert')).toHaveTextContent('This isn’t valid JSON:')
  expect(screen.getByLabelText('Filter as JSON')).toHaveValue('{"all": [')

  await writeJson(user, '{"all": [{"user": "name", "op": "before", "value": "x"}]}')
  expect(screen.getByRole('alert')).toBeEmptyDOMElement()
  await user.click(screen.getByRole('radio', { name: 'Builder' }))
  expect(screen.getByRole('alert')).toHaveTextContent('/all/0/op')
  expect(screen.getByRole('alert')).toHaveTextContent('"before" does not apply to TEXT')
  expect(screen.getByRole('radio', { name: 'JSON' })).toBeChecked()
})

test('an incomplete part is marked in its place, and nothing is sent', async () => {
  const { user } = await openNew()
  await addCondition(user, 'car.wheels')
  const row = part('Car › Wheels')
  await user.selectOptions(row.getByLabelText('Data type'), 'Number')
  await user.type(row.getByLabelText('Value'), '12x')
  expect(row.getByLabelText('Value')).toBeValid()
  await user.click(screen.getByRole('button', { name: 'Create segment' }))

  const value = row.getByLabelText('Value')
  await waitFor(() => expect(value).toBeInvalid())
  expect(value).toHaveAccessibleDescription('Enter a number, such as 12.5.')
  expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('A segment needs a name.')
  expect(screen.getByLabelText('Name')).toHaveFocus()
  expect(await storedSegments()).toEqual([])
})

test('an issue from the service is marked at its condition until that is changed', async () => {
  const gone = await createSegment({ name: 'Gone soon', filter: { all: [] } })
  const kept = await createSegment({ name: 'Kept', filter: { all: [] } })
  const { user } = await openNew()
  await user.type(screen.getByLabelText('Name'), 'Refers')
  await addCondition(user, 'gone soon')
  await service.call('admin', 'DELETE', `/segments/${gone}`)
  await user.click(screen.getByRole('button', { name: 'Create segment' }))

  // The preview may show an alert about the unknown segment too.
  await waitFor(() => {
    const alerts = screen.getAllByRole('alert').map(({ textContent }) => textContent)
    expect(alerts).toContainEqual(expect.stringContaining('Couldn’t create the segment'))
  })
  const choice = part('Condition 1').getByLabelText('Segment')
  expect(choice).toHaveAccessibleDescription('There is no segment with this id.')
  expect(choice).toHaveFocus()
  expect(screen.getByLabelText('Name')).toHaveValue('Refers')

  await user.selectOptions(choice, 'Kept')
  expect(choice).toBeValid()
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  await screen.findByRole('heading', { level: 1, name: 'Refers' })
  expect(await screen.findByText('Users who are in the segment “Kept”.')).toBeVisible()
  expect((await storedSegments()).find(({ name }) => name === 'Refers')?.filter).toEqual({
    all: [{ segment: kept }],
  })
})

test('days are counted in the zone that is chosen', async () => {
  const { user } = await openNew()
  await user.type(screen.getByLabelText('Name'), 'Recent')
  await user.clear(screen.getByLabelText('Time zone'))
  await user.type(screen.getByLabelText('Time zone'), 'Europe/Berlin')
  await addCondition(user, 'since')
  await user.selectOptions(part('Condition 1').getByLabelText('Comparison'), 'is after')
  await user.type(part('Condition 1').getByLabelText('Value'), '30 days ago{Enter}')
  expect(part('Condition 1').getByText('Time zone: Europe/Berlin')).toBeVisible()
  const sentence = 'Users whose “since” date is later than 30 days ago. Days in Europe/Berlin.'
  expect(screen.getByText(sentence)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  await screen.findByRole('heading', { level: 1, name: 'Recent' })
  expect((await storedSegments())[0]).toMatchObject({
    tz: 'Europe/Berlin',
    filter: { all: [{ user: 'since', op: 'after', value: { ago: 'P30D' } }] },
  })
  expect(screen.getByText(sentence)).toBeVisible()
})

test('groups are wrapped, dissolved and emptied without losing what they hold', async () => {
  const { user } = await openNew()
  await addCondition(user, 'e-mail')
  await user.type(part('Condition 1').getByLabelText('Value'), 'ana@example.org')
  await user.click(part('Condition 1').getByRole('button', { name: 'Group' }))
  expect(part('Condition 1.1').getByLabelText('Value')).toHaveValue('ana@example.org')
  await user.selectOptions(
    within(screen.getByRole('group', { name: 'Group 1' })).getByLabelText('Matches'),
    'Any of these',
  )
  await addCondition(user, 'name', ' to group 1')
  await user.click(part('Condition 1.2').getByRole('button', { name: 'Remove' }))
  expect(screen.getByRole('button', { name: 'Add condition to group 1' })).toHaveFocus()
  await user.click(part('Group 1').getByRole('button', { name: 'Ungroup' }))
  expect(part('Condition 1').getByLabelText('Value')).toHaveValue('ana@example.org')
  await user.click(part('Condition 1').getByRole('button', { name: 'Remove' }))
  expect(screen.getByText('Matches all users until you add a condition.')).toBeVisible()
})

test('a failing service loses nothing, and leaving asks first', async () => {
  let failing = true
  const { fetch } = network(service, async ({ method }) => {
    if (failing && method === 'POST') throw new TypeError('offline')
    return undefined
  })
  const { user, router } = renderApp({ service: { ...service, fetch }, path: '/segments/new' })
  await user.type(await screen.findByLabelText('Name'), 'Survivor')
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  expect(await screen.findByText('The segment may have been created')).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  const question = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/segments/new'))
  expect(screen.getByLabelText('Name')).toHaveValue('Survivor')

  failing = false
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  await screen.findByRole('heading', { level: 1, name: 'Survivor' })
})

test('a list of segments that cannot be read keeps nobody from writing another one', async () => {
  let odd = true
  const { fetch } = network(service, ({ url, method }) =>
    odd && method === 'GET' && url.endsWith('/segments') ? Response.json({ segments: 'none' }) : undefined,
  )
  const { user } = renderApp({ service: { ...service, fetch }, path: '/segments/new' })
  await user.type(await screen.findByLabelText('Name'), 'Another')
  const alert = await screen.findByText(/^Couldn’t load the segments/)
  expect(alert).toBeVisible()
  odd = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(alert).not.toBeInTheDocument())
  expect(screen.getByLabelText('Name')).toHaveValue('Another')
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  await screen.findByRole('heading', { level: 1, name: 'Another' })
})

test('the list says in words who is in a segment', async () => {
  await createSegment({
    name: 'Drivers',
    description: 'For the summer letter',
    filter: { entity: 'car', where: [{ key: 'make', type: 'TEXT', op: 'eq', value: 'Renault' }] },
  })
  renderApp({ service, path: '/segments' })
  const table = await screen.findByRole('table', { name: 'Segments' })
  expect(within(table).getByText('Users whose car’s make is “Renault”.')).toBeVisible()
  expect(within(table).getByText('For the summer letter')).toBeVisible()
  const [segment] = await storedSegments()
  expect(within(table).getByRole('link', { name: 'Show users of Drivers' })).toHaveAttribute(
    'href',
    `/users?segment=${segment?.id}`,
  )
})

test('without segments the list says what one is', async () => {
  renderApp({ service, path: '/segments' })
  expect(await screen.findByText('No segments yet')).toBeVisible()
})

test('a segment is deleted after its name is typed', async () => {
  const id = await createSegment({ name: 'Short lived', filter: { all: [] } })
  const { user, router } = renderApp({ service, path: `/segments/${id}` })
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete segment…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete Short lived?' })
  expect(within(dialog).getByRole('button', { name: 'Delete segment' })).toBeDisabled()
  await user.type(within(dialog).getByRole('textbox'), 'Short lived')
  await user.click(within(dialog).getByRole('button', { name: 'Delete segment' }))
  expect(await screen.findByText('“Short lived” deleted')).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/segments'))
  expect(await screen.findByText('No segments yet')).toBeVisible()
  expect(await storedSegments()).toEqual([])
})

test('a segment that another one uses stays, and the dialog names the other one', async () => {
  const id = await createSegment({ name: 'Basis', filter: { all: [] } })
  await createSegment({ name: 'Built on it', filter: { not: { segment: id } } })
  const { user } = renderApp({ service, path: `/segments/${id}` })
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete segment…' }))
  const dialog = await screen.findByRole('dialog')
  await user.type(within(dialog).getByRole('textbox'), 'Basis')
  await user.click(within(dialog).getByRole('button', { name: 'Delete segment' }))
  const alert = await within(dialog).findByRole('alert')
  expect(alert).toHaveTextContent('Other segments use this one')
  expect(alert).toHaveTextContent('“Built on it”')
  expect(await storedSegments()).toHaveLength(2)
})

test("another service's segment is shown as it comes", async () => {
  const foreign = { id: 's-1', name: 'Foreign', filter: { rule: 'age > 3' }, owner: { team: 'crm' } }
  const { fetch } = network(service, ({ url }) => {
    const { pathname } = new URL(url)
    if (pathname.endsWith('/segments')) return Response.json([foreign])
    if (pathname.endsWith('/definitions')) return Response.json({ entityTypes: [] })
    return Response.json(pathname.endsWith('/segments/s-1') ? foreign : { users: [] })
  })
  const { user } = renderApp({ service: { ...service, fetch }, path: '/segments/s-1' })
  await screen.findByRole('heading', { level: 1, name: 'Foreign' })
  expect(screen.getByText('Custom filter')).toBeVisible()
  const json = screen.getByText(/"rule": "age > 3"/)
  expect(json).toBeVisible()
  // A long JSON text is scrolled by keyboard.
  await tabTo(user, json)
  expect(screen.getByText('{"team":"crm"}')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Show users' })).toBeVisible()
})

test('support sees segments and is told why it may not change them', async () => {
  const id = await createSegment({ name: 'Readable', filter: { all: [] } })
  const { user, router } = renderApp({ service, path: `/segments/${id}`, role: 'support' })
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  const button = await screen.findByRole('menuitem', { name: 'Delete segment…' })
  expect(button).toHaveAttribute('aria-disabled', 'true')
  expect(button).toHaveAttribute('data-hint', 'Your role can’t change segments.')
  await user.click(button)
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  await router.navigate('/segments/new')
  expect(await screen.findByText('Your role can’t change segments.', { selector: 'p' })).toBeVisible()
})

test('the integrator may not see segments', async () => {
  renderApp({ service, path: '/segments', role: 'integrator' })
  expect(await screen.findByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Your role can’t see segments.')
})

test.each(['utc', 'local'] as const)(
  'a new segment counts its days in the zone that the reader chose: %s',
  async (zone) => {
    localStorage.setItem('data-store.zone', zone)
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
      ...new Intl.DateTimeFormat().resolvedOptions(),
      timeZone: 'Asia/Tokyo',
    })
    renderApp({ service, path: '/segments/new' })
    expect(await screen.findByLabelText('Time zone')).toHaveValue(zone === 'utc' ? 'UTC' : 'Asia/Tokyo')
    localStorage.removeItem('data-store.zone')
    vi.restoreAllMocks()
  },
)
