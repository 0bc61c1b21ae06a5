import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Entity, Event } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { clearToasts } from '../../ui/toast.tsx'

const service = testService()
let id: string
let entity: string
beforeEach(async () => {
  clearToasts()
  await service.reset()
  id = await service.create('steward', '/users', { name: 'Ana Lopez' })
  const properties = [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE00-SECRET' },
  ]
  entity = `/users/${id}/entities/${await service.create('steward', `/users/${id}/entities`, { type: 'person', properties })}`
})

const patch = (role: 'steward' | 'admin', key: string, value: string) =>
  service.call(role, 'PATCH', entity, { properties: [{ key, value }] })
const values = async () => {
  const entityNow: Entity = (await service.call('admin', 'GET', entity)).body
  return Object.fromEntries(entityNow.properties.map(({ key, value }) => [key, value]))
}
const undoButtons = () => screen.queryAllByRole('button', { name: /^Undo/ })

describe('a change that one made oneself during the last day can be undone', () => {
  test('from Home, which names the property and the user', async () => {
    await patch('steward', 'iban', 'DE11-SECRET')
    await service.call('steward', 'PATCH', `/users/${id}`, { name: 'Anna Lopez' })
    await patch('admin', 'city', 'Nice')
    const { user } = renderApp({ service, path: '/home', role: 'steward' })
    const own = within(await screen.findByRole('region', { name: 'Your recent changes' }))
    await user.click(await own.findByRole('button', { name: 'Undo: Anna Lopez: Changed IBAN' }))
    expect(await screen.findByText('Change undone')).toBeVisible()
    expect(await values()).toMatchObject({ iban: 'DE00-SECRET', city: 'Nice' })
    await user.click(await own.findByRole('button', { name: 'Undo: Anna Lopez: Changed Name' }))
    expect(await own.findAllByRole('link', { name: 'Ana Lopez' })).not.toHaveLength(0)
    await waitFor(() => expect(own.getAllByText('Undone')).toHaveLength(2))
    expect(document.body).not.toHaveTextContent('SECRET')
  })

  test.each([
    ['Home', () => '/home'],
    ['the timeline', () => `/users/${id}/activity`],
    ['the log', (event: string) => `/events/${event}`],
  ])('once: what was undone says so when %s is opened later', async (_, path) => {
    await patch('steward', 'city', 'Nice')
    const [event]: Event[] = (await service.call('admin', 'GET', '/events?order=desc')).body
    // The timeline shows similar changes in a row as one.
    await patch('admin', 'iban', 'DE11-SECRET')
    await service.call('steward', 'POST', `/changesets/${String(event?.properties.changeset)}/revert`, {})
    renderApp({ service, path: path(event?.id ?? ''), role: 'steward' })
    expect(await screen.findByText('Undone')).toBeVisible()
    expect(screen.queryAllByRole('button', { name: /^Undo/ }).length).toBeLessThan(2)
  })

  test('and redone, after which it can be undone again', async () => {
    await patch('steward', 'city', 'Nice')
    const { user } = renderApp({ service, path: '/home', role: 'steward' })
    const own = within(await screen.findByRole('region', { name: 'Your recent changes' }))
    const undo = { name: 'Undo: Ana Lopez: Changed City' }
    await user.click(await own.findByRole('button', undo))
    await waitFor(() => expect(own.getAllByText('Undone')).toHaveLength(1))
    // The button that is left belongs to the undo.
    await waitFor(() => expect(own.getAllByRole('button', undo)).toHaveLength(1))
    await user.click(own.getByRole('button', undo))
    await waitFor(async () => expect(await values()).toMatchObject({ city: 'Nice' }))
    await waitFor(() => expect(own.getAllByRole('button', undo)).toHaveLength(2))
    expect(own.getAllByText('Undone')).toHaveLength(1)
  })

  test("in the user's timeline, and not what a colleague did", async () => {
    await patch('steward', 'city', 'Nice')
    await patch('admin', 'iban', 'DE11-SECRET')
    const { user } = renderApp({ service, path: `/users/${id}/activity`, role: 'steward' })
    await user.click(await screen.findByRole('button', { name: 'Undo: Changed City' }))
    expect(await screen.findByText('Undone')).toBeVisible()
    expect(await values()).toMatchObject({ city: 'Lyon', iban: 'DE11-SECRET' })
    expect(screen.queryByRole('button', { name: 'Undo: Changed IBAN' })).toBeNull()
  })

  test('in the log, unless somebody has written it since', async () => {
    await patch('steward', 'city', 'Nice')
    const [event]: Event[] = (await service.call('admin', 'GET', '/events?order=desc')).body
    await patch('admin', 'city', 'Brest')
    const { user } = renderApp({ service, path: `/events/${event?.id}`, role: 'steward' })
    await user.click(await screen.findByRole('button', { name: 'Undo: Changed City' }))
    expect(await screen.findByText('Nothing was undone. Someone has changed this again since.')).toBeVisible()
    expect(await values()).toMatchObject({ city: 'Brest' })
  })

  test('and comes back where it was deleted', async () => {
    await service.call('steward', 'DELETE', entity)
    const { user } = renderApp({ service, path: '/home', role: 'steward' })
    await user.click(await screen.findByRole('button', { name: 'Undo: Ana Lopez: Deleted person' }))
    await waitFor(async () => expect(await values()).toMatchObject({ city: 'Lyon' }))
  })

  test('and no longer later', async () => {
    await patch('steward', 'city', 'Nice')
    for (const table of ['event_inbox', 'events'])
      await service.database.pool.query(`update ${table} set eventtime = eventtime - interval '25 hours'`)
    renderApp({ service, path: `/users/${id}/activity`, role: 'steward' })
    expect(await screen.findByText('Changed City')).toBeVisible()
    expect(await screen.findByText('Nice')).toBeVisible()
    expect(undoButtons()).toEqual([])
  })
})
