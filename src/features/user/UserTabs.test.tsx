import { screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import type { Role } from '#contract/index.ts'
import { startTestService, type TestService } from '#server/testing/service.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { clearToasts } from '../../ui/toast.tsx'

const person = {
  type: 'person',
  properties: [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'iban', type: 'TEXT', sensitive: true, value: 'CANARY-1' },
  ],
}

function setUp(additions: 'all' | 'none') {
  const it = {} as {
    service: TestService
    id: string
    entity: string
    create: (path: string, body: unknown) => Promise<string>
    open: (tab?: string, role?: Role) => ReturnType<typeof renderApp> & { edge: ReturnType<typeof network> }
  }
  beforeAll(async () => {
    it.service = await startTestService({ additions })
    it.create = async (path, body) => {
      const { headers } = await it.service.call('admin', 'POST', path, body)
      return headers.get('location')?.split('/').at(-1) ?? ''
    }
    it.open = (tab = '', role = 'steward') => {
      const edge = network(it.service)
      const service = { ...it.service, fetch: edge.fetch }
      return { ...renderApp({ service, path: `/users/${it.id}${tab}`, role }), edge }
    }
  })
  beforeEach(async () => {
    clearToasts()
    await it.service.reset()
    it.id = await it.create('/users', { name: 'Ana', email: 'ana@example.org' })
    it.entity = await it.create(`/users/${it.id}/entities`, person)
  })
  afterAll(() => it.service.close())
  return it
}

const tab = (name: string) =>
  within(screen.getByRole('navigation', { name: 'About this user' })).getByRole('link', { name })

describe('with additions', () => {
  const it = setUp('all')

  test('the record is what the service answers, without secrets, and the menu leads there', async () => {
    const { user, container, router } = it.open()
    expect(await screen.findByText('Lyon')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Record' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'More actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Record as JSON' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`/users/${it.id}/record`))
    await waitFor(() => expect(tab('Record')).toHaveAttribute('aria-current', 'page'))
    expect(await screen.findByText(/"email": "ana@example.org"/)).toBeVisible()
    expect(screen.getByText(/"key": "iban"/)).toHaveTextContent('"masked": true')
    expect(container.innerHTML).not.toMatch(/CANARY|invitation\?/)
  })

  test('each tab has an address of its own, and Back leads through them', async () => {
    const { user, router } = it.open()
    expect(await screen.findByText('Lyon')).toBeVisible()
    expect(tab('Entities')).toHaveAttribute('aria-current', 'page')
    for (const [name, sees] of [
      ['Activity', 'User created'],
      ['Segments', 'No segments yet'],
    ] as const) {
      await user.click(tab(name))
      expect(await screen.findByText(sees)).toBeVisible()
      expect(tab(name)).toHaveAttribute('aria-current', 'page')
      await waitFor(() =>
        expect(router.state.location.pathname).toBe(`/users/${it.id}/${name.toLowerCase()}`),
      )
    }
    expect(screen.getByRole('link', { name: 'Go to segments' })).toHaveAttribute('href', '/segments')
    void router.navigate(-1)
    expect(await screen.findByText('User created')).toBeVisible()
    expect(tab('Activity')).toHaveAttribute('aria-current', 'page')
  })

  test('a tab that cannot be read leaves the user usable, and is asked for again', async () => {
    const edge = network(it.service)
    edge.meet((request) =>
      request.url.includes('/events') ? new Response('<html>', { status: 500 }) : undefined,
    )
    const { user } = renderApp({
      service: { ...it.service, fetch: edge.fetch },
      path: `/users/${it.id}/activity`,
    })
    expect(await screen.findByText('Couldn’t load the activity')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Ana')
    edge.meet(() => undefined)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('User created')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Ana')
  })

  test('the activity says what changed, by whom, old and new; sensitive values only that they did', async () => {
    await it.service.call('steward', 'PATCH', `/users/${it.id}`, { name: 'Ana Lopez', ref: 'C-7' })
    await it.service.call('support', 'PATCH', `/users/${it.id}`, { name: 'Ana Diaz' })
    await it.service.call('admin', 'PATCH', `/users/${it.id}/entities/${it.entity}`, {
      properties: [
        { key: 'iban', value: 'CANARY-2' },
        { key: 'city', value: 'Nice' },
      ],
    })
    const { user, container, queryClient, edge } = it.open('/activity')
    const list = within(await screen.findByRole('list', { name: 'Activity, newest first' }))
    const [newest, second, third] = list.getAllByRole('listitem') as [HTMLElement, HTMLElement, HTMLElement]
    expect(within(newest).getByText('by admin')).toBeVisible()
    await waitFor(() => expect(newest).toHaveTextContent('Changed City and IBAN'))
    expect(within(second).getByText('by support')).toBeVisible()
    await waitFor(() => expect(second).toHaveTextContent('Changed Name'))
    expect(within(third).getByText('by you')).toBeVisible()
    await waitFor(() => expect(third).toHaveTextContent('Changed Name and Ref'))

    await user.click(within(third).getByRole('button', { expanded: false }))
    const row = (name: RegExp) => within(third).getByRole('row', { name })
    expect(row(/^Name/)).toHaveTextContent(/^Name AnaAna Lopez$/)
    expect(row(/^Ref/)).toHaveTextContent(/^Ref Not setC-7$/)

    await user.click(within(newest).getByRole('button'))
    expect(within(newest).getByRole('row', { name: /^IBAN/ })).toHaveTextContent('Sensitive value changed')
    expect(within(newest).getByRole('row', { name: /^City/ })).toHaveTextContent('LyonNice')
    expect(within(newest).getByRole('link', { name: 'Open entity' })).toHaveAttribute(
      'href',
      `/users/${it.id}/entities/${it.entity}`,
    )
    expect(container.innerHTML).not.toContain('CANARY')
    const changesets = queryClient.getQueryCache().findAll({ queryKey: ['getChangeset'] })
    expect(changesets.length).toBeGreaterThan(3)
    expect(JSON.stringify(changesets.map(({ state }) => state.data))).not.toContain('CANARY')
    expect(edge.requests.filter(({ path }) => path.includes('/changesets/')).length).toBeGreaterThan(3)
  })

  test('events appear once it is known what they changed, so that no row grows later', async () => {
    const { edge } = it.open('/activity')
    const held = Promise.withResolvers<undefined>()
    const isAsked = ({ path }: { readonly path: string }) => path.includes('/changesets/')
    edge.meet(({ url }) => (url.includes('/changesets/') ? held.promise : undefined))
    await waitFor(() => expect(edge.requests.some(isAsked)).toBe(true))
    expect(screen.queryByText('User created')).toBeNull()
    held.resolve(undefined)
    const list = within(await screen.findByRole('list', { name: 'Activity, newest first' }))
    expect(list.getByText('Created person')).toBeVisible()
    expect(list.getByText('User created')).toBeVisible()
  })

  test('an edit on this page shows up in the timeline at once', async () => {
    const { user } = it.open('/activity')
    await screen.findByText('User created')
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    await user.type(await screen.findByRole('textbox', { name: 'Ref' }), 'C-3')
    await user.click(screen.getByRole('button', { name: 'Save 1 change' }))
    expect(await screen.findByText('Changed Ref')).toBeVisible()
  })

  test('an entity that is gone is named and not linked', async () => {
    await it.service.call('admin', 'DELETE', `/users/${it.id}/entities/${it.entity}`)
    const { user } = it.open('/activity')
    await user.click(await screen.findByRole('button', { name: /Deleted person/ }))
    expect(screen.getByText(/\(deleted\)/)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Open entity' })).toBeNull()
  })

  test('an entity is linked while it is not known whether it is gone', async () => {
    const { user, edge } = it.open('/activity')
    edge.meet((request) =>
      request.url.includes('/entities') ? new Response('<html>', { status: 500 }) : undefined,
    )
    await user.click(await screen.findByRole('button', { name: /Created person/ }))
    expect(screen.getByRole('link', { name: 'Open entity' })).toBeVisible()
    expect(screen.queryByText(/\(deleted\)/)).toBeNull()
  })

  test('an entity that is gone is restored, and linked again', async () => {
    await it.service.call('admin', 'DELETE', `/users/${it.id}/entities/${it.entity}`)
    const { user } = it.open('/activity')
    await user.click(await screen.findByRole('button', { name: /Deleted person/ }))
    await user.click(await screen.findByRole('button', { name: 'Restore person' }))
    expect(await screen.findByText('Person restored')).toBeInTheDocument()
    expect(await screen.findByRole('link', { name: 'Open entity' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Restore person' })).toBeNull()
    expect(await screen.findByRole('button', { name: /^Restored person/ })).toBeVisible()
    expect(await screen.findByRole('button', { name: /^Created person/ })).toBeVisible()
    expect(screen.getByRole('row', { name: /^IBAN/ })).toHaveTextContent('Sensitive value removed')
    const { status } = await it.service.call('admin', 'GET', `/users/${it.id}/entities/${it.entity}`)
    expect(status).toBe(200)
  })

  test('an entity that is gone is not offered for creation to a person who may not write', async () => {
    await it.service.call('admin', 'DELETE', `/users/${it.id}/entities/${it.entity}`)
    const { user } = it.open('/activity', 'support')
    await user.click(await screen.findByRole('button', { name: /Deleted person/ }))
    expect(await screen.findByRole('button', { name: 'Restore person' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  })

  test('older events come by pages of a hundred', async () => {
    for (let index = 0; index < 210; index += 1)
      await it.service.call('admin', 'PATCH', `/users/${it.id}`, { name: `Ana ${index}` })
    const { user } = it.open('/activity')
    expect(await screen.findByText('The newest 100 events')).toBeVisible()
    // Consecutive changes by one person share a row until it is expanded.
    await user.click(await screen.findByRole('button', { name: '99 similar events' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: '99 similar events' })).toBeNull())
    const [first, second] = screen
      .getAllByRole('button', { expanded: false })
      .filter((button) => button.closest('ol'))
    expect(first).not.toHaveFocus()
    expect(second).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Show older events' }))
    expect(await screen.findByText('The newest 200 events')).toBeVisible()
    const [older] = screen
      .getAllByRole('listitem')
      .filter((item) => item.closest('ol'))
      .slice(100)
    expect(within(older ?? document.body).getByRole('button', { expanded: false })).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Show older events' }))
    expect(await screen.findByText('All 212 events')).toBeVisible()
    expect(screen.getAllByRole('listitem').filter((item) => item.closest('ol'))).toHaveLength(212)
    expect(screen.queryByRole('button', { name: 'Show older events' })).toBeNull()
  })

  test('the segments they are in come first, then the others, then those that cannot be said', async () => {
    const city = { entity: 'person', where: [{ key: 'city', type: 'TEXT', op: 'eq', value: 'Lyon' }] }
    const iban = { entity: 'person', where: [{ key: 'iban', type: 'TEXT', op: 'eq', value: 'x' }] }
    await it.create('/segments', { name: 'With a ref', filter: { user: 'ref', op: 'exists' } })
    await it.create('/segments', { name: 'In Lyon', description: 'They live there.', filter: city })
    await it.create('/segments', { name: 'Rich', filter: iban })
    it.open('/segments', 'support')
    const items = async (name: string) =>
      within(await screen.findByRole('list', { name })).getAllByRole('listitem')
    const [inside] = await items('Segments: In')
    expect(inside).toHaveTextContent('In LyonThey live there.')
    expect((await items('Segments: Not in')).map((item) => item.textContent)).toEqual(['With a refWhy not'])
    expect((await items('Segments: Unknown')).map((item) => item.textContent)).toEqual(['Rich'])
    expect(screen.getByText(/membership can’t be shown/)).toBeVisible()
  })
})

describe('on a bare service', () => {
  const it = setUp('none')

  test('neither the activity nor the segments of a user are shown', async () => {
    await it.create('/users', { name: 'Bo' })
    const { router } = it.open()
    expect(await screen.findByText('Lyon')).toBeVisible()
    const tabs = within(screen.getByRole('navigation', { name: 'About this user' })).getAllByRole('link')
    expect(tabs.map(({ textContent }) => textContent)).toEqual(['Entities'])
    await router.navigate(`/users/${it.id}/segments`)
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  })
})
