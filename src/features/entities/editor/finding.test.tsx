import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'

import { startTestService } from '#server/testing/service.ts'
import { button, entityPages, field, retype } from '../../../testing/entity-pages.tsx'
import { renderApp } from '../../../testing/render-app.tsx'

const keys = (count: number) => Array.from({ length: count }, (_, n) => `note_${n}`)
async function seek(user: UserEvent, text: string) {
  await user.clear(box())
  await user.paste(text)
}
const box = () => screen.getByRole('searchbox', { name: 'Find properties' })
const rows = () => within(screen.getByRole('list', { name: 'Properties' })).queryAllByRole('listitem')
const foundKeys = () => rows().map((row) => within(row).getByLabelText<HTMLInputElement>(/^Property: /).value)

describe('finding properties of a long entity', () => {
  // Service that sends sensitive values: they are in the page's memory, but the search must not find them.
  const pages = entityPages(() => startTestService({ additions: 'none' }))
  let path: string

  beforeEach(async () => {
    const properties = [
      ...keys(30).map((key) => ({ key, type: 'TEXT', value: `${key.replace('note_', 'about ')}.` })),
      { key: 'iban', type: 'TEXT', sensitive: true, value: 'ES91-SECRET' },
      { key: 'price', type: 'CURRENCY', value: { currency: 'EUR', value: '12.50' } },
      { key: 'born', type: 'DATE', value: '1984-02-29' },
    ]
    const id = await pages.make(`/users/${pages.userId}/entities`, { type: 'ledger', properties })
    path = `/users/${pages.userId}/entities/${id}`
  })

  test('is by key, type or value as they are shown, and says how many', async () => {
    const { user } = await pages.open(path)
    await user.type(box(), 'Note_1')
    await waitFor(() => expect(rows()).toHaveLength(11))
    expect(screen.getByText('11 of 33 properties')).toBeVisible()
    await user.clear(box())
    await waitFor(() => expect(rows()).toHaveLength(33))
    await user.type(box(), 'amount')
    await waitFor(() => expect(foundKeys()).toEqual(['price']))
    await seek(user, '12.5')
    await waitFor(() => expect(foundKeys()).toEqual(['price']))
    await seek(user, '1984')
    await waitFor(() => expect(foundKeys()).toEqual(['born']))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(rows()).toHaveLength(33))
  })

  test('offers what was changed to those alone who may change it', async () => {
    await pages.open(path)
    expect(await screen.findByRole('button', { name: 'Changed' })).toBeVisible()
    cleanup()
    const { service } = pages
    renderApp({ service, path, role: 'steward', scopes: ['users:read', 'entities:read'] })
    expect(await screen.findByRole('searchbox', { name: 'Find properties' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Changed' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'With problems' })).toBeNull()
  })

  test('never by a hidden value', async () => {
    const { user } = await pages.open(path)
    await user.type(box(), 'SECRET')
    expect(await screen.findByText('No properties found. Hidden values aren’t searched.')).toBeVisible()
    await seek(user, 'iban')
    await waitFor(() => expect(foundKeys()).toEqual(['iban']))
  })

  test('keeps what was found while it is edited, and finds it again among what changed', async () => {
    const { user } = await pages.open(path)
    await user.type(box(), 'about 17')
    await waitFor(() => expect(foundKeys()).toEqual(['note_17']))
    await retype(user, 'Property: Note 17', 'other')
    await retype(user, 'Value of Note 17', 'else')
    expect(foundKeys()).toEqual(['other'])
    await seek(user, 'price')
    await waitFor(() => expect(foundKeys()).toEqual(['price']))
    await user.clear(box())
    await user.click(button('Changed'))
    await waitFor(() => expect(foundKeys()).toEqual(['other']))
    expect(field('Value of Note 17')).toHaveValue('else')
    expect(screen.getByText('1 of 33 properties')).toBeVisible()
  })

  test('does not hide what keeps it from being saved, nor what is added', async () => {
    const { user } = await pages.open(path)
    await user.type(box(), 'born')
    await waitFor(() => expect(foundKeys()).toEqual(['born']))
    await retype(user, 'Value of Born', 'yesterday')
    await seek(user, 'price')
    await waitFor(() => expect(foundKeys()).toEqual(['price']))
    await user.click(button('Add property'))
    expect(field('Property: new property')).toHaveFocus()
    await user.keyboard('added')
    expect(foundKeys()).toEqual(['price', 'added'])
    await user.click(button('Review…'))
    expect(foundKeys()).toEqual(['price', 'born', 'added'])
    expect(field('Value of Born')).toHaveFocus()
  })

  test('with Enter does not save', async () => {
    const { user } = await pages.open(path)
    await retype(user, 'Value of Note 0', 'else')
    await user.type(box(), 'born{Enter}')
    await waitFor(() => expect(foundKeys()).toEqual(['born']))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('rows far from the screen can be read without going there', async () => {
    await pages.open(path)
    expect(screen.queryByLabelText('Property: Note 29')).not.toBeInTheDocument()
    expect(await screen.findByText('note_29')).toBeInTheDocument()
    expect(rows()).toHaveLength(33)
  })

  test('is not offered for a few', async () => {
    await pages.open()
    expect(screen.queryByRole('searchbox')).not.toBeInTheDocument()
  })
})
