import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'

import { startTestService } from '#server/testing/service.ts'
import { entityPages, field, retype, save } from '../../../testing/entity-pages.tsx'

const revoked = { status: 'REVOKED', statusDate: '2026-06-01T00:00:00.000Z' }
const older = { status: 'GRANTED', statusDate: '2024-06-01T09:30:00.000Z' }

describe('an older consent over a later one', () => {
  const pages = entityPages(() => startTestService())

  async function store(value: object, sensitive = false) {
    const properties = [{ key: 'news', type: 'PREFERENCE', value, sensitive }]
    await pages.service.call('admin', 'PATCH', `/users/${pages.userId}/entities/${pages.entityId}`, {
      properties,
    })
  }

  async function grant(user: UserEvent, since = '2024-06-01 09:30') {
    await user.selectOptions(field('Value of News, status'), 'GRANTED')
    await retype(user, 'Value of News, since (UTC)', since)
  }

  const findQuestion = async () =>
    within(await screen.findByRole('dialog', { name: 'Replace a later consent?' }))
  const news = async () => (await pages.storedValues()).news

  test('is asked about with both, and saved only then', async () => {
    await store(revoked)
    const { user } = await pages.open()
    expect(screen.getByText('Since (UTC)')).toBeVisible()
    expect(screen.getByText('Expires (UTC)')).toBeVisible()
    await grant(user)
    await retype(user, 'Value of City', 'Paris')
    await save(user)
    const question = await findQuestion()
    expect(screen.getByRole('dialog', { name: 'Replace a later consent?' })).toHaveTextContent(
      'News: Revoked · Jun 1, 2026, 00:00 is stored. Your change says Granted · Jun 1, 2024, 09:30, which is earlier.',
    )
    expect(question.getByRole('button', { name: 'Back' })).toHaveFocus()
    expect(pages.writes()).toEqual([])
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Replace a later consent?' })).toBeNull())
    expect(pages.writes()).toEqual([])

    await user.click(await screen.findByRole('button', { name: 'Save 2 changes' }))
    await user.click((await findQuestion()).getByRole('button', { name: 'Replace the later consent' }))
    expect(await screen.findByText('2 changes saved')).toBeInTheDocument()
    expect(await news()).toEqual(older)
  })

  test('is not asked about where it is the later one, or has the same status', async () => {
    await store(revoked)
    const { user } = await pages.open()
    await grant(user, '2026-07-01 00:00')
    await save(user)
    expect(await screen.findByText(/^News (saved|changed)/)).toBeInTheDocument()
    expect(await news()).toEqual({ status: 'GRANTED', statusDate: '2026-07-01T00:00:00.000Z' })
    await retype(user, 'Value of News, since (UTC)', '2020-01-01 00:00')
    await save(user)
    await waitFor(async () =>
      expect(await news()).toEqual({ status: 'GRANTED', statusDate: '2020-01-01T00:00:00.000Z' }),
    )
  })

  test('another status is said now, each time, and not on the date of the one before', async () => {
    await store({ ...older, expires: '2030-01-01T00:00:00.000Z' })
    const { user } = await pages.open()
    let before = older.statusDate
    for (const status of ['REVOKED', 'GRANTED']) {
      await user.selectOptions(field('Value of News, status'), status)
      expect(field('Value of News, since (UTC)')).toHaveValue('')
      await save(user)
      await waitFor(async () => expect(await news()).toMatchObject({ status }))
      const { statusDate, expires } = (await news()) as { statusDate: string; expires?: string }
      expect(expires).toBeUndefined()
      expect(statusDate > before).toBe(true)
      before = statusDate
    }
  })

  test('the status that was there brings its dates back, and a date that was typed stays', async () => {
    await store(older)
    const { user } = await pages.open()
    const since = field('Value of News, since (UTC)')
    const shown = since.getAttribute('value')
    await user.selectOptions(field('Value of News, status'), 'DENIED')
    expect(since).toHaveValue('')
    await user.selectOptions(field('Value of News, status'), 'GRANTED')
    expect(since).toHaveValue(shown)
    await retype(user, 'Value of News, since (UTC)', '2025-01-01 00:00')
    await user.selectOptions(field('Value of News, status'), 'DENIED')
    await save(user)
    await waitFor(async () =>
      expect(await news()).toEqual({ status: 'DENIED', statusDate: '2025-01-01T00:00:00.000Z' }),
    )
  })

  test('is asked about where the stored one is hidden, without a word of it', async () => {
    await store(revoked, true)
    const { user } = await pages.open()
    await user.click(screen.getByRole('button', { name: 'Replace News' }))
    await grant(user)
    await save(user)
    const question = await findQuestion()
    const dialog = screen.getByRole('dialog', { name: 'Replace a later consent?' })
    expect(dialog).toHaveTextContent('News: the stored consent is hidden.')
    expect(dialog).not.toHaveTextContent(/Revoked|2026/)
    await user.click(question.getByRole('button', { name: 'Replace the later consent' }))
    expect(await screen.findByText('News changed')).toBeInTheDocument()
    expect(await news()).toEqual(older)
  })
})
