import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import { startTestService } from '#server/testing/service.ts'
import { button, entityPages } from '../../testing/entity-pages.tsx'

describe('a deleted entity', () => {
  const pages = entityPages(startTestService)

  async function remove() {
    const app = await pages.open()
    await app.user.click(button('Delete this person'))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/^The user stays\. You can restore the entity/)).toBeVisible()
    await app.user.click(dialog.getByRole('button', { name: 'Delete person' }))
    await screen.findByText('Person deleted')
    return app
  }

  test('comes back by Undo, to its page, with hidden values that nothing sent here', async () => {
    const before = await pages.storedValues()
    const answers: string[] = []
    pages.between = async (_request, onward) => {
      const answer = await onward()
      answers.push(await answer.clone().text())
      return answer
    }
    const { user, router } = await remove()
    await user.click(button('Undo'))
    expect(await screen.findByText('Person restored')).toBeInTheDocument()
    await screen.findByRole('form', { name: 'person' })
    await waitFor(() =>
      expect(router.state.location.pathname).toBe(`/users/${pages.userId}/entities/${pages.entityId}`),
    )
    expect(await pages.storedValues()).toEqual(before)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
    expect(answers.join()).not.toContain('SECRET')
  })

  test('that is there again already is led to', async () => {
    const { user, router } = await remove()
    await pages.service.call('admin', 'POST', `/users/${pages.userId}/entities/${pages.entityId}/restore`)
    await user.click(button('Undo'))
    await waitFor(() => expect(router.state.location.pathname).toContain(pages.entityId))
    expect(await screen.findByRole('form', { name: 'person' })).toBeVisible()
  })

  test('cannot be restored once its user is deleted too, and the page says so', async () => {
    const { user } = await remove()
    await pages.service.call('admin', 'DELETE', `/users/${pages.userId}`)
    await user.click(button('Undo'))
    expect(await screen.findByText(/^Not restored\. .* or the user was deleted too/)).toBeInTheDocument()
  })

  test('is restored at its own address, where there was one', async () => {
    await pages.service.call('admin', 'DELETE', `/users/${pages.userId}/entities/${pages.entityId}`)
    const { user } = await pages.openGone()
    await user.click(button('Restore'))
    expect(await screen.findByRole('form', { name: 'person' })).toBeVisible()
    await waitFor(() => expect(screen.queryByText('This entity doesn’t exist')).toBeNull())
  })
})

describe('on a service that keeps no changesets', () => {
  const pages = entityPages(() => startTestService({ additions: 'none' }))

  test('the dialog says that it is for good, and nothing is offered afterwards', async () => {
    const { user } = await pages.open()
    await user.click(button('Delete this person'))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/deleted for good/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Delete person' }))
    expect(await screen.findByText('Person deleted')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test('nor at the address of what is gone', async () => {
    await pages.service.call('admin', 'DELETE', `/users/${pages.userId}/entities/${pages.entityId}`)
    await pages.openGone()
    expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull()
  })
})
