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
    expect(letter.queryByText('Everybody')).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'Groups you are in' }))
    expect(letter.getByText('Everybody')).toBeVisible()
    expect(letter.getByText(/^Expired/)).toHaveTextContent(
      'Expired Jan 1, 2020, 10:00 · granted Mar 1, 2019, 10:00',
    )
    expect(letter.queryByText(id())).toBeNull()
    expect(letter.getByText(/^Changed (Name|the user)/)).toBeVisible()
    expect(letter.queryByText(/^(Viewed|Checked) /)).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'Include ids, staff names and reasons' }))
    expect(letter.getByText(/^(Viewed|Checked) /)).toBeVisible()
    expect(letter.getByText(id())).toBeVisible()
    await user.click(screen.getByRole('checkbox', { name: 'What we know about you' }))
    expect(letter.queryByText('Lyon')).toBeNull()
  })

  test('the letter has a sender and a closing, says yes and no, names entities, and says why a value is withheld', async () => {
    const properties = [
      { key: 'make', type: 'TEXT', value: 'Volvo' },
      { key: 'leased', type: 'BOOLEAN', value: true },
      { key: 'insured', type: 'BOOLEAN', value: false },
    ]
    await service.create('admin', `/users/${id()}/entities`, { type: 'car', properties })
    const { user } = open()
    await press(user, 'Prepare report')
    await user.click(await screen.findByRole('radio', { name: 'Letter' }))
    const letter = screen.getByRole('article', { name: 'The letter' })
    expect(within(letter).getByRole('heading', { name: /^Volvo, car/ })).toBeVisible()
    expect(within(letter).getByText('Yes')).toBeVisible()
    expect(within(letter).getByText('No')).toBeVisible()
    expect(within(letter).getByText('Withheld')).toBeVisible()
    expect(within(letter).getByText(/^“Withheld” marks sensitive values/)).toBeVisible()
    expect(letter).toHaveTextContent(/Kind regards$/)
    await user.type(screen.getByRole('textbox', { name: 'Sender' }), 'Example Ltd')
    await user.type(screen.getByRole('textbox', { name: 'Closing' }), ', Kim')
    expect(letter).toHaveTextContent(/^Example Ltd.*Kind regards, Kim$/s)
  })

  const define = async (path: string, definition: object) =>
    expect((await service.call('admin', 'PUT', `/definitions/${path}`, definition)).status).toBe(204)
  const defineAll = async () => {
    const address = {
      purpose: 'Deliveries',
      basis: 'contract',
      recipients: 'Parcel carriers',
      keptFor: 'P10Y',
    }
    await define('person/city', { ...address, order: 1 })
    await define('person/zip', { ...address, order: 2, label: { en: 'Postcode' } })
    await define('person/street', { ...address, order: 3 })
    await define('person/iban', { order: 4, purpose: 'Payouts', basis: 'legal_obligation', keptFor: 'P1Y6M' })
    await define('person/language', { order: 5, choices: [{ value: 'de', label: { en: 'German' } }] })
    await define('car/mileage', { type: 'NUMBER', unit: 'km', basis: 'legitimate_interests' })
    await define('car/plate', { basis: 'consent', recipients: 'Nobody' })
    await service.call('admin', 'PATCH', `/users/${id()}/entities/${entity()}`, {
      properties: [
        { key: 'zip', type: 'TEXT', value: '69001' },
        { key: 'language', type: 'TEXT', value: 'de' },
      ],
    })
    for (const value of [12_000, 800]) {
      const properties = [{ key: 'mileage', type: 'NUMBER', value }]
      await service.create('admin', `/users/${id()}/entities`, { type: 'car', properties })
    }
  }
  async function openLetter({ user }: ReturnType<typeof open>) {
    await press(user, 'Prepare report')
    await user.click(await screen.findByRole('radio', { name: 'Letter' }))
    return within(screen.getByRole('article', { name: 'The letter' }))
  }
  const textsOf = (region: HTMLElement, role: 'term' | 'definition') =>
    within(region)
      .getAllByRole(role)
      .map(({ textContent }) => textContent)

  test('the letter says once what each property is used for, and writes units and choices out', async () => {
    await defineAll()
    const { user, ...rest } = open()
    const letter = await openLetter({ user, ...rest })
    const uses = letter.getByRole('region', { name: 'What we use it for' })
    expect(textsOf(uses, 'term')).toEqual(['City, Postcode', 'IBAN', 'Car mileage'])
    expect(textsOf(uses, 'definition')).toEqual([
      'DeliveriesNeeded for our contract with you · Recipients: Parcel carriers · Kept for 10 years',
      'PayoutsRequired by law · Kept for 1 year and 6 months',
      'Serves our legitimate interests',
    ])
    const known = letter.getByRole('region', { name: 'What we know about you' })
    expect(textsOf(known, 'definition')).toEqual([
      'Lyon',
      'Withheld',
      '69001',
      'German',
      '12,000\u{a0}km',
      '800\u{a0}km',
    ])
    const rights = letter.getByRole('region', { name: 'Your rights' })
    for (const right of [/correct/, /delete/, /limit how we use/, /object/, /supervisory authority/])
      expect(rights).toHaveTextContent(right)
    await user.click(screen.getByRole('checkbox', { name: 'Your rights' }))
    await user.click(screen.getByRole('checkbox', { name: 'What we use it for' }))
    expect(letter.queryByText('Payouts')).toBeNull()
    expect(letter.queryByText(/supervisory authority/)).toBeNull()
  })

  test('the file and the full report say what properties are used for, and not how many users have them', async () => {
    await defineAll()
    const { user } = open()
    await press(user, 'Prepare report')
    const { definitions } = await saveFile(user)
    expect(definitions).toEqual([
      {
        type: 'person',
        properties: [
          {
            key: 'city',
            purpose: 'Deliveries',
            basis: 'contract',
            recipients: 'Parcel carriers',
            keptFor: 'P10Y',
          },
          expect.objectContaining({ key: 'zip', label: { en: 'Postcode' } }),
          { key: 'iban', purpose: 'Payouts', basis: 'legal_obligation', keptFor: 'P1Y6M' },
          { key: 'language', choices: [{ value: 'de', label: { en: 'German' } }] },
        ],
      },
      {
        type: 'car',
        properties: [{ key: 'mileage', unit: 'km', basis: 'legitimate_interests' }],
      },
    ])
    const sheet = within(screen.getByRole('article', { name: 'The report' }))
    expect(sheet.getByRole('heading', { name: 'Use of the data' })).toBeVisible()
    expect(textsOf(screen.getByRole('article', { name: 'The report' }), 'term')).toEqual([
      'City, Postcode',
      'IBAN',
      'Car mileage',
    ])
    expect(sheet.getAllByRole('row', { name: /^Postcode/ })[0]).toHaveAccessibleName('Postcode Text 69001')
    const [value, change] = sheet.getAllByRole('row', { name: /^Language/ })
    expect(value).toHaveAccessibleName('Language Text German')
    expect(change).toHaveAccessibleName(/German$/)
    expect(sheet.getAllByRole('row', { name: /^Mileage/ })[0]).toHaveAccessibleName(
      'Mileage Number 12,000\u{a0}km',
    )
  })

  test('neither the report nor the letter tells who else is meant, and both name the user’s own entities by their titles', async () => {
    const other = await service.create('admin', '/users', { name: 'Bo Other' })
    const plate = { key: 'plate', type: 'TEXT', value: 'AB-123-CD' }
    const car = await service.create('admin', `/users/${id()}/entities`, { type: 'car', properties: [plate] })
    const targets = { partner: { user: other }, drives: { user: id(), entity: car }, self: { user: id() } }
    const properties = Object.entries(targets).map(([key, value]) => ({ key, type: 'RELATIONSHIP', value }))
    await service.create('admin', `/users/${id()}/entities`, { type: 'contact', properties })
    const { user } = open()
    await press(user, 'Prepare report')
    const report = await screen.findByRole('article', { name: 'The report' })
    // Among the properties, and among what has changed.
    for (const [name, said] of [
      ['Partner', /Another user$/],
      ['Drives', /AB-123-CD, car$/],
    ] as const) {
      const rows = within(report).getAllByRole('row', { name: new RegExp(`^${name} `) })
      expect(rows.length).toBeGreaterThan(1)
      for (const row of rows) expect(row).toHaveTextContent(said)
    }
    await user.click(screen.getByRole('radio', { name: 'Letter' }))
    const letter = screen.getByRole('article', { name: 'The letter' })
    const saidOf = (name: string) => within(letter).getByText(name, { selector: 'dt' }).nextElementSibling
    expect(saidOf('Partner')).toHaveTextContent(/^Another user$/)
    expect(saidOf('Drives')).toHaveTextContent(/^AB-123-CD, car$/)
    expect(saidOf('Self')).toHaveTextContent(/^Ana Lopez$/)
    expect(letter).not.toHaveTextContent(other.slice(0, 8))
  })

  test('without definitions the letter has no section on what data is used for', async () => {
    const letter = await openLetter(open())
    expect(letter.getByRole('region', { name: 'Your rights' })).toBeVisible()
    expect(letter.queryByText('What we use it for')).toBeNull()
    expect(screen.queryByRole('checkbox', { name: 'What we use it for' })).toBeNull()
  })

  test('a report without the definitions is none, and is completed by another attempt', async () => {
    await defineAll()
    const { user, edge } = open()
    edge.meet((request) =>
      request.url.endsWith('/definitions') ? new Response('<html>', { status: 500 }) : undefined,
    )
    await press(user, 'Prepare report')
    expect(await screen.findByText('Couldn’t load: Definitions of properties')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Print…' })).toBeNull()
    edge.meet(() => undefined)
    await press(user, 'Try again')
    await user.click(await screen.findByRole('radio', { name: 'Letter' }))
    expect(screen.getByText('City, Postcode')).toBeVisible()
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
    expect(sheet.getAllByRole('row', { name: /^IBAN/ })[0]).toHaveTextContent('withheld')
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
    expect(screen.getByText(/Saved with your name in the audit log/)).toBeVisible()
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
    await user.click(await screen.findByRole('checkbox', { name: 'Groups you are in' }))
    expect(screen.getByText('We can’t list your groups here.')).toBeVisible()
    expect(document).toMatchObject({ definitions: null })
    expect(screen.queryByText('Your rights')).toBeNull()
    expect(screen.queryByText('What we use it for')).toBeNull()
  })

  test('without a reason, the sensitive values that the service answers are nowhere', async () => {
    const { user, container } = open()
    await press(user, 'Prepare report')
    expect(await saveFile(user)).toMatchObject({ sensitive: 'withheld' })
    expect(JSON.stringify(await saveFile(user))).not.toMatch(/CANARY|invite_url/)
    expect(container.innerHTML).not.toContain('CANARY')
  })
})
