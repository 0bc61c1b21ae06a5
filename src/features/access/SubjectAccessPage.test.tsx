import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Event, Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import type { SubjectAccess } from '../../domain/subject-access/document.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const person = {
  type: 'person',
  properties: [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'iban', type: 'TEXT', sensitive: true, value: 'CANARY-NOW' },
  ],
}

function setUp(additions: 'all' | 'none') {
  const service = testService({ additions })
  let id: string
  let entity: string
  let files: { readonly name: string; readonly blob: Blob }[] = []

  beforeEach(async () => {
    await service.reset()
    const create = async (path: string, body: object) => {
      const { headers } = await service.call('admin', 'POST', path, body)
      return headers.get('location')?.split('/').at(-1) ?? ''
    }
    id = await create('/users', { name: 'Ana', email: 'ana@example.org' })
    entity = await create(`/users/${id}/entities`, person)
    await service.call('admin', 'PATCH', `/users/${id}`, { name: 'Ana Lopez' })
    await create('/users', { name: 'Somebody else' })
    await create('/segments', { name: 'Everybody', filter: { all: [] } })
    files = []
    let blob = new Blob()
    // Spies are taken back after the test; the files after it share this URL.
    vi.spyOn(URL, 'createObjectURL').mockImplementation((made) => {
      if (made instanceof Blob) blob = made
      return 'blob:made'
    })
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      files.push({ name: this.download, blob })
    })
  })

  function open(role: Role = 'steward', path = `/users/${id}/access`) {
    const edge = network(service)
    return { ...renderApp({ service: { ...service, fetch: edge.fetch }, path, role }), edge }
  }
  const press = async (user: ReturnType<typeof open>['user'], name: string) =>
    user.click(await screen.findByRole('button', { name }))
  async function saveFile(user: ReturnType<typeof open>['user']): Promise<SubjectAccess> {
    await press(user, 'Download JSON')
    return JSON.parse((await files.at(-1)?.blob.text()) ?? '') as SubjectAccess
  }
  return {
    service,
    open,
    press,
    saveFile,
    files: () => files,
    id: () => id,
    entity: () => entity,
  }
}

describe('subject access', () => {
  const { service, open, press, saveFile, files, id, entity } = setUp('all')

  test('the letter uses labels instead of ids and holds only the chosen sections', async () => {
    const value = { status: 'GRANTED', statusDate: '2019-03-01T10:00:00Z', expires: '2020-01-01T10:00:00Z' }
    const properties = [{ key: 'newsletter', type: 'PREFERENCE', value }]
    await service.create('admin', `/users/${id()}/entities`, { type: 'contact', properties })
    await service.call('support', 'POST', `/users/${id()}/check`, { keys: ['iban'], value: 'CANARY-NOW' })
    const { user } = open()
    await press(user, 'Prepare report')
    expect(await screen.findByRole('button', { name: 'Download JSON' })).toHaveFocus()
    await user.click(await screen.findByRole('radio', { name: 'Letter' }))
    const letter = within(screen.getByRole('article', { name: 'The letter' }))
    expect(letter.getByRole('heading', { name: 'What we hold about Ana Lopez' })).toBeVisible()
    expect(letter.getByText('IBAN')).toBeVisible()
    expect(letter.getByText('Lyon')).toBeVisible()
    expect(letter.getByText('Everybody')).toBeVisible()
    expect(letter.getByText(/^Expired/)).toHaveTextContent(
      'Expired Jan 1, 2020, 10:00 · granted Mar 1, 2019, 10:00',
    )
    expect(letter.queryByText(id())).toBeNull()
    expect(letter.getByText(/^Changed (Name|the user’s fields)/)).toBeVisible()
    expect(letter.queryByText(/^(Viewed|Checked) /)).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'Include ids, staff names and reasons' }))
    expect(letter.getByText(/^(Viewed|Checked) /)).toBeVisible()
    expect(letter.getByText(id())).toBeVisible()
    await user.click(screen.getByRole('checkbox', { name: 'What we know about you' }))
    expect(letter.queryByText('Lyon')).toBeNull()
  })

  test('values that were read for the document show up in the timeline at once', async () => {
    vi.stubGlobal(
      'IntersectionObserver',
      function Observer(tell: (entries: readonly { readonly isIntersecting: boolean }[]) => void) {
        return { observe: () => tell([{ isIntersecting: true }]), disconnect: () => undefined }
      },
    )
    const { user, router } = open('steward', `/users/${id()}`)
    const timeline = () => screen.findByRole('region', { name: 'Timeline' })
    expect(await within(await timeline()).findByText('User created')).toBeVisible()
    const reads = () => within(screen.getByRole('region', { name: 'Timeline' })).queryAllByText(/^Viewed /)
    const before = reads().length
    void router.navigate(`/users/${id()}/access`)
    await user.click(await screen.findByRole('checkbox', { name: 'Include sensitive values' }))
    await user.type(screen.getByRole('textbox', { name: /^Reason/ }), 'Request of 3 May')
    await press(user, 'Prepare report')
    await screen.findByRole('button', { name: 'Download JSON' })
    void router.navigate(`/users/${id()}`)
    await timeline()
    await waitFor(() => expect(reads().length).toBeGreaterThan(before))
  })

  test('without a reason: everything but sensitive values, which are nowhere', async () => {
    const { user, container, queryClient } = open()
    await press(user, 'Prepare report')
    const document = await saveFile(user)
    expect(files()[0]?.name).toMatch(
      new RegExp(`^subject-access-${id().slice(0, 8)}-\\d{4}-\\d\\d-\\d\\d\\.json$`),
    )
    expect(document).toMatchObject({
      format: 'data-store/subject-access',
      version: 1,
      madeBy: 'Test steward',
      service: service.baseUrl,
      sensitive: 'withheld',
      reason: null,
      reasonRecorded: false,
      user: { id: id(), name: 'Ana Lopez', email: 'ana@example.org' },
      entities: [
        {
          id: entity(),
          properties: [
            { key: 'city', value: 'Lyon' },
            { key: 'iban', masked: true },
          ],
        },
      ],
      omitted: [],
    })
    expect(document.events.map(({ type }) => type)).toEqual([
      'USER_CREATED',
      'DIRECT_DATA_CHANGE',
      'USER_UPDATED',
    ])
    expect(document.segments).toMatchObject([{ name: 'Everybody', member: true }])
    expect(document.changesets).toHaveLength(3)
    expect(document.changesets?.[2]?.changes).toMatchObject([{ before: 'Ana', after: 'Ana Lopez' }])
    expect(JSON.stringify(document)).not.toMatch(/CANARY|invite_url/)
    expect(container.innerHTML).not.toContain('CANARY')
    const sheet = within(screen.getByRole('article'))
    expect(sheet.getByRole('heading', { name: 'Subject access: Ana Lopez' })).toBeVisible()
    expect(sheet.getByRole('row', { name: 'Account No' })).toBeVisible()
    expect(sheet.getAllByRole('row', { name: /^iban/ })[0]).toHaveTextContent('withheld')
    const collected = ['listEntities', 'listEvents', 'getChangeset'].flatMap((name) =>
      queryClient.getQueryCache().findAll({ queryKey: [name] }),
    )
    expect(collected).toEqual([])
  })

  test('with a reason: the values, and the reason in the audit log', async () => {
    const { user, edge, queryClient } = open()
    await user.click(await screen.findByRole('checkbox', { name: 'Include sensitive values' }))
    await press(user, 'Prepare report')
    expect(await screen.findByText('Enter a reason.')).toBeVisible()
    expect(edge.requests.filter(({ path }) => path.includes('/events'))).toEqual([])
    expect(screen.getByText(/Stored with your name in the audit log/)).toBeVisible()
    await user.type(screen.getByRole('textbox', { name: /^Reason/ }), 'Request of 3 May')
    await press(user, 'Prepare report')
    const document = await saveFile(user)
    expect(document).toMatchObject({
      sensitive: 'included',
      reason: 'Request of 3 May',
      reasonRecorded: true,
      entities: [{ properties: [{ key: 'city' }, { key: 'iban', value: 'CANARY-NOW' }] }],
    })
    expect(screen.getByRole('article')).toHaveTextContent('Request of 3 May (recorded in the audit log)')
    const { body: events }: { body: Event[] } = await service.call('admin', 'GET', '/events')
    const reads = events.filter(({ type }) => type === 'SENSITIVE_DATA_ACCESSED')
    // Earlier values in changesets are read for the same reason, as part of the same access.
    expect(reads.map(({ properties }) => properties['reason'])).toEqual(['Request of 3 May'])
    expect(JSON.stringify(document.changesets)).toContain('CANARY-NOW')
    const kept = queryClient
      .getMutationCache()
      .getAll()
      .map(({ state }) => state)
    expect(JSON.stringify([kept, localStorage, sessionStorage])).not.toContain('CANARY')
    // Leaving the page discards the values.
    await user.click(screen.getByRole('link', { name: 'Ana Lopez' }))
    await screen.findByRole('heading', { level: 1, name: 'Ana Lopez' })
    await waitFor(() => expect(screen.queryByText('CANARY-NOW')).toBeNull())
  })

  test('a person without the scope for sensitive values cannot ask for them', async () => {
    const { user } = open('support')
    expect(await screen.findByRole('checkbox', { name: 'Include sensitive values' })).toBeDisabled()
    expect(screen.getByText(/can’t see sensitive values/)).toBeVisible()
    await press(user, 'Prepare report')
    expect(await saveFile(user)).toMatchObject({ sensitive: 'withheld' })
  })

  test('a step that fails continues where it was', async () => {
    const { user, edge } = open()
    edge.meet((request) =>
      request.url.includes('/events') ? new Response('<html>', { status: 500 }) : undefined,
    )
    await press(user, 'Prepare report')
    expect(await screen.findByText('Couldn’t load: Events')).toBeVisible()
    edge.meet(() => undefined)
    const before = edge.requests.length
    await press(user, 'Try again')
    expect((await saveFile(user)).events).toHaveLength(3)
    expect(edge.requests.slice(before).some(({ path }) => path.endsWith('/entities'))).toBe(false)
  })

  test('a collection can be stopped and resumed', async () => {
    const { user, edge } = open()
    let release = () => {}
    edge.meet((request) => {
      if (!request.url.includes('/events')) return undefined
      return new Promise((resolve, reject) => {
        release = () => resolve(undefined)
        // Browsers reject a pending fetch when its signal aborts.
        request.signal.addEventListener('abort', () => reject(request.signal.reason))
      })
    })
    await press(user, 'Prepare report')
    await waitFor(() => expect(edge.requests.some(({ path }) => path.includes('/events'))).toBe(true))
    await press(user, 'Stop')
    expect(await screen.findByText(/^Stopped/)).toBeVisible()
    edge.meet(() => undefined)
    release()
    await press(user, 'Continue')
    expect((await saveFile(user)).events).toHaveLength(3)
  })

  test('before a deletion a copy is offered, and is saved without sensitive values', async () => {
    const { user } = open('steward', `/users/${id()}`)
    await user.click(await screen.findByRole('button', { name: 'More actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete user…' }))
    await press(user, 'Save a copy first')
    expect(await screen.findByText(/Saved to your downloads: subject-access-/)).toBeVisible()
    const text = (await files()[0]?.blob.text()) ?? ''
    expect(JSON.parse(text)).toMatchObject({ user: { id: id() }, sensitive: 'withheld' })
    expect(text).not.toContain('CANARY')
    await user.type(screen.getByRole('textbox', { name: /^Type “ana@example.org”/ }), 'ana@example.org')
    await user.click(screen.getByRole('button', { name: 'Delete user' }))
    await waitFor(async () => expect((await service.call('admin', 'GET', `/users/${id()}`)).status).toBe(404))
    // The message is rendered again when the page behind it changes.
    await waitFor(() => expect(screen.getByText(/^Ana Lopez deleted/)).toBeVisible())
  })
})

describe('subject access on a service that knows the document alone', () => {
  const { open, press, saveFile } = setUp('none')

  test('the report has the events of the log, and says what such a service does not tell', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('checkbox', { name: 'Include sensitive values' }))
    expect(screen.getByText(/doesn’t record who viewed sensitive values/)).toBeVisible()
    await user.type(screen.getByRole('textbox', { name: /^Reason/ }), 'Request of 3 May')
    await press(user, 'Prepare report')
    const document = await saveFile(user)
    expect(document).toMatchObject({
      sensitive: 'included',
      reasonRecorded: false,
      entities: [{ properties: [{ key: 'city' }, { key: 'iban', value: 'CANARY-NOW' }] }],
      segments: null,
      changesets: null,
    })
    // A bare service cannot return entities without their sensitive values, so it records every read.
    expect(document.events.map(({ type }) => type)).toEqual([
      'USER_CREATED',
      'DIRECT_DATA_CHANGE',
      'USER_UPDATED',
      'SENSITIVE_DATA_ACCESSED',
    ])
    await user.click(await screen.findByRole('radio', { name: 'Letter' }))
    expect(await screen.findByText('We can’t list your groups here.')).toBeVisible()
  })

  test('without a reason, the sensitive values that the service answers are nowhere', async () => {
    const { user, container } = open()
    await press(user, 'Prepare report')
    expect(await saveFile(user)).toMatchObject({ sensitive: 'withheld' })
    expect(JSON.stringify(await saveFile(user))).not.toMatch(/CANARY|invite_url/)
    expect(container.innerHTML).not.toContain('CANARY')
  })
})
