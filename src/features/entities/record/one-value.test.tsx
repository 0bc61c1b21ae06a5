import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { startTestService } from '#server/testing/service.ts'
import { button, entityPages, field, retype } from '../../../testing/entity-pages.tsx'
import { renderApp } from '../../../testing/render-app.tsx'

const pages = entityPages(() => startTestService())

async function openRow(user: UserEvent, label: string) {
  await user.click(button(`Edit ${label}`))
  await waitFor(() => expect(field(`Value of ${label}`)).toHaveFocus())
}

const isRead = () => waitFor(() => expect(screen.queryByRole('form')).toBeNull())

describe('one value in its row', () => {
  test('is saved by Enter without a review, as a PATCH of its key alone, and gives the focus back', async () => {
    const { user, router } = await pages.openRecord()
    await openRow(user, 'City')
    await retype(user, 'Value of City', 'Nice{Enter}')
    expect(await screen.findByText('City changed from Lyon to Nice')).toBeVisible()
    await isRead()
    expect(button('Edit City')).toHaveFocus()
    expect(screen.getByText('Nice')).toBeVisible()
    expect(pages.writes().map(({ method }) => method)).toEqual(['PATCH'])
    expect(await pages.storedValues()).toMatchObject({
      city: 'Nice',
      birthday: '1984-02-29',
      pin: '4711-SECRET',
    })
    expect(router.state.location.pathname).toBe(`/users/${pages.userId}`)
  })

  test('stays as it was after Escape, and after Enter where nothing was typed', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await retype(user, 'Value of City', 'Nice{Escape}')
    await isRead()
    expect(button('Edit City')).toHaveFocus()
    expect(screen.getByText('Lyon')).toBeVisible()
    await openRow(user, 'City')
    await user.keyboard('{Enter}')
    await isRead()
    expect(pages.writes()).toEqual([])
  })

  test('is saved by Tab, which goes on to the next one', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'Birthday')
    await user.keyboard('{Tab}')
    await waitFor(() => expect(field('Value of City')).toHaveFocus())
    await retype(user, 'Value of City', 'Nice')
    await user.keyboard('{Tab}')
    await waitFor(() => expect(field('Value of IBAN')).toHaveFocus())
    await user.keyboard('FR76{Enter}')
    await isRead()
    expect(button('Edit IBAN')).toHaveFocus()
    expect(await pages.storedValues()).toMatchObject({ birthday: '1984-02-29', city: 'Nice', iban: 'FR76' })
  })

  test('that is wrong stays open with what was typed, and says why', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'Birthday')
    await retype(user, 'Value of Birthday', '31 Feb 1984{Enter}')
    await waitFor(() => expect(field('Value of Birthday')).toHaveAttribute('aria-invalid', 'true'))
    expect(field('Value of Birthday')).toHaveFocus()
    expect(pages.writes()).toEqual([])
  })

  test('that is refused stays open with what was typed', async () => {
    const { user } = await pages.openRecord()
    pages.between = async (request, onward) =>
      request.method === 'PATCH'
        ? Response.json({ code: 'insufficient_scope', status: 403 }, { status: 403 })
        : onward()
    await openRow(user, 'City')
    await retype(user, 'Value of City', 'Nice{Enter}')
    expect(await screen.findByText('Not saved')).toBeVisible()
    expect(field('Value of City')).toHaveValue('Nice')
    pages.between = undefined
    await user.click(button('Save'))
    await isRead()
    expect(await pages.storedValues()).toMatchObject({ city: 'Nice' })
  })

  test('that somebody else has changed is decided side by side', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await retype(user, 'Value of City', 'Nice')
    await pages.elsewhere('city', 'Brest')
    await user.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog'))
    // The dialog says it; an alert behind it would be read first.
    expect(screen.queryByRole('alert', { hidden: true })).not.toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Back to editing' }))
    const notice = await screen.findByRole('alert')
    expect(notice).toHaveTextContent('Someone else changed this property')
    expect(notice).toHaveTextContent('Nothing was sent. Save again to see both values and choose one.')
    await waitFor(() => expect(field('Value of City')).toHaveFocus())
    await user.keyboard('{Enter}')
    const again = within(await screen.findByRole('dialog'))
    await user.click(again.getByRole('radio', { name: /Nice/ }))
    await user.click(again.getByRole('button', { name: /^Save/ }))
    await isRead()
    expect(await pages.storedValues()).toMatchObject({ city: 'Nice' })
  })

  test('leaves what somebody else has changed beside it', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await retype(user, 'Value of City', 'Nice')
    await pages.elsewhere('street', 'Rue Un')
    await user.keyboard('{Enter}')
    expect(
      await screen.findByText(
        'City changed from Lyon to Nice. Someone else changed Street: their changes are kept.',
      ),
    ).toBeVisible()
    expect(await pages.storedValues()).toMatchObject({ city: 'Nice', street: 'Rue Un' })
  })

  test('stays open while another one is opened, if something was typed', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await user.keyboard('!')
    await openRow(user, 'Birthday')
    expect(field('Value of City')).toHaveValue('Lyon!')
    await openRow(user, 'IBAN')
    await waitFor(() => expect(screen.queryByLabelText('Value of Birthday')).toBeNull())
    expect(field('Value of City')).toHaveValue('Lyon!')
  })

  test('asks before it is left with something typed', async () => {
    const { user, router } = await pages.openRecord()
    await openRow(user, 'City')
    await user.keyboard('!')
    await user.click(
      within(screen.getByRole('navigation', { name: /main/i })).getByRole('link', { name: 'Segments' }),
    )
    const question = within(await screen.findByRole('dialog'))
    await user.click(question.getByRole('button', { name: /^Stay|^Keep editing/ }))
    expect(field('Value of City')).toHaveValue('Lyon!')
    expect(router.state.location.pathname).toBe(`/users/${pages.userId}`)
  })

  test('keeps its row open behind its history, from which an earlier value comes into the row', async () => {
    await pages.elsewhere('city', 'Nice')
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await user.click(button('History of City'))
    const panel = within(await screen.findByRole('dialog', { name: 'History of City' }))
    await user.click(await panel.findByRole('button', { name: /^Restore City/ }))
    expect(field('Value of City')).toHaveValue('Lyon')
    await user.click(button('History of City'))
    await waitFor(() => expect(screen.getByRole('heading', { name: 'History of City' })).toHaveFocus())
    await user.keyboard('{Escape}')
    await waitFor(() => expect(button('History of City')).toHaveFocus())
    await user.click(button('Save'))
    await isRead()
    expect(await pages.storedValues()).toMatchObject({ city: 'Lyon' })
  })

  test('is removed from its row', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await user.click(button('Remove City'))
    expect(screen.getByText('Removed when you save')).toBeVisible()
    expect(button('Save')).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(await screen.findByText('City removed')).toBeVisible()
    expect(await pages.storedValues()).not.toHaveProperty('city')
  })
})

describe('undo', () => {
  test('puts the value back by the button of its message', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await retype(user, 'Value of City', 'Nice{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('City restored')).toBeVisible()
    expect(await pages.storedValues()).toMatchObject({ city: 'Lyon' })
    expect(await screen.findByText('Lyon')).toBeVisible()
  })

  test('puts the last value back by Ctrl and Z, once, and leaves the typing in a field alone', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await retype(user, 'Value of City', 'Nice{Enter}')
    await isRead()
    await openRow(user, 'Birthday')
    await user.keyboard('{Control>}z{/Control}{Escape}')
    expect(await pages.storedValues()).toMatchObject({ city: 'Nice' })
    await user.keyboard('{Control>}z{/Control}')
    expect(await screen.findByText('City restored')).toBeVisible()
    const asked = pages.writes().length
    await user.keyboard('{Control>}z{/Control}')
    expect(pages.writes()).toHaveLength(asked)
    expect(await pages.storedValues()).toMatchObject({ city: 'Lyon' })
  })

  test('puts a removed value back, and a sensitive one without showing it', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await user.click(button('Remove City'))
    await user.click(button('Save'))
    await isRead()
    await user.keyboard('{Control>}z{/Control}')
    await waitFor(async () => expect(await pages.storedValues()).toMatchObject({ city: 'Lyon' }))
    await openRow(user, 'IBAN')
    await user.keyboard('FR76-SECRET{Enter}')
    await isRead()
    await user.keyboard('{Control>}z{/Control}')
    expect(await screen.findByText('IBAN restored')).toBeVisible()
    expect(await pages.storedValues()).toMatchObject({ iban: 'ES91-SECRET' })
    expect(document.body).not.toHaveTextContent('SECRET')
  })

  test('is of one’s own change, although somebody else has changed the value since and back', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await retype(user, 'Value of City', 'Nice{Enter}')
    await isRead()
    for (const city of ['Brest', 'Nice']) await pages.elsewhere('city', city)
    await user.keyboard('{Control>}z{/Control}')
    expect(await screen.findByText('City restored')).toBeVisible()
    expect(await pages.storedValues()).toMatchObject({ city: 'Lyon' })
  })

  test('leaves alone what somebody else has written since', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'City')
    await retype(user, 'Value of City', 'Nice{Enter}')
    await isRead()
    await pages.elsewhere('city', 'Brest')
    await user.keyboard('{Control>}z{/Control}')
    expect(await screen.findByText('Someone has changed City since. Nothing was undone.')).toBeVisible()
    expect(await pages.storedValues()).toMatchObject({ city: 'Brest' })
  })
})

describe('one sensitive value in its row', () => {
  test('is shown again to who has just saved it, without being revealed', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'IBAN')
    await user.keyboard('FR76-SECRET{Enter}')
    expect(await screen.findByText('IBAN changed')).toBeVisible()
    await isRead()
    expect(document.body).not.toHaveTextContent('SECRET')
    const asked = pages.requests.length
    await user.click(button('Show what I saved as IBAN'))
    expect(await screen.findByText('FR76-SECRET')).toBeVisible()
    expect(pages.requests.slice(asked)).toEqual([])
    await user.click(button('Hide IBAN'))
    expect(document.body).not.toHaveTextContent('SECRET')
  })

  test('stays as it is where nothing was typed', async () => {
    const { user } = await pages.openRecord()
    await openRow(user, 'IBAN')
    await user.keyboard('{Enter}')
    await isRead()
    expect(pages.writes()).toEqual([])
    expect(screen.queryByRole('button', { name: /^Show what I saved/ })).toBeNull()
  })
})

describe('one value on a service that requires reasons', () => {
  const service = testService({ changeReasons: 'required' })

  test('asks for the reason in its row, and offers it again for the next one', async () => {
    const given = { 'change-reason': 'prepared' }
    const id = await service.create('admin', '/users', { name: 'Ana' })
    const properties = ['city', 'street'].map((key) => ({ key, type: 'TEXT', value: `the ${key}` }))
    await service.create('admin', `/users/${id}/entities`, { type: 'person', properties }, given)
    const { user } = renderApp({ service, path: `/users/${id}`, role: 'steward' })
    await screen.findByText('the city')
    await openRow(user, 'City')
    await retype(user, 'Value of City', 'Nice{Enter}')
    await waitFor(() => expect(screen.getByLabelText(/^Reason/)).toHaveFocus())
    await user.keyboard('Moved{Enter}')
    await isRead()
    await openRow(user, 'Street')
    await retype(user, 'Value of Street', 'Rue Un{Enter}')
    await isRead()
    expect(await screen.findByText('Rue Un')).toBeVisible()
  })
})
