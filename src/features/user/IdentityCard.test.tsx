import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Changeset, Event, User } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { clearToasts } from '../../ui/toast.tsx'

const ana = { name: 'Ana', email: 'ana@example.org', ref: 'C-1', since: '2021-03-28T02:30:00.250' }

describe('two people edit one user', () => {
  const service = testService()
  beforeEach(() => {
    clearToasts()
    return service.reset()
  })

  const readUser = async (id: string): Promise<User> =>
    (await service.call('admin', 'GET', `/users/${id}`)).body

  /** Opens the user's page and starts an edit. */
  async function editing() {
    const { headers } = await service.call('admin', 'POST', '/users', ana)
    const id = headers.get('location')?.split('/').at(-1) ?? ''
    const edge = network(service)
    const app = renderApp({
      service: { ...service, fetch: edge.fetch },
      path: `/users/${id}`,
      role: 'support',
    })
    const identity = within(await screen.findByRole('region', { name: 'Identity' }))
    await app.user.click(identity.getByRole('button', { name: 'Edit' }))
    await identity.findByRole('textbox', { name: 'Name' })
    return {
      ...app,
      id,
      edge,
      field: (name: string) => identity.getByRole('textbox', { name }),
      type: async (name: string, text: string) => {
        await app.user.clear(identity.getByRole('textbox', { name }))
        await app.user.type(identity.getByRole('textbox', { name }), text)
      },
      save: () => app.user.click(identity.getByRole('button', { name: /^Save/ })),
      somebodyElse: (body: object) => service.call('admin', 'PATCH', `/users/${id}`, body),
    }
  }

  test('a field that both changed is shown side by side; saving mine keeps their other changes', async () => {
    const { user, id, edge, type, save, somebodyElse } = await editing()
    await type('Name', 'Ana Lopez')
    await type('E-mail', 'lopez@example.org')
    await somebodyElse({ name: 'Ana Diaz', ref: 'C-2' })
    await save()
    const dialog = within(await screen.findByRole('dialog', { name: 'Ana has changed since you opened it' }))
    expect(dialog.getByText('Before: Ana')).toBeVisible()
    expect(dialog.getByText(/Changed only by them, and kept: ref/)).toBeVisible()
    expect(dialog.getByText(/Changed only by you, and will be saved too: e-mail/)).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    expect(await readUser(id)).toMatchObject({ name: 'Ana Diaz', email: ana.email })
    await user.click(dialog.getByRole('radio', { name: 'Yours Ana Lopez' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana Lopez' })).toBeVisible()
    expect(await screen.findByText(/Someone else changed ref: their changes are kept/)).toBeVisible()
    expect(await readUser(id)).toMatchObject({ name: 'Ana Lopez', email: 'lopez@example.org', ref: 'C-2' })
    const sent = edge.writes().at(-1)
    expect(sent).toEqual(['PATCH', { email: 'lopez@example.org', name: 'Ana Lopez' }])
  })

  test('theirs is kept without a write', async () => {
    const { user, id, edge, type, save, somebodyElse } = await editing()
    await type('Name', 'Ana Lopez')
    await somebodyElse({ name: 'Ana Diaz' })
    await save()
    await user.click(await screen.findByRole('radio', { name: 'Theirs Ana Diaz' }))
    const before = edge.writes().length
    await user.click(screen.getByRole('button', { name: 'Keep theirs' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana Diaz' })).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible()
    expect(edge.writes()).toHaveLength(before)
    expect(await readUser(id)).toMatchObject({ name: 'Ana Diaz' })
  })

  test('edits of different fields are both kept, and the page says so', async () => {
    const { id, type, save, somebodyElse } = await editing()
    await type('Name', 'Ana Lopez')
    await somebodyElse({ ref: 'C-2' })
    await save()
    expect(await screen.findByText(/Someone else changed ref: their changes are kept/)).toBeVisible()
    expect(await readUser(id)).toMatchObject({ name: 'Ana Lopez', ref: 'C-2' })
  })

  test('going back to the form keeps all that was typed, and asks again at the next save', async () => {
    const { user, id, field, type, save, somebodyElse } = await editing()
    await type('Name', 'Ana Lopez')
    await type('E-mail', 'lopez@example.org')
    await somebodyElse({ name: 'Ana Diaz' })
    await save()
    await user.click(await screen.findByRole('button', { name: 'Back to editing' }))
    expect(field('Name')).toHaveValue('Ana Lopez')
    expect(field('E-mail')).toHaveValue('lopez@example.org')
    expect(await readUser(id)).toMatchObject({ name: 'Ana Diaz', email: ana.email })
    await save()
    expect(await screen.findByRole('radio', { name: 'Theirs Ana Diaz' })).toBeVisible()
  })

  test('a third edit during the decision is asked about again, and a failure keeps the decision', async () => {
    const { user, id, edge, type, save, somebodyElse } = await editing()
    await type('Name', 'Ana Lopez')
    await somebodyElse({ name: 'Ana Diaz' })
    await save()
    await user.click(await screen.findByRole('radio', { name: 'Yours Ana Lopez' }))
    await somebodyElse({ name: 'Ana Ruiz' })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('radio', { name: 'Theirs Ana Ruiz' }))
    await user.click(screen.getByRole('radio', { name: 'Yours Ana Lopez' }))
    edge.meet((request) =>
      request.method === 'PATCH' ? new Response('<html>busy</html>', { status: 503 }) : undefined,
    )
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Not saved')).toBeVisible()
    expect(screen.getByRole('radio', { name: 'Yours Ana Lopez' })).toBeChecked()
    edge.meet(() => undefined)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Ana Lopez' })).toBeVisible()
    expect(await readUser(id)).toMatchObject({ name: 'Ana Lopez' })
  })

  test('a write whose answer was lost is not done a second time when it is saved again', async () => {
    const { id, edge, type, save } = await editing()
    await type('Ref', 'C-9')
    edge.meet((request) => {
      if (request.method !== 'PATCH') return undefined
      edge.meet(() => undefined)
      return service.fetch(request.clone()).then(() => {
        throw new TypeError('Failed to fetch')
      })
    })
    await save()
    expect(await screen.findByText('Your changes may have been saved')).toBeVisible()
    await save()
    expect(await screen.findByText('C-9')).toBeVisible()
    expect(await readUser(id)).toMatchObject({ ref: 'C-9' })
    const { body: events }: { body: { type: string }[] } = await service.call('admin', 'GET', '/events')
    expect(events.filter(({ type }) => type === 'USER_UPDATED')).toHaveLength(1)
  })

  test('somebody else deleted the user: what was typed stays', async () => {
    const { id, field, type, save } = await editing()
    await type('Ref', 'C-9')
    await service.call('admin', 'DELETE', `/users/${id}`)
    await save()
    await waitFor(() => expect(screen.getByText(/This user was deleted/)).toBeVisible())
    expect(field('Ref')).toHaveValue('C-9')
  })
})

describe('one field is edited in its place', () => {
  const service = testService()
  const bare = testService({ additions: 'none' })
  beforeEach(() => {
    clearToasts()
    return Promise.all([service.reset(), bare.reset()])
  })

  const readUser = async (id: string, on = service): Promise<User> =>
    (await on.call('admin', 'GET', `/users/${id}`)).body

  async function opening(field: string, on = service) {
    const id = await on.create('admin', '/users', ana)
    const edge = network(on)
    const { user } = renderApp({
      service: { ...on, fetch: edge.fetch },
      path: `/users/${id}`,
      role: 'support',
    })
    await user.click(await screen.findByRole('button', { name: `Edit ${field}` }))
    const input = await screen.findByRole('textbox', { name: new RegExp(`^${field}`) })
    expect(input).toHaveFocus()
    return { id, user, edge, input }
  }

  test('Enter saves it, and Undo in the message or Ctrl Z puts it back', async () => {
    const { id, user, edge, input } = await opening('E-mail')
    await user.clear(input)
    await user.type(input, 'lopez@example.org{Enter}')
    expect(await screen.findByText('E-mail changed')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Edit E-mail' })).toHaveFocus()
    expect(edge.writes()).toEqual([['PATCH', { email: 'lopez@example.org' }]])
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('E-mail restored')).toBeVisible()
    expect(await readUser(id)).toMatchObject(ana)

    await user.click(screen.getByRole('button', { name: 'Edit Ref' }))
    const ref = await screen.findByRole('textbox', { name: 'Ref' })
    await user.clear(ref)
    await user.type(ref, 'C-2{Enter}')
    await waitFor(async () => expect(await readUser(id)).toMatchObject({ ref: 'C-2' }))
    expect(await screen.findByText('Ref changed')).toBeVisible()
    await user.keyboard('{Control>}z{/Control}')
    expect(await screen.findByText('Ref restored')).toBeVisible()
    expect(await readUser(id)).toMatchObject(ana)
  })

  test.each([
    ['Name', 'name'],
    ['E-mail', 'email'],
    ['Ref', 'ref'],
    ['Since', 'since'],
  ])('Undo of %s reverts the change, so that no list offers to undo it again', async (label, key) => {
    const { id, user, edge, input } = await opening(label)
    await user.clear(input)
    await user.type(input, `${key === 'since' ? '2020-01-01' : 'lopez@example.org'}{Enter}`)
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText(`${label} restored`)).toBeVisible()
    expect(await readUser(id)).toMatchObject(ana)
    expect(edge.writes().filter(([method]) => method === 'PATCH')).toHaveLength(1)
    const events: Event[] = (await service.call('admin', 'GET', `/events?user=${id}&type=USER_UPDATED`)).body
    expect(events).toHaveLength(2)
    const changes = await Promise.all(
      events.map(({ properties }) =>
        service.call('admin', 'GET', `/changesets/${String(properties.changeset)}`),
      ),
    )
    const reverted = changes.map(({ body }: { body: Changeset }) => body.reverted)
    expect(reverted).toEqual([true, undefined])
  })

  test('Undo is of one’s own change, although somebody has changed it since and back', async () => {
    const { id, user, input } = await opening('Ref')
    await user.clear(input)
    await user.type(input, 'C-2{Enter}')
    expect(await screen.findByText('Ref changed')).toBeVisible()
    for (const ref of ['C-3', 'C-2']) await service.call('admin', 'PATCH', `/users/${id}`, { ref })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Ref restored')).toBeVisible()
    expect(await readUser(id)).toMatchObject(ana)
  })

  test('a service that reverts nothing is sent the field as it was', async () => {
    const { id, user, edge, input } = await opening('Ref', bare)
    await user.clear(input)
    await user.type(input, 'C-2{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Ref restored')).toBeVisible()
    expect(await readUser(id, bare)).toMatchObject({ ref: 'C-1' })
    expect(edge.writes()).toEqual([
      ['PATCH', { ref: 'C-2' }],
      ['PATCH', { ref: 'C-1' }],
    ])
  })

  test('Undo leaves alone what somebody else has changed since', async () => {
    const { id, user, input } = await opening('Ref')
    await user.clear(input)
    await user.type(input, 'C-2{Enter}')
    expect(await screen.findByText('Ref changed')).toBeVisible()
    await service.call('admin', 'PATCH', `/users/${id}`, { ref: 'C-3' })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Someone has changed Ref since. Nothing was undone.')).toBeVisible()
    expect(await readUser(id)).toMatchObject({ ref: 'C-3' })
  })

  test('Escape gives up; Tab saves and goes on to the next field', async () => {
    const { id, user, edge, input } = await opening('Name')
    await user.type(input, ' Lopez{Escape}')
    expect(screen.getByRole('button', { name: 'Edit Name' })).toHaveFocus()
    expect(edge.writes()).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Edit Name' }))
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' Lopez')
    await user.tab()
    expect(await screen.findByRole('textbox', { name: 'E-mail' })).toHaveFocus()
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Ana Lopez')
    await user.tab()
    expect(await screen.findByRole('textbox', { name: 'Ref' })).toHaveFocus()
    expect(await readUser(id)).toMatchObject({ name: 'Ana Lopez', email: ana.email })
    expect(edge.writes()).toHaveLength(1)
  })

  test('a refusal is shown at the field, and what was typed stays', async () => {
    const { user, input } = await opening('E-mail')
    await service.create('admin', '/users', { email: 'bo@example.org' })
    await user.clear(input)
    await user.type(input, 'bo@example.org{Enter}')
    expect(await screen.findByText(/Another user has this e-mail/)).toBeVisible()
    expect(input).toHaveValue('bo@example.org')
    expect(input).toHaveFocus()
  })
})
