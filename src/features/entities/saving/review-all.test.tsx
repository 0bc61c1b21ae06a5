import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'

import { startTestService } from '#server/testing/service.ts'
import { button, entityPages, field, retype } from '../../../testing/entity-pages.tsx'

describe('with unsaved edits in two entities', () => {
  const pages = entityPages(() => startTestService())
  let car = ''

  async function edit() {
    const properties = [{ key: 'plate', type: 'TEXT', value: 'A 1' }]
    car = await pages.make(`/users/${pages.userId}/entities`, { type: 'car', properties })
    const app = await pages.open()
    await retype(app.user, 'Value of city', 'Nice')
    expect(screen.queryByText(/^Unsaved changes in/)).toBeNull()
    await app.user.click(screen.getByRole('link', { name: 'Edit A 1 car' }))
    await screen.findByRole('form', { name: 'car' })
    await retype(app.user, 'Value of plate', 'B 2')
    expect(screen.getAllByText('Unsaved changes in 2 entities')).toHaveLength(2)
    return app
  }

  async function openReview(user: UserEvent) {
    await user.keyboard('{Control>}s{/Control}')
    return within(await screen.findByRole('dialog', { name: 'Review all unsaved changes' }))
  }

  const plate = async () => (await pages.stored(car)).properties.find(({ key }) => key === 'plate')?.value

  test('one review shows all of them, and one reason goes with each', async () => {
    const { user } = await edit()
    const dialog = await openReview(user)
    expect(
      within(dialog.getByRole('region', { name: 'Person' })).getByRole('row', { name: /^City/ }),
    ).toHaveTextContent('LyonNice')
    expect(
      within(dialog.getByRole('region', { name: 'A 1 car' })).getByRole('row', { name: /^Plate/ }),
    ).toHaveTextContent('A 1B 2')
    await user.type(dialog.getByLabelText('Reason (optional)'), 'Ticket 4711')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('2 changes in 2 entities saved')).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
    expect(await pages.storedValues()).toMatchObject({ city: 'Nice' })
    expect(await plate()).toBe('B 2')
    const writes = pages.writes().map(({ method, headers }) => [method, headers.get('change-reason')])
    const reason = 'Ticket%204711'
    expect(writes).toEqual([
      ['PATCH', reason],
      ['PATCH', reason],
    ])
  })

  test('an entity with a conflict stays unsaved, the others are saved, and a button leads to its form', async () => {
    const { user } = await edit()
    await pages.elsewhere('city', 'Rome')
    const dialog = await openReview(user)
    await user.click(dialog.getByRole('button', { name: 'Save 2 changes in 2 entities' }))
    const person = within(dialog.getByRole('region', { name: 'Person' }))
    expect(await person.findByText('Someone else changed the same properties')).toBeVisible()
    expect(within(dialog.getByRole('region', { name: 'A 1 car' })).getByText('Saved')).toBeVisible()
    expect(await plate()).toBe('B 2')
    expect(dialog.queryByRole('button', { name: /^Save/ })).toBeNull()
    await user.click(person.getByRole('button', { name: 'Show in form' }))
    await waitFor(() => expect(screen.queryByRole('form', { name: 'car' })).toBeNull())
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByText(/^Unsaved changes in/)).toBeNull()
    await waitFor(() => expect(field('Value of city')).toHaveFocus())
    expect(field('Value of city')).toHaveValue('Nice')
    await user.click(button('Keep yours: city'))
    await user.click(button('Save 1 change'))
    await waitFor(async () => expect(await pages.storedValues()).toMatchObject({ city: 'Nice' }))
  })

  test('changes by somebody else to other properties are kept and reported', async () => {
    const { user } = await edit()
    await pages.elsewhere('birthplace', 'Rome')
    const dialog = await openReview(user)
    await user.click(dialog.getByRole('button', { name: 'Save 2 changes in 2 entities' }))
    const said = 'Someone else changed Birthplace of Person: their changes are kept.'
    expect(await screen.findByText(`2 changes in 2 entities saved. ${said}`)).toBeInTheDocument()
    expect(await pages.storedValues()).toMatchObject({ birthplace: 'Rome', city: 'Nice' })
  })

  test('an entity that could not be read after its save is read once more', async () => {
    const { user } = await edit()
    const dialog = await openReview(user)
    const written = new Set<string>()
    pages.between = ({ method, url }) => {
      const { pathname } = new URL(url)
      if (method === 'PATCH') written.add(pathname)
      return method === 'GET' && written.has(pathname) ? new Response('', { status: 503 }) : undefined
    }
    await user.click(dialog.getByRole('button', { name: 'Save 2 changes in 2 entities' }))
    expect(await screen.findByText('2 changes in 2 entities saved')).toBeInTheDocument()
    // Checks the read-only text, because the inputs show the same values until their entity is read again.
    await waitFor(() => {
      expect(screen.queryByRole('textbox', { name: /^Value of/ })).toBeNull()
      expect(screen.getByText('Nice')).toBeVisible()
      expect(screen.getByRole('heading', { level: 2, name: 'B 2 car' })).toBeVisible()
    })
  })

  test('a retry sends only the entity that was refused', async () => {
    const { user } = await edit()
    const dialog = await openReview(user)
    pages.between = (request) =>
      request.method === 'PATCH' && request.url.includes(car) ? new Response('', { status: 503 }) : undefined
    await user.click(dialog.getByRole('button', { name: 'Save 2 changes in 2 entities' }))
    expect(await dialog.findByText('Not saved')).toBeVisible()
    pages.between = undefined
    await user.click(dialog.getByRole('button', { name: 'Save 1 change in 1 entity' }))
    expect(await screen.findByText('2 changes in 2 entities saved')).toBeInTheDocument()
    const toPerson = pages.writes().filter(({ path }) => path.includes(pages.entityId))
    expect(toPerson).toHaveLength(1)
    expect(await plate()).toBe('B 2')
  })

  test('an entity that cannot be saved yet is named, and the others are saved without it', async () => {
    const { user } = await edit()
    await retype(user, 'Value of birthday', 'yesterday')
    const dialog = await openReview(user)
    expect(dialog.getByText('These changes can’t be saved yet')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Save 1 change in 1 entity' }))
    await dialog.findByText('Saved')
    await user.click(dialog.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(field('Value of birthday')).toHaveFocus())
    expect(field('Value of birthday')).toHaveValue('yesterday')
  })
})
