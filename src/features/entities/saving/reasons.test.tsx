import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'

import type { AuditPage, Changeset, Entity, Event, Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import type { TestService } from '#server/testing/service.ts'
import { button, retype } from '../../../testing/entity-pages.tsx'
import { network } from '../../../testing/network.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { clearToasts } from '../../../ui/toast.tsx'

/** Button of the review; the form behind it has one of the same name. */
const saveButton = () => within(screen.getByRole('dialog')).getByRole('button', { name: /^Save 1/ })

const prepared = { 'change-reason': 'prepared' }
const unmarked = { properties: [{ key: 'iban', sensitive: false }] }

/** Creates a user with a car; `reasons` returns the reasons of all later changes to them. */
async function prepare(service: TestService) {
  const user = await service.create('admin', '/users', { name: 'Ana' })
  const properties = [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'iban', type: 'TEXT', sensitive: true, value: 'SECRET' },
  ]
  const entity = await service.create(
    'admin',
    `/users/${user}/entities`,
    { type: 'car', properties },
    prepared,
  )
  const path = `/users/${user}/entities/${entity}`
  const open = async (role: Role = 'steward') => {
    const app = renderApp({ service, path, role })
    await screen.findByRole('form', { name: /car$/ })
    return app
  }
  const reasons = async () => {
    const events: Event[] = (await service.call('admin', 'GET', '/events')).body
    // Reading a sensitive changeset is recorded as an event too, so leave those events out.
    const ids = events
      .filter(({ type }) => type !== 'SENSITIVE_DATA_ACCESSED')
      .slice(2)
      .map((event) => event.properties.changeset)
    const answers = await Promise.all(
      ids.map((id) => service.call('admin', 'GET', `/changesets/${String(id)}`)),
    )
    return answers.map(({ body }) => (body as Changeset).reason)
  }
  return { user, path, open, reasons }
}

describe('on a service with optional reasons', () => {
  const service = testService()
  beforeEach(() => {
    clearToasts()
    return service.reset()
  })

  test('Enter saves without a reason; a typed one is kept, and shown in the history', async () => {
    const { open, reasons } = await prepare(service)
    const { user } = await open()
    await retype(user, 'Value of City', 'Paris')
    await user.click(button('Review…'))
    await waitFor(() => expect(saveButton()).toHaveFocus())
    await user.keyboard('{Enter}')
    await screen.findByText('City changed from Lyon to Paris')
    expect(await reasons()).toEqual([undefined])

    await retype(user, 'Value of City', 'Nice')
    await user.click(button('Review…'))
    await user.type(await screen.findByLabelText('Reason (optional)'), 'Ticket 4711 – Zoë called{Enter}')
    await waitFor(async () => expect(await reasons()).toEqual([undefined, 'Ticket 4711 – Zoë called']))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(await screen.findByRole('button', { name: 'History' }))
    expect(await screen.findByText('“Ticket 4711 – Zoë called”')).toBeVisible()
  })

  test('an earlier one is offered, in this session alone', async () => {
    const { user: id, open, reasons } = await prepare(service)
    const app = await open()
    const save = async (city: string) => {
      await retype(app.user, 'Value of City', city)
      await app.user.click(button('Review…'))
    }
    await save('Paris')
    await app.user.type(await screen.findByRole('textbox', { name: 'Reason (optional)' }), 'Moved{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await save('Nice')
    await app.user.click(await screen.findByRole('combobox', { name: 'Reason (optional)' }))
    await app.user.click(await screen.findByRole('option', { name: 'Moved' }))
    await app.user.click(saveButton())
    await waitFor(async () => expect(await reasons()).toEqual(['Moved', 'Moved']))
    app.unmount()
    renderApp({ service, path: `/users/${id}`, role: 'steward' })
    const identity = within(await screen.findByRole('region', { name: 'Identity' }))
    await app.user.click(identity.getByRole('button', { name: 'Edit' }))
    expect(await identity.findByRole('textbox', { name: 'Reason (optional)' })).toBeVisible()
  })

  test('a person who may not read sensitive values learns only that a reason exists', async () => {
    const { path, open } = await prepare(service)
    await service.call('admin', 'PATCH', path, { properties: [{ key: 'city', value: 'Paris' }] }, prepared)
    const { user } = await open('support')
    await user.click(await screen.findByRole('button', { name: 'History' }))
    expect(await screen.findAllByText('Your role can’t see the reason.')).toHaveLength(2)
  })

  test("a reason is sent with the deletion of an entity and with changes of a user's fields", async () => {
    const { user: id, open, reasons } = await prepare(service)
    const { user, router } = await open()
    await user.click(button('Delete this car'))
    await user.type(await screen.findByLabelText('Reason (optional)'), 'Sold{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe(`/users/${id}`))
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' Lopez')
    await user.type(screen.getByLabelText('Reason (optional)', { selector: 'input' }), 'Married{Enter}')
    await waitFor(async () => expect(await reasons()).toEqual(['Sold', 'Married']))
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    expect(await screen.findByLabelText('Reason (optional)', { selector: 'input' })).toHaveValue('')
  })
})

describe('on a service that requires reasons', () => {
  const service = testService({ changeReasons: 'required' })
  beforeEach(() => {
    clearToasts()
    return service.reset()
  })

  test('the review begins with it, and goes no further without', async () => {
    const { open, reasons } = await prepare(service)
    const { user } = await open()
    await retype(user, 'Value of City', 'Paris')
    await user.click(button('Review…'))
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveFocus())
    await user.click(saveButton())
    expect(await screen.findByText('Enter a reason.')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveFocus()
    expect(await reasons()).toEqual([])
    await user.keyboard('Moved{Enter}')
    await waitFor(async () => expect(await reasons()).toEqual(['Moved']))
  })

  test('Ctrl+Enter in it saves once, a new entity too', async () => {
    const { user: id } = await prepare(service)
    const edge = network(service)
    const { user } = renderApp({
      service: { ...service, fetch: edge.fetch },
      path: `/users/${id}/entities/new`,
      role: 'steward',
    })
    await user.type(await screen.findByLabelText('Entity type'), 'van')
    await user.click(button('Create entity'))
    await user.type(await screen.findByRole('textbox', { name: 'Reason' }), 'Bought')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await screen.findByText('Van added')
    expect(edge.writes()).toHaveLength(1)
  })

  test('a new entity is asked about too', async () => {
    const { user: id, reasons } = await prepare(service)
    const { user } = renderApp({ service, path: `/users/${id}/entities/new`, role: 'steward' })
    await user.type(await screen.findByLabelText('Entity type'), 'van')
    await user.click(button('Create entity'))
    await user.type(await screen.findByRole('textbox', { name: 'Reason' }), 'Bought{Enter}')
    await waitFor(async () => expect(await reasons()).toEqual(['Bought']))
  })

  test('a deleted entity comes back by Undo without a question, and else for a reason', async () => {
    const { path, open, reasons } = await prepare(service)
    const { user } = await open()
    await user.click(button('Delete this car'))
    await user.type(await screen.findByRole('textbox', { name: 'Reason' }), 'Sold{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('Car restored')
    await service.call('admin', 'DELETE', path, undefined, prepared)
    const { unmount } = renderApp({ service, path, role: 'steward' })
    await user.click(await screen.findByRole('button', { name: 'Restore' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Restore this entity?' }))
    await user.click(dialog.getByRole('button', { name: 'Restore' }))
    expect(dialog.getByText('Enter a reason.')).toBeVisible()
    expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveFocus()
    await user.keyboard('Not sold after all{Enter}')
    await waitFor(async () =>
      expect(await reasons()).toEqual(['Sold', 'Undid the deletion', 'prepared', 'Not sold after all']),
    )
    unmount()
  })
})

describe('on a service that shows sensitive values for a reason alone', () => {
  const service = testService({ sensitiveReads: 'reveal' })
  beforeEach(() => {
    clearToasts()
    return service.reset()
  })

  /** Reasons of the reads that are on the record for the steward, oldest first. */
  const reads = async () => {
    const { body } = await service.call('admin', 'GET', '/audit?kind=read&actor=steward')
    return (body as AuditPage).rows.map(({ reason }) => reason).toReversed()
  }
  const iban = async (path: string) => {
    const { body } = await service.call('support', 'GET', path)
    return (body as Entity).properties.find(({ key }) => key === 'iban')
  }
  const unmark = (user: UserEvent) => user.click(screen.getByRole('checkbox', { name: 'IBAN is sensitive' }))

  test('unmarking asks for one, says why, and saves nothing without', async () => {
    const { path, open } = await prepare(service)
    const { user } = await open()
    await unmark(user)
    await user.click(button('Review…'))
    const field = await screen.findByRole('textbox', { name: 'Reason' })
    await waitFor(() => expect(field).toHaveFocus())
    expect(field).toHaveAccessibleDescription(/makes a hidden value readable/)
    await user.click(saveButton())
    expect(await screen.findByText('Enter a reason.')).toBeVisible()
    expect(await iban(path)).toMatchObject({ masked: true })
    await user.type(field, 'Not secret{Enter}')
    await screen.findByText('IBAN changed')
    expect(await iban(path)).toMatchObject({ value: 'SECRET' })
    expect(await reads()).toEqual(['Not secret'])
  })

  test.each([
    ['marking another property', 'City is sensitive', undefined],
    ['unmarking with a new value', 'IBAN is sensitive', 'DE02'],
  ])('%s asks for none', async (_name, checkbox, value) => {
    const { path, open } = await prepare(service)
    const { user } = await open()
    await user.click(screen.getByRole('checkbox', { name: checkbox }))
    if (value !== undefined) {
      await user.click(button('Replace IBAN'))
      await retype(user, 'Value of IBAN', value)
    }
    await user.click(button('Review…'))
    expect(await screen.findByLabelText('Reason (optional)')).toBeVisible()
    await user.click(saveButton())
    await screen.findByText(/^(City|IBAN) changed$/)
    expect(await iban(path)).toMatchObject(value === undefined ? { masked: true } : { value })
    expect(await reads()).toEqual([])
  })

  test('a save that is refused for want of one asks for it in its field, and keeps what was typed', async () => {
    const { path } = await prepare(service)
    const { 'sensitive.reveal.only': _, ...features } = service.features
    const { user } = renderApp({ service: { ...service, features }, path, role: 'steward' })
    await screen.findByRole('form', { name: /car$/ })
    await retype(user, 'Value of City', 'Paris')
    await unmark(user)
    await user.click(button('Review…'))
    await user.click(button(/^Save 2/))
    const field = await screen.findByRole('textbox', { name: 'Reason' })
    await waitFor(() => expect(field).toHaveFocus())
    expect(field).toBeInvalid()
    expect(field).toHaveAccessibleDescription(/makes a hidden value readable/)
    await user.keyboard('Not secret{Enter}')
    await screen.findByText('2 changes saved')
    expect(await iban(path)).toMatchObject({ value: 'SECRET' })
    expect(await reads()).toEqual(['Not secret'])
  })

  test('a deleted entity whose value was unmarked comes back by Undo, and else for a reason', async () => {
    const { path, open } = await prepare(service)
    await service.call('admin', 'PATCH', path, unmarked, prepared)
    const { user, unmount } = await open()
    await user.click(button('Delete this car'))
    await user.click(await screen.findByRole('button', { name: 'Delete car' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('Car restored')
    expect(await reads()).toEqual(['Undid the deletion'])
    unmount()
    await service.call('admin', 'DELETE', path, undefined, prepared)
    const again = renderApp({ service, path, role: 'steward' })
    await again.user.click(await screen.findByRole('button', { name: 'Restore' }))
    const field = await screen.findByRole('textbox', { name: 'Reason' })
    await waitFor(() => expect(field).toHaveFocus())
    await again.user.keyboard('Not sold after all{Enter}')
    await waitFor(async () => expect(await reads()).toEqual(['Undid the deletion', 'Not sold after all']))
  })

  test('a hidden value that is restored into an open property is asked about', async () => {
    const { path, open } = await prepare(service)
    await service.call('admin', 'PATCH', path, { properties: [{ key: 'iban', value: 'OTHER' }] }, prepared)
    const opened = { properties: [{ key: 'iban', sensitive: false, value: 'open' }] }
    await service.call('admin', 'PATCH', path, opened, prepared)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'History of IBAN' }))
    const history = within(await screen.findByRole('dialog', { name: 'History of IBAN' }))
    await history.findByText(/^That’s the whole history/)
    // The newest entry is the unmarking, which would be marked again.
    const [, changed] = history.getByRole('list', { name: 'Changes, newest first' }).children
    await user.click(within(changed as HTMLElement).getByRole('button', { name: /^Restore IBAN/ }))
    const field = await screen.findByRole('textbox', { name: 'Reason' })
    expect(field).toHaveAccessibleDescription(/makes a hidden value readable/)
    await user.type(field, 'Asked for it{Enter}')
    await waitFor(async () => expect(await iban(path)).toMatchObject({ value: 'SECRET' }))
    expect(await reads()).toEqual(['Asked for it'])
  })
})
