import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { erasuresPerPage, type ErasureList, type Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { startTestService } from '#server/testing/service.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
const bare = testService({ additions: 'none' })
const strict = testService({ changeReasons: 'required' })
beforeEach(() => Promise.all([service.reset(), bare.reset(), strict.reset()]))

const iban = { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02120300000000202051' }

async function remove(body: object, reference?: string, role: Role = 'steward'): Promise<string> {
  const user = await service.create('steward', '/users', body)
  const headers = reference === undefined ? {} : { 'deletion-reference': encodeURIComponent(reference) }
  expect((await service.call(role, 'DELETE', `/users/${user}`, undefined, headers)).status).toBe(204)
  return user
}
const open = (to = '/users/deleted', role: Role = 'steward', of = service) =>
  renderApp({ service: of, path: to, role })
const rows = async () =>
  within(await screen.findByRole('table', { name: 'Deleted users' })).getAllByRole('row')

describe('deleted users', () => {
  test('are listed by id, newest first, with who, which reference and how final that is', async () => {
    const waits = await remove({ name: 'Ana López', properties: [iban] }, 'Ticket 4711')
    const final = await remove({ name: 'Bob' }, undefined, 'admin')
    const { user } = open()
    const [, newest, older] = await rows()
    expect(newest).toHaveTextContent(`${final.slice(0, 8)}…${final.slice(-4)}`)
    expect(newest).toHaveTextContent(/admin.*None.*Final just now/)
    expect(older).toHaveTextContent(/steward.*Ticket 4711.*Waiting for a new master key/)
    expect(document.body).not.toHaveTextContent(/Ana|López|Bob/)
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(within(newest ?? document.body).getByRole('button', { name: 'Copy id' }))
    expect(copied).toHaveBeenCalledWith(final)

    await user.click(screen.getByRole('radio', { name: 'Not final yet' }))
    await waitFor(async () => expect((await rows()).slice(1)).toHaveLength(1))
    expect((await rows())[1]).toHaveTextContent(`${waits.slice(0, 8)}…${waits.slice(-4)}`)
    await user.click(screen.getByRole('radio', { name: 'Final' }))
    expect(await screen.findByText('admin')).toBeVisible()
    expect(screen.queryByText('Ticket 4711')).toBeNull()
  })

  test('are none yet, and say so of each state', async () => {
    const { user } = open()
    expect(await screen.findByText('No deleted users')).toBeVisible()
    await user.click(screen.getByRole('radio', { name: 'Not final yet' }))
    expect(await screen.findByText('All deletions are final')).toBeVisible()
    await user.click(screen.getByRole('radio', { name: 'Final' }))
    expect(await screen.findByText('No final deletions yet')).toBeVisible()
  })

  test('are paged forwards and backwards', async () => {
    for (let n = 0; n <= erasuresPerPage; n++) await remove({}, `T-${n}`)
    const { user } = open()
    await screen.findByText('T-50')
    expect(screen.getByText('1–50')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('T-0')).toBeVisible()
    expect(screen.getByText('51–51')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    expect(await screen.findByText('T-50')).toBeVisible()
    expect(screen.getByText('1–50')).toBeVisible()
  })

  test('that cannot be read say why, and can be asked for again', async () => {
    const user = await remove({}, 'T-1')
    const edge = network(service)
    edge.meet((request) =>
      request.url.includes('/erasures') ? new Response('<html>', { status: 500 }) : undefined,
    )
    const app = open('/users/deleted', 'steward', { ...service, fetch: edge.fetch })
    const again = await screen.findByRole('button', { name: 'Try again' })
    edge.meet(() => undefined)
    await app.user.click(again)
    expect(await screen.findByText('T-1')).toBeVisible()
    expect(user).not.toBe('')
  })

  test('are found from anywhere, and from the audit', async () => {
    const { user } = open('/audit')
    await user.click(await screen.findByRole('link', { name: 'Deleted users' }))
    expect(await screen.findByText('No deleted users')).toBeVisible()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox', { name: 'Find anywhere' }), 'erasure')
    expect(await screen.findByRole('option', { name: /Deleted users/ })).toBeVisible()
  })

  test('have no page where the service forgets them', async () => {
    open('/users/deleted', 'steward', bare)
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  })
})

describe('the receipt', () => {
  test('tells all that is kept, prints, and nobody could tell from it who it was', async () => {
    const id = await remove({ name: 'Ana López', properties: [iban] }, 'Ticket 4711')
    const { user } = open()
    await user.click(await screen.findByRole('link', { name: /^Receipt for/ }))
    const sheet = within(await screen.findByRole('article', { name: 'The receipt' }))
    for (const said of [id, 'steward', 'Ticket 4711', service.baseUrl])
      expect(sheet.getByText(said)).toBeVisible()
    expect(
      sheet.getByText(
        /^Sensitive data becomes unrecoverable once the operator .* Backups made before then still/,
      ),
    ).toBeVisible()
    expect(document.body).not.toHaveTextContent(/Ana|López|DE02/)
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
    await user.click(screen.getByRole('button', { name: 'Print…' }))
    expect(print).toHaveBeenCalledOnce()
  })

  test('links the segments that still name the user', async () => {
    const id = await service.create('steward', '/users', { name: 'Ana López', properties: [iban] })
    const filter = { user: 'name', op: 'eq', value: 'Ana López' }
    const segment = await service.create('admin', '/segments', { name: 'Friends', filter })
    expect((await service.call('steward', 'DELETE', `/users/${id}`)).status).toBe(204)
    open(`/users/deleted/${id}`)
    expect(await screen.findByText('Still named elsewhere')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Segment “Friends”' })).toHaveAttribute(
      'href',
      `/segments/${segment}`,
    )
  })

  test.each(['01900000-0000-7000-8000-000000000000', 'nobody'])('does not exist for %s', async (id) => {
    open(`/users/deleted/${id}`)
    expect(await screen.findByText('No deletion found for this id')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to deleted users' })).toHaveAttribute(
      'href',
      '/users/deleted',
    )
    expect(screen.queryByRole('button', { name: 'Print…' })).toBeNull()
  })
})

test('a store that finalises deletions by itself has dialog, message and receipt name the minute', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-deleted-'))
  const embedded = await startTestService({ dataDir: folder })
  try {
    const id = await embedded.create('steward', '/users', { name: 'Ana', properties: [iban] })
    const app = open(`/users/${id}`, 'steward', embedded)
    await app.user.click(await screen.findByRole('button', { name: 'More actions' }))
    await app.user.click(await screen.findByRole('menuitem', { name: 'Delete user…' }))
    const dialog = within(await screen.findByRole('dialog'))
    const promise = await dialog.findByText(/^Sensitive data becomes unrecoverable by/)
    expect(promise).toHaveTextContent(
      /by \w+ \d+, \d{4}, \d\d:\d\d UTC\. Backups made before then still contain it\.$/,
    )
    const before = within(promise).getByText(/UTC$/).textContent
    await app.user.type(dialog.getByRole('textbox', { name: /^Type/ }), 'delete')
    await app.user.click(dialog.getByRole('button', { name: 'Delete user' }))
    const told = await screen.findByText(/^Ana deleted\. Sensitive data becomes unrecoverable by/)
    const { body }: { body: ErasureList } = await embedded.call('steward', 'GET', '/erasures?state=all')
    const due = Date.parse(body.erasures[0]?.due ?? '')
    const [, by = ''] = /unrecoverable by (.*)\.$/.exec(told.textContent) ?? []
    const late = Date.parse(by) - due
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(60_000)
    expect(Math.abs(Date.parse(before) - Date.parse(by))).toBeLessThanOrEqual(60_000)
    await app.router.navigate(`/users/deleted/${id}`)
    const sheet = within(await screen.findByRole('article', { name: 'The receipt' }))
    expect(sheet.getByText(/becomes unrecoverable by/)).toHaveTextContent(`unrecoverable by ${by}.`)
    await app.router.navigate('/users/deleted')
    expect((await rows())[1]).toHaveTextContent(`Final by ${by.replace(' UTC', '')}`)
  } finally {
    await embedded.close()
    fs.rmSync(folder, { recursive: true, force: true })
  }
})

test('a service that requires reasons deletes no user without a reference', async () => {
  const id = await strict.create('steward', '/users', { name: 'Ana' })
  const { user } = open(`/users/${id}`, 'steward', strict)
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete user…' }))
  const dialog = within(await screen.findByRole('dialog'))
  const [reference, word] = dialog.getAllByRole('textbox')
  expect(reference).toHaveAccessibleName(/^Reference/)
  await waitFor(() => expect(reference).toHaveFocus())
  await user.type(word ?? document.body, 'delete{Enter}')
  expect(dialog.getByText('Enter a reference.')).toBeVisible()
  expect(reference).toHaveFocus()
  expect((await strict.call('steward', 'GET', `/users/${id}`)).status).toBe(200)
  await user.type(reference ?? document.body, 'T-1')
  await user.click(dialog.getByRole('button', { name: 'Delete user' }))
  expect(await screen.findByText('Ana deleted')).toBeVisible()
})
