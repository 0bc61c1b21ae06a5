import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'

import { startTestService } from '#server/testing/service.ts'
import { button, entityPages, field, retype } from '../../../testing/entity-pages.tsx'

// Keyboard tests: if an action in a row removes the focused control, the control in its place takes the focus.

const pages = entityPages(() => startTestService())

async function press(user: UserEvent, name: string) {
  button(name).focus()
  await user.keyboard('{Enter}')
}

async function reveal(user: UserEvent) {
  await press(user, 'Reveal IBAN')
  await screen.findByRole('dialog', { name: 'Reveal IBAN' })
  await user.keyboard('caller on the line{Enter}')
  expect(await screen.findByText('ES91-SECRET')).toBeVisible()
}

describe('a sensitive value', () => {
  test.each([
    ['its pencil', (user: UserEvent) => user.click(button('Edit IBAN'))],
    [
      'its row',
      async (user: UserEvent) => {
        const row = button('Reveal IBAN').closest('dl > div')
        if (row) await user.click(row)
      },
    ],
    [
      'e',
      async (user: UserEvent) => {
        button('Edit IBAN').focus()
        await user.keyboard('e')
      },
    ],
  ])('that is opened by %s takes what is typed from the first character on', async (_, openIt) => {
    const { user, router } = await pages.openRecord()
    await openIt(user)
    await waitFor(() => expect(field('Value of IBAN')).toHaveFocus())
    await user.keyboard('+44 7700 ge 900123')
    expect(field('Value of IBAN')).toHaveValue('+44 7700 ge 900123')
    await user.keyboard('{Control>}s{/Control}')
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
    expect(button('Edit IBAN')).toHaveFocus()
    expect(await pages.storedValues()).toMatchObject({ iban: '+44 7700 ge 900123', pin: '4711-SECRET' })
    expect(router.state.location.pathname).toBe(`/users/${pages.userId}`)
  })

  test('that comes first is opened with its entity, and stays as it is if nothing is typed', async () => {
    await pages.service.call('admin', 'PUT', `/users/${pages.userId}/entities/${pages.entityId}`, {
      type: 'person',
      properties: [{ key: 'phone', type: 'TEXT', sensitive: true, value: '1-SECRET' }],
    })
    const { user } = await pages.openRecord('Phone')
    await user.click(screen.getByRole('link', { name: 'Edit person' }))
    await waitFor(() => expect(field('Value of Phone')).toHaveFocus())
    expect(screen.queryByRole('button', { name: 'Review…' })).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Close editor' }))
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
    expect(await pages.storedValues()).toEqual({ phone: '1-SECRET' })
  })

  test('that is typed over its button is replaced by all that is typed, its first character too', async () => {
    const { user } = await pages.open()
    button('Replace IBAN').focus()
    await user.keyboard('+44 7700')
    expect(field('Value of IBAN')).toHaveValue('+44 7700')
  })

  test('that is replaced is typed at once, and kept again by the next press', async () => {
    const { user } = await pages.open()
    await press(user, 'Replace IBAN')
    await user.keyboard('FR76')
    expect(field('Value of IBAN')).toHaveValue('FR76')
    await press(user, 'Keep old value of IBAN')
    expect(button('Replace IBAN')).toHaveFocus()
    await user.keyboard('{Enter}FR77')
    expect(field('Value of IBAN')).toHaveValue('FR77')
    await press(user, 'Clear value of IBAN')
    expect(button('Keep old value of IBAN')).toHaveFocus()
    await press(user, 'Undo the change to IBAN')
    expect(button('Replace IBAN')).toHaveFocus()
  })

  test('that is shown stays beside the one that takes its place, as long as it would have been', async () => {
    const { user } = await pages.open()
    await reveal(user)
    await press(user, 'Replace IBAN')
    await user.keyboard('ES92')
    expect(screen.getByText('ES91-SECRET')).toBeVisible()
    expect(screen.getByRole('timer')).toHaveTextContent(/Hidden again in/)
    await press(user, 'Hide IBAN')
    expect(document.body).not.toHaveTextContent('ES91')
    await user.keyboard('-NEW')
    expect(field('Value of IBAN')).toHaveValue('ES92-NEW')
    await waitFor(() => expect(button('Review…')).toBeVisible())
  })
})

test('a save key that is held down opens the review, and does not answer it unread', async () => {
  const { user } = await pages.open()
  await user.click(button('Remove Birthday'))
  await retype(user, 'Value of City', 'Nantes')
  await user.keyboard('{Control>}{Enter>3/}{/Control}')
  expect(await screen.findByRole('button', { name: 'Save 2 changes' })).toBeVisible()
  await user.keyboard('{Control>}{s>3/}{/Control}')
  expect(await screen.findByText('2 changes saved')).toBeInTheDocument()
  expect(pages.writes()).toHaveLength(1)
})

describe('a row', () => {
  beforeEach(async () => {
    await pages.service.call('admin', 'PATCH', `/users/${pages.userId}/entities/${pages.entityId}`, {
      properties: [
        { key: 'vip', type: 'BOOLEAN', value: true },
        { key: 'banned', type: 'BOOLEAN', value: false },
      ],
    })
  })

  test('that is not removed after all, or as it was again, takes what is typed for its value', async () => {
    const { user } = await pages.open()
    await press(user, 'Remove City')
    expect(button('Keep City')).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(field('Value of City')).toHaveFocus()
    await user.keyboard('!')
    expect(field('Property: City')).toHaveValue('city')
    await press(user, 'Undo the change to City')
    expect(field('Value of City')).toHaveFocus()
    expect(field('Value of City')).toHaveValue('Lyon')
    await press(user, 'Clear value: Value of City')
    expect(field('Value of City')).toHaveFocus()
  })

  test('with a boolean focuses the checked radio button, in a group of its own', async () => {
    const { user } = await pages.open()
    await press(user, 'Remove VIP')
    await user.keyboard('{Enter}')
    const [yes] = screen.getAllByRole('radio', { name: 'Yes' })
    expect(yes).toHaveFocus()
    expect(yes).toBeChecked()
    const [, other] = screen.getAllByRole('radio', { name: 'Yes' })
    if (other) await user.click(other)
    expect(screen.getAllByRole<HTMLInputElement>('radio', { checked: true })).toHaveLength(2)
  })

  test('that somebody else wrote too keeps the focus, with either decision', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Nantes')
    await pages.elsewhere('city', 'Paris')
    await user.click(button('Save 1 change'))
    await screen.findByRole('radio', { name: /Paris/ })
    await user.keyboard('{Escape}')
    await press(user, 'Keep yours: City')
    expect(field('Value of City')).toHaveFocus()
    expect(field('Value of City')).toHaveValue('Nantes')
  })
})
