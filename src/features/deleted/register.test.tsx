import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { erasuresPerPage, type Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
const without = testService({ erasureDigests: 'none' })
beforeEach(() => Promise.all([service.reset(), without.reset()]))

async function remove(body: object, reference: string, role: Role = 'steward'): Promise<string> {
  const user = await service.create('steward', '/users', body)
  const headers = { 'deletion-reference': encodeURIComponent(reference) }
  expect((await service.call(role, 'DELETE', `/users/${user}`, undefined, headers)).status).toBe(204)
  return user
}
const open = (to = '/users/deleted', of = service) => renderApp({ service: of, path: to, role: 'steward' })
const references = async () => {
  const [, ...rows] = within(await screen.findByRole('table', { name: 'Deleted users' })).getAllByRole('row')
  return rows.map((row) => within(row).getAllByRole('cell')[3]?.textContent)
}

async function search(user: ReturnType<typeof open>['user'], text: string) {
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  await user.type(await screen.findByRole('textbox', { name: 'Reference, deleted by, or id' }), text)
  await user.click(screen.getByRole('button', { name: 'Show deletions' }))
  await screen.findByText(`Matches “${text}”`)
}

describe('the register', () => {
  test('is searched by reference and time, of which the address keeps the time', async () => {
    await remove({}, 'Ticket 1')
    await remove({}, 'Ticket 2')
    const old = await remove({}, 'Ticket 21')
    await service.database.pool.query(`update erasures set deleted = '2026-03-01 12:00' where user_id = $1`, [
      old,
    ])
    const { user, router } = open()
    expect(await references()).toEqual(['Ticket 2', 'Ticket 1', 'Ticket 21'])
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    await user.type(
      await screen.findByRole('textbox', { name: 'Reference, deleted by, or id' }),
      ' ticket 2 ',
    )
    await user.click(screen.getByRole('button', { name: 'Show deletions' }))
    await waitFor(async () => expect(await references()).toEqual(['Ticket 2', 'Ticket 21']))
    expect(router.state.location.search).toBe('?state=all')
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    await user.click(await screen.findByRole('button', { name: 'Last 24 hours' }))
    await user.click(screen.getByRole('button', { name: 'Show deletions' }))
    await waitFor(async () => expect(await references()).toEqual(['Ticket 2']))
    await user.click(screen.getByRole('button', { name: 'Remove filter: Matches “ticket 2”' }))
    await waitFor(async () => expect(await references()).toEqual(['Ticket 2', 'Ticket 1']))
    expect(router.state.location.search).toMatch(/^\?state=all&from=[\dTZ%.A:-]+$/)
  })

  test('is opened as its address says, and tells that nothing matches', async () => {
    await remove({}, 'T-1')
    const { user } = open('/users/deleted?to=2026-03-01T12:00:00.000Z')
    expect(await screen.findByText('No matching deletions')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(await screen.findByText('T-1')).toBeVisible()
  })

  test('keeps what was typed out of addresses and storage, and finds it again on the way back', async () => {
    await remove({}, 'Ana Canary')
    await remove({}, 'T-1')
    const net = network(service)
    const { user, router } = renderApp({
      service: { ...service, fetch: net.fetch },
      path: '/users/deleted',
      role: 'steward',
    })
    await search(user, 'canary')
    await waitFor(async () => expect(await references()).toEqual(['Ana Canary']))
    await user.click(screen.getByText('Ana Canary'))
    await screen.findByRole('link', { name: 'Events of this user' })
    await act(() => router.navigate(-1))
    await waitFor(async () => expect(await references()).toEqual(['Ana Canary']))
    expect(
      JSON.stringify([net.requests.map((each) => each.path), router.state.location, history.state]),
    ).not.toMatch(/canary/i)
    expect(JSON.stringify([sessionStorage, localStorage])).not.toMatch(/canary/i)
  })

  test('asks for no e-mail, which nothing of it has', async () => {
    await remove({ email: 'ana@example.org' }, 'T-1')
    const { user, router } = open()
    await user.click(await screen.findByRole('button', { name: 'Filter' }))
    const field = await screen.findByRole('textbox', { name: 'Reference, deleted by, or id' })
    await user.type(field, 'ana@example.org{Enter}')
    expect(await screen.findByText(/^E-mails aren’t kept here/)).toBeVisible()
    expect(field).toHaveFocus()
    expect(router.state.location.search).toBe('')
  })

  test('keeps the search on the next page', async () => {
    for (let n = 0; n <= erasuresPerPage; n++) await remove({}, `Case ${n}`)
    await remove({}, 'Other')
    const { user } = open()
    await screen.findByText('Other')
    await search(user, 'case')
    await screen.findByText('Case 1')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(async () => expect(await references()).toEqual(['Case 0']))
    await user.click(screen.getByRole('button', { name: 'First' }))
    await waitFor(async () => expect(await references()).toHaveLength(erasuresPerPage))
    expect(await references()).not.toContain('Other')
  })

  test('has rows that lead to the receipt, and from there to the events of the user', async () => {
    const id = await remove({}, 'T-1')
    const { user, router } = open()
    await user.click(await screen.findByText('T-1'))
    await user.click(await screen.findByRole('link', { name: 'Events of this user' }))
    await waitFor(() => expect(router.state.location.search).toBe(`?user=${id}`))
    expect(router.state.location.pathname).toBe('/events')
  })

  test.each([
    ['all that is kept of the user', service, /keep only the id, and a fingerprint of the e-mail and ref/],
    ['that only the id is kept where there are no digests', without, /keep only the id\.$/],
  ])('tells on the receipt %s', async (_, of, words) => {
    const id = await of.create('steward', '/users', {})
    expect((await of.call('steward', 'DELETE', `/users/${id}`)).status).toBe(204)
    open(`/users/deleted/${id}`, of)
    expect(await screen.findByText(words)).toBeVisible()
  })

  test('is exported as it is filtered, without formulas, page after page', async () => {
    for (let n = 0; n < erasuresPerPage; n++) await remove({}, `Case ${n}`)
    const id = await remove({}, '=case"1")')
    await remove({}, 'Other')
    let file: Blob | undefined
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      file = blob as Blob
      return 'blob:file'
    })
    const { user } = open()
    await search(user, 'case')
    await user.click(await screen.findByRole('button', { name: 'Export' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Export deleted users' }))
    expect(dialog.getByText('All deletions that match the filters, newest first.')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Export' }))
    expect(await dialog.findByText(/^51 deletions in deleted-users-.*\.csv\.$/)).toBeVisible()
    const lines = ((await file?.text()) ?? '').split('\r\n')
    expect(lines).toHaveLength(53)
    expect(lines[0]).toContain('"user","deleted","actor","reference","state","due","final"')
    expect(lines[1]).toMatch(
      new RegExp(String.raw`^"${id}","\d{4}-[^"]+Z","steward","'=case""1""\)","final","","\d{4}-[^"]+Z"$`),
    )
  })
})

describe('a person’s question', () => {
  const ask = async (of = service) => {
    const app = open('/users/deleted', of)
    await app.user.click(await screen.findByRole('button', { name: 'Check e-mail or ref…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Was this user deleted?' }))
    return { ...app, dialog }
  }

  test('is answered by e-mail or ref, and nothing of it is in the address', async () => {
    const id = await remove({ email: 'ana@example.org', ref: 'C-1042' }, 'Ticket 4711')
    const { user, router, dialog } = await ask()
    await user.type(dialog.getByRole('textbox', { name: 'E-mail of the user' }), ' Ana@Example.org {Enter}')
    expect(await dialog.findByText('Yes, deleted')).toBeVisible()
    expect(dialog.getByRole('listitem')).toHaveTextContent('Ticket 4711')
    expect(dialog.getByRole('link')).toHaveAttribute('href', `/users/deleted/${id}`)
    await user.click(dialog.getByRole('radio', { name: 'Ref' }))
    expect(dialog.queryByText('Yes, deleted')).toBeNull()
    const ref = dialog.getByRole('textbox', { name: 'Ref of the user' })
    await user.click(dialog.getByRole('button', { name: 'Check' }))
    expect(await dialog.findByText('No deletion found')).toBeVisible()
    expect(dialog.getByText('No deleted user had this e-mail or ref at the time of deletion.')).toBeVisible()
    await user.clear(ref)
    await user.type(ref, 'c-1042{Enter}')
    expect(await dialog.findByText('Yes, deleted')).toBeVisible()
    expect(router.state.location.search).toBe('')
    expect(JSON.stringify([sessionStorage, localStorage, history.state])).not.toMatch(/example\.org|1042/i)
  })

  test('tells until when deletions may not be found', async () => {
    await service.database.pool.query(
      `insert into erasures (user_id, deleted) values (gen_random_uuid(), '2026-02-01 12:00')`,
    )
    const { user, dialog } = await ask()
    await user.type(dialog.getByRole('textbox'), 'ana@example.org{Enter}')
    expect(await dialog.findByRole('status', { name: 'No deletion found' })).toHaveTextContent(
      /Deletions up to .*Feb.* may not be found\.$/,
    )
  })

  test('is not asked without a whole e-mail or ref', async () => {
    const net = network(service)
    const { user, dialog } = await ask({ ...service, fetch: net.fetch })
    const field = dialog.getByRole('textbox', { name: 'E-mail of the user' })
    await user.type(field, 'ana{Enter}')
    expect(await dialog.findByText(/^Enter an e-mail address/)).toBeVisible()
    expect(field).toHaveFocus()
    await user.clear(field)
    await user.click(dialog.getByRole('radio', { name: 'Ref' }))
    await user.click(dialog.getByRole('button', { name: 'Check' }))
    expect(await dialog.findByText('Enter a ref.')).toBeVisible()
    expect(net.requests.filter(({ path }) => path.includes('/check'))).toEqual([])
  })

  test('cannot be asked where the service keeps nothing to compare', async () => {
    open('/users/deleted', without)
    expect(await screen.findByRole('button', { name: 'Filter' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Check e-mail or ref…' })).toBeNull()
  })
})
