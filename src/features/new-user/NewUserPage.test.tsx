import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import type { TestService } from '#server/testing/service.ts'
import { typingPauseMs } from '../../domain/definitions/use-definitions.ts'
import { readable } from '../../domain/labels.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const full = testService()
const bare = testService({ additions: 'none' })
beforeEach(() => Promise.all([full.reset(), bare.reset()]))

async function create(service: TestService, body: unknown): Promise<string> {
  const { headers } = await service.call('admin', 'POST', '/users', body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function entitiesOf(service: TestService, id: string) {
  const { body } = await service.call('admin', 'GET', `/users/${id}/entities`)
  return (body as { type: string; properties: { key: string; value: unknown; sensitive?: boolean }[] }[]).map(
    ({ type, properties }) => [type, Object.fromEntries(properties.map(({ key, value }) => [key, value]))],
  )
}

async function total(service: TestService): Promise<unknown> {
  return ((await service.call('admin', 'GET', '/users')).body as { total: number }).total
}

async function openForm(service: TestService, role: Role = 'steward') {
  const edge = network(service)
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path: '/users/new', role })
  await screen.findByRole('button', { name: 'Create user' })
  const { user } = app
  const field = (name: string | RegExp) => screen.getByRole('textbox', { name })
  const submit = () => user.click(screen.getByRole('button', { name: 'Create user' }))
  /** Returns the requests that write. Searches are POST requests too, and are left out. */
  const writes = () =>
    edge.requests
      .filter(({ method, path }) => method !== 'GET' && !path.endsWith('/search'))
      .map(({ method, path, body }) => [method, path.replace(/^.*\/users/, '/users'), body])
  const addDetail = async (position: number, key: string, value: string) => {
    const button = position === 1 ? 'Add properties' : 'Add another property'
    await user.click(screen.getByRole('button', { name: button }))
    await user.type(await screen.findByRole('combobox', { name: `Property ${position}` }), key)
    await user.type(field(`Value of ${readable(key)}`), value)
  }
  return { ...app, edge, field, submit, writes, addDetail }
}

const personPath = /\/entities(\/|$)/

test('a new user is created with what was filled in and nothing else, and opened', async () => {
  const { user, field, submit, writes } = await openForm(full, 'support')
  await user.type(field('Name'), 'Ana Lopez')
  await user.type(field('E-mail'), ' ana@example.org ')
  await user.type(field(/^Since/), '2021-03-28 02:30')
  await submit()
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana Lopez' })).toBeVisible()
  expect(writes()).toEqual([
    ['POST', '/users', { name: 'Ana Lopez', email: 'ana@example.org', since: '2021-03-28T02:30:00' }],
  ])
})

test('Enter in the last value goes on to another detail, and Ctrl+Enter creates the user', async () => {
  const { user, field, writes } = await openForm(full)
  await user.type(field('Name'), 'Ana')
  await user.click(screen.getByRole('button', { name: 'Add properties' }))
  await user.keyboard('city{Enter}')
  await waitFor(() => expect(field('Value of City')).toHaveFocus())
  await user.keyboard('Paris{Shift>}{Enter}{/Shift}Nord{Enter}')
  expect(screen.getByRole('combobox', { name: 'Property 2' })).toHaveFocus()
  await user.keyboard('street{Enter}')
  await waitFor(() => expect(field('Value of Street')).toHaveFocus())
  await user.keyboard('Rue A{Enter}')
  expect(screen.getByRole('combobox', { name: 'Property 3' })).toHaveFocus()
  await user.click(field('Value of City'))
  await user.keyboard('{Enter}')
  expect(screen.getByRole('combobox', { name: 'Property 2' })).toHaveFocus()
  await user.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
  expect(writes().at(-1)?.[2]).toMatchObject({
    properties: [
      { key: 'city', value: 'Paris\nNord' },
      { key: 'street', value: 'Rue A' },
    ],
  })
})

test('a user with the same e-mail or ref is named while it is typed, and blocks nothing', async () => {
  const id = await create(full, { name: 'Ana Lopez', email: 'ana@example.org', ref: 'C-1' })
  const { user, edge, queryClient, field, submit } = await openForm(full)
  await user.type(field('E-mail'), 'ANA@example.org')
  const notice = await screen.findByText(/A user with this e-mail already exists: Ana Lopez/)
  expect(within(notice).getByRole('link', { name: 'open user' })).toHaveAttribute('href', `/users/${id}`)
  // Refs are case-sensitive.
  await user.type(field('Ref'), 'c-1')
  await user.clear(field('E-mail'))
  const findSearch = () => edge.requests.findLast(({ method }) => method === 'POST')
  await waitFor(() => expect(findSearch()?.body).toMatchObject({ ref: 'c-1' }))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(screen.queryByText(/A user with this/)).toBeNull()
  await user.type(field('Ref'), '{Backspace}{Backspace}{Backspace}C-1')
  await screen.findByText(/A user with this ref already exists: Ana Lopez/)
  await submit()
  expect(await screen.findByText('This user already exists')).toBeVisible()
  expect(await screen.findByText(/Ana Lopez · ana@example.org · C-1\. Nothing was changed/)).toBeVisible()
})

test('on a service without a search nothing is asked before', async () => {
  await create(bare, { name: 'Ana', email: 'ana@example.org' })
  const { user, edge, field, submit } = await openForm(bare)
  await user.type(field('Name'), 'Somebody else')
  await user.type(field('E-mail'), 'ANA@example.org')
  const before = edge.requests.length
  await submit()
  expect(await screen.findByText('This user already exists')).toBeVisible()
  expect(edge.requests[before]).toMatchObject({ method: 'POST', path: expect.stringMatching(/\/users$/) })
  expect(field('Name')).toHaveValue('Somebody else')
  await user.click(screen.getByRole('link', { name: 'Open user' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
})

test('an e-mail of one user and a ref of another: both are named, nothing is created', async () => {
  const ana = await create(full, { name: 'Ana', email: 'ana@example.org' })
  const bea = await create(full, { name: 'Bea', ref: 'C-1' })
  const { user, field, submit } = await openForm(full)
  await user.type(field('E-mail'), 'ana@example.org')
  await user.type(field('Ref'), 'C-1')
  await submit()
  expect(await screen.findByText('The e-mail and the ref belong to different users')).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Open Ana' })).toHaveAttribute('href', `/users/${ana}`)
  expect(await screen.findByRole('link', { name: 'Open Bea' })).toHaveAttribute('href', `/users/${bea}`)
})

describe('without an answer', () => {
  test('a repeated request is recognised by the service and creates no second user', async () => {
    const { user, edge, field, submit } = await openForm(full)
    await user.type(field('Name'), 'Ana')
    edge.meet(async (request) => {
      if (request.method !== 'POST') return undefined
      edge.meet(() => undefined)
      await full.fetch(request)
      throw new TypeError('Failed to fetch')
    })
    await submit()
    expect(await screen.findByText('The user may have been created')).toBeVisible()
    expect(screen.getByText(/the service recognises the request/)).toBeVisible()
    expect(field('Name')).toHaveValue('Ana')
    await submit()
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
    expect(await total(full)).toBe(1)
  })

  test('a bare service is not asked again by itself, and what is safe is said', async () => {
    const { user, edge, field, submit, writes } = await openForm(bare)
    await user.type(field('Name'), 'Ana')
    edge.loseNext('POST')
    await submit()
    expect(await screen.findByText(/you could create the user twice/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open the list in a new tab' })).toHaveAttribute(
      'target',
      '_blank',
    )
    expect(writes()).toHaveLength(1)
    await user.type(field('E-mail'), 'ana@example.org')
    edge.loseNext('POST')
    await submit()
    expect(await screen.findByText(/instead of creating a second one/)).toBeVisible()
    await submit()
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
  })
})

describe('details', () => {
  test('follow the user that was made, and never go with them', async () => {
    const { user, field, submit, writes, addDetail } = await openForm(full)
    await user.type(field('Name'), 'Ana')
    await addDetail(1, 'city', 'Lyon')
    await addDetail(2, 'iban', 'FR76')
    await user.click(screen.getByRole('checkbox', { name: 'IBAN is sensitive' }))
    await submit()
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
    const [first, second, ...others] = writes()
    expect(first).toEqual(['POST', '/users', { name: 'Ana' }])
    expect(second).toEqual([
      'POST',
      expect.stringMatching(/^\/users\/[^/]+\/entities$/),
      {
        type: 'person',
        properties: [
          { key: 'city', type: 'TEXT', sensitive: false, value: 'Lyon' },
          { key: 'iban', type: 'TEXT', sensitive: true, value: 'FR76' },
        ],
      },
    ])
    expect(others).toEqual([])
  })

  test('keep the focus in a value whose type arrives later, and has another input', async () => {
    await create(full, { name: 'Bea', properties: [{ key: 'joined', type: 'DATE', value: '2024-02-29' }] })
    const { user, edge, field } = await openForm(full)
    const { promise: told, resolve: tell } = Promise.withResolvers<undefined>()
    edge.meet((request) => (/\/(keys|dictionary)/.test(request.url) ? told : undefined))
    await user.click(screen.getByRole('button', { name: 'Add properties' }))
    await user.type(await screen.findByRole('combobox', { name: 'Property 1' }), 'joined{Enter}')
    expect(field('Value of Joined')).toHaveFocus()
    tell(undefined)
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Type of Joined' })).toHaveValue('DATE'))
    expect(field('Value of Joined')).toHaveFocus()
  })

  test('have the type that others have, though they were typed and sent before it was known', async () => {
    await create(full, { name: 'Bea', properties: [{ key: 'joined', type: 'DATE', value: '2024-02-29' }] })
    const { user, edge, field, submit, writes, addDetail } = await openForm(full)
    const { promise: told, resolve: tell } = Promise.withResolvers<undefined>()
    edge.meet((request) => (/\/(keys|dictionary)/.test(request.url) ? told : undefined))
    await user.type(field('Name'), 'Ana')
    await addDetail(1, 'joined', '2024-02-30')
    await submit()
    await user.type(field('Value of Joined'), '1')
    tell(undefined)
    // Such a day there is not.
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Type of Joined' })).toHaveValue('DATE'))
    expect(field('Value of Joined')).toHaveFocus()
    expect(field('Value of Joined')).toHaveValue('2024-02-301')
    const sent = () => writes().filter(([, path]) => String(path).startsWith('/users'))
    expect(sent()).toEqual([])
    await user.type(field('Value of Joined'), '{Backspace}{Backspace}{Backspace}28')
    await submit()
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
    expect(sent()[1]?.[2]).toMatchObject({
      properties: [{ key: 'joined', type: 'DATE', value: '2024-02-28' }],
    })
  })

  test('are advised as in the editor: a known key that is similar, and the type that others have', async () => {
    await create(full, { name: 'Bea', properties: [{ key: 'joined', type: 'DATE', value: '2024-02-29' }] })
    const { user } = await openForm(full)
    await user.click(screen.getByRole('button', { name: 'Add properties' }))
    await user.type(await screen.findByRole('combobox', { name: 'Property 1' }), 'joind')
    expect(await screen.findByText(/^1 user has “joined” \(Date\)\./)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Use “joined”' }))
    const type = screen.getByRole('combobox', { name: 'Type of Joined' })
    await waitFor(() => expect(type).toHaveValue('DATE'))
    await user.selectOptions(type, 'TEXT')
    await user.click(await screen.findByRole('button', { name: 'Use the type Date' }))
    expect(type).toHaveValue('DATE')
  })

  test('are hidden where others have them hidden', async () => {
    await create(full, {
      properties: [{ key: 'passport', type: 'TEXT', sensitive: true, value: 'C01X' }],
    })
    const { user, field, submit, writes, addDetail } = await openForm(full)
    await user.type(field('Name'), 'Ana')
    await addDetail(1, 'passport', 'C02Y')
    expect(
      await screen.findByRole('checkbox', { name: 'Passport is sensitive', checked: true }),
    ).toBeVisible()
    await submit()
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
    expect(writes()[1]?.[2]).toMatchObject({ properties: [{ key: 'passport', sensitive: true }] })
  })

  test('wait, with one press, for what is known of them, and are hidden then', async () => {
    await create(full, {
      properties: [{ key: 'passport', type: 'TEXT', sensitive: true, value: 'C01X' }],
    })
    const { user, edge, field, submit, writes, addDetail } = await openForm(full)
    const { promise: told, resolve: tell } = Promise.withResolvers<undefined>()
    edge.meet((request) => (request.url.includes('/keys') ? told : undefined))
    await user.type(field('Name'), 'Ana')
    await addDetail(1, 'passport', 'C02Y')
    await submit()
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Create user' })).toHaveAttribute('data-loading', 'true'),
    )
    expect(writes()).toEqual([])
    // Waiting is not the input's fault, and a message below it would move the button away from the pointer.
    expect(screen.getByRole('combobox', { name: 'Property 1' })).not.toHaveAttribute('aria-invalid', 'true')
    tell(undefined)
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
    expect(writes()[1]?.[2]).toMatchObject({ properties: [{ key: 'passport', sensitive: true }] })
  })

  test('are added to somebody who was there only once it was seen what they do', async () => {
    const id = await create(full, {
      name: 'Ana Lopez',
      email: 'ana@example.org',
      properties: [
        { key: 'city', type: 'TEXT', value: 'Paris' },
        { key: 'iban', type: 'TEXT', sensitive: true, value: 'old' },
        { key: 'plan', type: 'TEXT', value: 'gold' },
      ],
    })
    const { user, field, submit, writes, addDetail } = await openForm(full)
    await user.type(field('E-mail'), 'ana@example.org')
    await addDetail(1, 'city', 'Lyon')
    await addDetail(2, 'iban', 'FR76')
    await addDetail(3, 'plan', 'gold')
    await addDetail(4, 'shoe', '42')
    await submit()
    const dialog = within(await screen.findByRole('dialog', { name: 'Add properties to Ana Lopez?' }))
    expect(await dialog.findByRole('row', { name: 'City Changed Paris Lyon' })).toBeVisible()
    expect(dialog.getByRole('row', { name: /^IBAN .*Sensitive value FR76$/ })).toBeVisible()
    expect(dialog.getByRole('row', { name: 'Shoe Added Not set 42' })).toBeVisible()
    expect(dialog.queryByRole('row', { name: /plan/i })).toBeNull()
    expect(screen.queryByText('old')).toBeNull()

    await user.click(dialog.getByRole('button', { name: 'Don’t add' }))
    expect(writes().filter(([, path]) => personPath.test(String(path)))).toEqual([])
    expect(field('Value of City')).toHaveValue('Lyon')

    await user.click(screen.getByRole('button', { name: 'Add 4 properties to this user…' }))
    await user.click(await screen.findByRole('button', { name: 'Add 3 properties' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana Lopez' })).toBeVisible()
    expect(await entitiesOf(full, id)).toEqual([
      ['person', { city: 'Lyon', iban: 'FR76', plan: 'gold', shoe: '42' }],
    ])
    const { body } = await full.call('admin', 'GET', `/users/${id}/entities`)
    const { properties } = (body as { properties: { key: string; sensitive: boolean }[] }[])[0] ?? {}
    expect(properties?.find(({ key }) => key === 'iban')?.sensitive).toBe(true)
  })

  test('that would replace a later consent by an older one are confirmed with a word about it', async () => {
    const value = { status: 'REVOKED', statusDate: '2026-06-01T00:00:00.000Z' }
    const id = await create(full, {
      email: 'ana@example.org',
      properties: [{ key: 'news', type: 'PREFERENCE', value }],
    })
    const { user, field, submit } = await openForm(full)
    await user.type(field('E-mail'), 'ana@example.org')
    await user.click(screen.getByRole('button', { name: 'Add properties' }))
    await user.type(await screen.findByRole('combobox', { name: 'Property 1' }), 'news')
    await user.selectOptions(screen.getByLabelText('Type of News'), 'PREFERENCE')
    await user.selectOptions(screen.getByLabelText('Value of News, status'), 'GRANTED')
    await user.type(screen.getByLabelText('Value of News, since (UTC)'), '2024-06-01 09:30')
    await submit()
    expect(await screen.findByText('News: the stored consent is later than yours')).toBeVisible()
    expect(await entitiesOf(full, id)).toEqual([['person', { news: value }]])
    await user.click(screen.getByRole('button', { name: 'Add 1 property' }))
    await screen.findByText('1 property added')
    expect(await entitiesOf(full, id)).toEqual([
      ['person', { news: { status: 'GRANTED', statusDate: '2024-06-01T09:30:00.000Z' } }],
    ])
  })

  test('are asked about again where somebody else wrote in the meantime', async () => {
    const id = await create(full, {
      email: 'ana@example.org',
      properties: [{ key: 'city', type: 'TEXT', value: 'Paris' }],
    })
    const [entity] = (await full.call('admin', 'GET', `/users/${id}/entities`)).body as { id: string }[]
    const { user, field, submit, addDetail } = await openForm(full)
    await user.type(field('E-mail'), 'ana@example.org')
    await addDetail(1, 'city', 'Lyon')
    await submit()
    await screen.findByRole('row', { name: 'City Changed Paris Lyon' })
    await full.call('admin', 'PATCH', `/users/${id}/entities/${entity?.id ?? ''}`, {
      properties: [{ key: 'city', type: 'TEXT', value: 'Nice' }],
    })
    await user.click(screen.getByRole('button', { name: 'Add 1 property' }))
    expect(await screen.findByRole('row', { name: 'City Changed Nice Lyon' })).toBeVisible()
    expect(await entitiesOf(full, id)).toEqual([['person', { city: 'Nice' }]])
    await user.click(screen.getByRole('button', { name: 'Add 1 property' }))
    await screen.findByText('1 property added')
    expect(await entitiesOf(full, id)).toEqual([['person', { city: 'Lyon' }]])
  })

  test('written after a first submission wait for what others have hidden, as before it', async () => {
    await create(full, {
      name: 'Bea',
      properties: [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'FR1' }],
    })
    await create(full, { email: 'ana@example.org' })
    const { user, edge, field, submit, addDetail } = await openForm(full)
    await user.type(field('E-mail'), 'ana@example.org')
    await submit()
    await screen.findByText('This user already exists')
    const { promise: told, resolve: tell } = Promise.withResolvers<undefined>()
    // Holds back both requests for known properties: either answer is enough to tell that `iban` is sensitive.
    edge.meet((request) => (/\/(keys|dictionary)/.test(request.url) ? told : undefined))
    await addDetail(1, 'iban', 'FR76')
    expect(screen.queryByRole('button', { name: /^Add 1 property/ })).toBeNull()
    tell(undefined)
    await user.click(await screen.findByRole('button', { name: /^Add 1 property/ }))
    expect(await screen.findByRole('row', { name: /^IBAN .*Sensitive/ })).toBeVisible()
  })

  test('sent before other users’ properties were asked for are offered to the user who has the e-mail', async () => {
    await create(full, { email: 'ana@example.org' })
    const { user, field, submit, addDetail } = await openForm(full)
    await user.type(field('E-mail'), 'ana@example.org')
    const start = globalThis.setTimeout
    // Make the debounce endless, independent of the machine's speed.
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) =>
      ms === typingPauseMs ? 0 : start(run, ms)) as typeof setTimeout)
    await addDetail(1, 'city', 'Lyon')
    await submit()
    expect(await screen.findByRole('row', { name: 'City Added Not set Lyon' })).toBeVisible()
  })

  test('that fail are kept, and only they are sent again', async () => {
    const { user, edge, field, submit, writes, addDetail } = await openForm(full)
    await user.type(field('Name'), 'Ana')
    await addDetail(1, 'city', 'Lyon')
    edge.meet((request) =>
      request.method === 'POST' && personPath.test(request.url)
        ? Response.json(
            {
              status: 422,
              errors: [{ pointer: '/properties/0/value', code: 'x', detail: 'No such city.' }],
            },
            { status: 422 },
          )
        : undefined,
    )
    await submit()
    expect(await screen.findByText(/User created, properties not saved yet/)).toBeVisible()
    expect(field('Value of City')).toHaveAccessibleDescription('No such city.')
    edge.meet(async (request) => {
      if (request.method !== 'POST' || !personPath.test(request.url)) return undefined
      edge.meet(() => undefined)
      await full.fetch(request)
      throw new TypeError('Failed to fetch')
    })
    await user.type(field('Value of City'), '!')
    await user.click(screen.getByRole('button', { name: 'Save 1 property' }))
    expect(await screen.findByText('The properties may have been saved')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Save 1 property' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
    expect(await total(full)).toBe(1)
    const id = String(writes()[1]?.[1]).split('/')[2] ?? ''
    expect(await entitiesOf(full, id)).toEqual([['person', { city: 'Lyon!' }]])
  })
})

test('details that cannot be sent are marked at their rows, and nothing is sent', async () => {
  const { user, field, submit, writes, addDetail } = await openForm(full)
  await user.type(field('Name'), 'Ana')
  await addDetail(1, 'size', 'large')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type of Size' }), 'NUMBER')
  await addDetail(2, 'sizes', '4')
  await user.type(screen.getByRole('combobox', { name: 'Property 2' }), '{Backspace}')
  await submit()
  expect(await screen.findByText('This property is already listed.')).toBeVisible()
  const [value] = screen.getAllByRole('textbox', { name: 'Value of Size' })
  // The text may be there from leaving the field on, before the form is sent.
  await waitFor(() => expect(value).toHaveFocus())
  expect(value).toHaveAccessibleDescription(/number/)
  expect(writes()).toEqual([])
  const [remove] = screen.getAllByRole('button', { name: 'Remove Size' })
  if (remove) await user.click(remove)
  expect(screen.getByRole('combobox', { name: 'Property 1' })).toHaveFocus()
  expect(field('Value of Size')).toHaveValue('4')
  await user.click(screen.getByRole('button', { name: 'Remove Size' }))
  expect(screen.getByRole('button', { name: 'Add properties' })).toHaveFocus()
})

test('a person who may not write entities is told so', async () => {
  await openForm(full, 'support')
  expect(screen.getByRole('button', { name: 'Add properties' })).toHaveAttribute(
    'data-hint',
    'Your role can’t change entities.',
  )
})

test('problems that the service finds are shown at their fields', async () => {
  const { user, edge, field, submit } = await openForm(full)
  await user.type(field('E-mail'), 'ana')
  await user.tab()
  expect(await screen.findByText(/Enter an e-mail address/)).toBeVisible()
  await user.type(field('E-mail'), '@example.org')
  await user.type(field('Ref'), 'C 1')
  edge.meet((request) =>
    request.method === 'POST' && request.url.endsWith('/users')
      ? Response.json(
          {
            status: 422,
            code: 'validation',
            errors: [{ pointer: '/ref', code: 'pattern', detail: 'No spaces here.' }],
          },
          { status: 422 },
        )
      : undefined,
  )
  await submit()
  expect(await screen.findByText('No spaces here.')).toBeVisible()
  expect(field('Ref')).toHaveAccessibleDescription(/No spaces here\./)
  expect(field('Ref')).toHaveFocus()
  expect(screen.queryByText('Not saved')).toBeNull()
})

test('leaving a form that was begun asks first', async () => {
  const { user, field, router } = await openForm(full)
  await user.type(field('Name'), 'Ana')
  await user.click(screen.getByRole('link', { name: 'Events' }))
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(field('Name')).toHaveValue('Ana')
  await waitFor(() => expect(router.state.location.pathname).toBe('/users/new'))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
  expect(await screen.findByText('No users yet')).toBeVisible()
})
