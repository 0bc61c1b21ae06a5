import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'

import type { Event } from '#contract/index.ts'
import { startTestService } from '#server/testing/service.ts'
import { propertyLabel } from '../../../domain/labels.ts'
import { button, entityPages, field, save } from '../../../testing/entity-pages.tsx'
import { listenAloud } from '../../../testing/render-app.tsx'

const page = () => document.documentElement.outerHTML

/** Presses the reveal button, and gives a reason. */
async function reveal(user: UserEvent, key: string) {
  await user.click(button(`Reveal ${propertyLabel('person', key)}`))
  const dialog = await screen.findByRole('dialog', { name: `Reveal ${propertyLabel('person', key)}` })
  await user.clear(within(dialog).getByLabelText(/Reason/))
  await user.keyboard(`${reason}{Enter}`)
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
}

const reason = 'caller on the line'

describe('a sensitive value', () => {
  const pages = entityPages(() => startTestService())

  test('a value is not in the page before it is revealed, one at a time', async () => {
    const { user } = await pages.open()
    expect(page()).not.toContain('SECRET')
    await reveal(user, 'iban')
    expect(await screen.findByText('ES91-SECRET')).toBeVisible()
    expect(button('Copy IBAN')).toHaveFocus()
    await reveal(user, 'pin')
    expect(await screen.findByText('4711-SECRET')).toBeVisible()
    expect(page()).not.toContain('ES91')
    await user.click(button('Hide PIN'))
    expect(page()).not.toContain('SECRET')
    expect(button('Reveal PIN')).toHaveFocus()
  })

  test('one at a time also where another entity has the next one', async () => {
    await pages.make(`/users/${pages.userId}/entities`, {
      type: 'car',
      properties: [{ key: 'alarm', type: 'TEXT', sensitive: true, value: '0000-SECRET' }],
    })
    const { user } = await pages.open()
    await reveal(user, 'iban')
    expect(await screen.findByText('ES91-SECRET')).toBeVisible()
    await reveal(user, 'alarm')
    expect(await screen.findByText('0000-SECRET')).toBeVisible()
    expect(page()).not.toContain('ES91')
    await reveal(user, 'pin')
    expect(await screen.findByText('4711-SECRET')).toBeVisible()
    expect(page()).not.toContain('0000-SECRET')
  })

  test('revealing in the record is announced without the value, and the focus moves to the tools of the value, and back', async () => {
    const { user } = await pages.openRecord()
    const said = listenAloud()
    button('Reveal IBAN').focus()
    await reveal(user, 'iban')
    await waitFor(() => expect(button('Copy IBAN')).toHaveFocus())
    expect(said.at(-1)).toBe('IBAN revealed, hidden again in 60 seconds')
    await user.click(button('Hide IBAN'))
    expect(button('Reveal IBAN')).toHaveFocus()
    expect(said.at(-1)).toBe('IBAN hidden')
    expect(said.join(' ')).not.toContain('SECRET')
    expect(page()).not.toContain('SECRET')
  })

  test('a revealed value is said as its definition says, and its stored one goes with it', async () => {
    await pages.service.call('admin', 'PUT', '/definitions/person/pin', {
      choices: [{ value: '4711-SECRET', label: { en: 'First card' } }],
    })
    const { user } = await pages.openRecord()
    await reveal(user, 'pin')
    await user.hover(await screen.findByText('First card'))
    expect(await screen.findByRole('tooltip')).toHaveTextContent('4711-SECRET')
    await user.click(button('Hide PIN'))
    expect(page()).not.toContain('SECRET')
  })

  test('a revealed value hides after a minute, with a countdown', async () => {
    const { user } = await pages.open()
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      await reveal(user, 'iban')
      await screen.findByText('ES91-SECRET')
      await act(() => vi.advanceTimersByTimeAsync(30_000))
      expect(screen.getByRole('timer')).toHaveTextContent(/Hidden again in (30|29|28) s/)
      await act(() => vi.advanceTimersByTimeAsync(31_000))
      expect(page()).not.toContain('SECRET')
    } finally {
      vi.useRealTimers()
    }
  })

  test('a revealed value hides at the first sign of life after a sleep', async () => {
    for (const [minutes, name] of [
      [2, 'pointermove'],
      [60, 'pointerdown'],
      [420, 'focus'],
    ] as const) {
      const { user } = await pages.open()
      await reveal(user, 'iban')
      await screen.findByText('ES91-SECRET')
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + minutes * 60_000)
      act(() => void window.dispatchEvent(new Event(name)))
      expect({ name, isShown: page().includes('SECRET') }).toEqual({ name, isShown: false })
      clock.mockRestore()
      cleanup()
    }
  })

  test('a revealed value hides when the tab is left', async () => {
    const { user } = await pages.open()
    await reveal(user, 'iban')
    await screen.findByText('ES91-SECRET')
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await waitFor(() => {
      document.dispatchEvent(new Event('visibilitychange'))
      expect(page()).not.toContain('SECRET')
    })
    visibility.mockRestore()
  })

  test('a copy leaves the clipboard after a minute', async () => {
    const { user } = await pages.open()
    await reveal(user, 'iban')
    await screen.findByText('ES91-SECRET')
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    const clipboard = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    // Not `setInterval`: jsdom would lose the one that draws its frames.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      act(() => button('Copy IBAN').click())
      await act(() => vi.advanceTimersByTimeAsync(100))
      expect(clipboard).toHaveBeenLastCalledWith('ES91-SECRET')
      await act(() => vi.advanceTimersByTimeAsync(61_000))
      // The machine may have slept for that minute: this is the first sign of life.
      window.dispatchEvent(new Event('pointermove'))
      await act(() => vi.advanceTimersByTimeAsync(100))
      expect(clipboard).toHaveBeenLastCalledWith('')
    } finally {
      vi.useRealTimers()
    }
  })

  test('a sensitive value is replaced by what the review shows, and a blank input changes nothing', async () => {
    const { user } = await pages.open()
    await user.click(button('Replace IBAN'))
    expect(field('Value of IBAN')).toHaveValue('')
    expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument()
    await user.type(field('Value of IBAN'), 'FR76-NEW')
    await user.click(button('Review…'))
    const review = await screen.findByRole('dialog')
    expect(review).toHaveTextContent('FR76-NEW')
    await user.click(within(review).getByText('Show the exact request'))
    expect(review).toHaveTextContent('"value": "FR76-NEW"')
    expect(review.outerHTML).not.toContain('SECRET')
    await user.click(within(review).getByRole('button', { name: 'Save 1 change' }))
    expect(await screen.findByText('IBAN changed')).toBeInTheDocument()
    expect(await pages.storedValues()).toMatchObject({ iban: 'FR76-NEW', pin: '4711-SECRET' })
    expect(page()).not.toMatch(/SECRET|FR76/)
  })

  test('a sensitive value can be set to none, and stays sensitive', async () => {
    const { user } = await pages.open()
    await user.click(button('Replace IBAN'))
    await user.click(button('Clear value of IBAN'))
    await save(user)
    expect(await screen.findByText('IBAN changed')).toBeInTheDocument()
    expect((await pages.stored()).properties.find(({ key }) => key === 'iban')).toMatchObject({
      value: null,
      sensitive: true,
    })
  })

  test('a value is marked and unmarked, and keeps being there', async () => {
    const { user } = await pages.open()
    await user.click(screen.getByRole('checkbox', { name: 'City is sensitive' }))
    await user.click(screen.getByRole('checkbox', { name: 'IBAN is sensitive' }))
    await save(user)
    expect(await screen.findByText('2 changes saved')).toBeInTheDocument()
    expect(page()).not.toContain('Lyon')
    expect(field('Value of IBAN')).toHaveValue('ES91-SECRET')
    expect(await pages.storedValues()).toMatchObject({ city: 'Lyon', iban: 'ES91-SECRET' })
  })
})

describe('on a service that withholds sensitive values', () => {
  const pages = entityPages(() => startTestService())
  const events = async () => (await pages.service.call('admin', 'GET', '/events')).body as Event[]
  const accesses = async () => (await events()).filter(({ type }) => type === 'SENSITIVE_DATA_ACCESSED')

  test('none is in any answer before it is asked for, and then that one alone, in no cache', async () => {
    const answers: string[] = []
    pages.between = async (_, onward) => {
      const response = await onward()
      answers.push(await response.clone().text())
      return response
    }
    const { user, queryClient } = await pages.open()
    const listCached = () =>
      JSON.stringify([
        queryClient
          .getQueryCache()
          .getAll()
          .map(({ state }) => state),
        queryClient
          .getMutationCache()
          .getAll()
          .map(({ state }) => state),
      ])
    expect(answers.join()).toContain('"masked":true')
    expect(answers.join()).not.toContain('SECRET')
    await reveal(user, 'iban')
    expect(await screen.findByText('ES91-SECRET')).toBeVisible()
    expect(answers.filter((answer) => answer.includes('SECRET'))).toHaveLength(1)
    expect(answers.join()).not.toContain('4711-SECRET')
    await waitFor(() => expect(listCached()).not.toContain('SECRET'))
    expect(listCached()).not.toContain(reason)
  })

  test('a reason is asked for, kept by the audit log, and offered again for the same user', async () => {
    const { user } = await pages.open()
    await user.click(button('Reveal IBAN'))
    const dialog = await screen.findByRole('dialog', { name: 'Reveal IBAN' })
    const box = within(dialog).getByLabelText(/Reason/)
    expect(box).toHaveFocus()
    await user.keyboard('   {Enter}')
    expect(box).toHaveAccessibleDescription(/Enter a reason\./)
    expect(await accesses()).toEqual([])
    await user.keyboard('Complaint 12{Enter}')
    expect(await screen.findByText('ES91-SECRET')).toBeVisible()
    expect((await accesses()).map(({ properties }) => properties)).toEqual([
      expect.objectContaining({ reason: 'Complaint 12', keys: '["iban"]', entity: pages.entityId }),
    ])
    await user.click(button('Reveal PIN'))
    expect(await screen.findByRole('textbox', { name: /Reason/ })).toHaveValue('Complaint 12')
    await user.keyboard('{Enter}')
    expect(await screen.findByText('4711-SECRET')).toBeVisible()
    expect(await accesses()).toHaveLength(2)
  })

  test('a refusal keeps the dialog and the reason, and says why', async () => {
    pages.between = async (request, onward) =>
      request.url.endsWith('/reveal')
        ? new Response(null, { status: 429, headers: { 'retry-after': '9' } })
        : onward()
    const { user } = await pages.open()
    await user.click(button('Reveal IBAN'))
    await screen.findByRole('dialog', { name: 'Reveal IBAN' })
    await user.keyboard('Complaint 12{Enter}')
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Not revealed')
    expect(alert).toHaveTextContent('Try again in 9 seconds')
    expect(screen.getByRole('textbox', { name: /Reason/ })).toHaveValue('Complaint 12')
    pages.between = undefined
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Reveal' }))
    expect(await screen.findByText('ES91-SECRET')).toBeVisible()
  })

  test('a caller’s answer is compared with the stored value, which is not shown, and is not kept', async () => {
    const { user, queryClient } = await pages.open()
    await user.click(button('Check IBAN'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Check IBAN' }))
    expect(dialog.getByLabelText(/^Value to check/)).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(dialog.getByLabelText(/^Value to check/)).toHaveAccessibleDescription('Enter a value.')
    await user.keyboard('FR76-OTHER')
    // Two key presses in the same tick send one request.
    fireEvent.keyDown(dialog.getByLabelText(/^Value to check/), { key: 'Enter' })
    fireEvent.keyDown(dialog.getByLabelText(/^Value to check/), { key: 'Enter' })
    expect(await dialog.findByText('Doesn’t match')).toBeVisible()
    await user.clear(dialog.getByLabelText(/^Value to check/))
    expect(dialog.queryByText('Doesn’t match')).toBeNull()
    await user.keyboard('es91 secret')
    await user.type(dialog.getByLabelText('Reason (optional)'), 'caller on the line{Enter}')
    expect(await dialog.findByText('Match')).toBeVisible()
    const checks = (await events()).filter(({ type }) => type === 'SENSITIVE_DATA_CHECKED')
    expect(checks.map(({ properties }) => [properties['keys'], properties['reason']])).toEqual([
      ['["iban"]', undefined],
      ['["iban"]', 'caller on the line'],
    ])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(button('Check IBAN')).toHaveFocus()
    expect(page()).not.toContain('SECRET')
    const kept = queryClient.getMutationCache().getAll()
    expect(JSON.stringify(kept.map(({ state }) => state))).not.toContain('es91')
    await user.click(button('Check IBAN'))
    expect(await screen.findByLabelText(/^Value to check/)).toHaveValue('')
    expect(screen.getByLabelText('Reason (optional)')).toHaveValue('caller on the line')
  })

  test('a number that can be read in two ways is not compared before it is decided which', async () => {
    await pages.service.call('admin', 'PATCH', `/users/${pages.userId}/entities/${pages.entityId}`, {
      properties: [{ key: 'limit', type: 'NUMBER', value: 7500, sensitive: true }],
    })
    const { user } = await pages.open()
    await user.click(button('Check Limit'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Check Limit' }))
    const said = dialog.getByLabelText(/^Value to check/)
    await user.keyboard('7,500{Enter}')
    expect(said).toHaveAccessibleDescription(/two ways/)
    await user.click(dialog.getByRole('button', { name: /^Use 7500: / }))
    expect(said).toHaveValue('7500')
    expect(said).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(await dialog.findByText('Match')).toBeVisible()
    await user.clear(said)
    await user.type(said, '7 500,0{Enter}')
    expect(await dialog.findByText('Match')).toBeVisible()
    const checks = (await events()).filter(({ type }) => type === 'SENSITIVE_DATA_CHECKED')
    expect(checks).toHaveLength(2)
  })

  test('too many checks make the dialog say when to try again', async () => {
    pages.between = async (request, onward) =>
      request.url.endsWith('/check')
        ? new Response(null, { status: 429, headers: { 'retry-after': '400' } })
        : onward()
    const { user } = await pages.open()
    await user.click(button('Check IBAN'))
    await screen.findByRole('dialog', { name: 'Check IBAN' })
    await user.keyboard('es91{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('Try again in 7 minutes')
    expect(screen.getByLabelText(/^Value to check/)).toHaveValue('es91')
  })

  test('a property that somebody else has removed is not revealed, and the page says so', async () => {
    const { user } = await pages.open()
    const entity = await pages.stored()
    const { userId, entityId } = pages
    await pages.service.call('admin', 'PUT', `/users/${userId}/entities/${entityId}`, {
      ...entity,
      properties: entity.properties.filter(({ key }) => key !== 'iban'),
    })
    await user.click(button('Reveal IBAN'))
    await screen.findByRole('dialog', { name: 'Reveal IBAN' })
    await user.keyboard('Complaint 12{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('Someone removed this property')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(page()).not.toContain('SECRET')
  })

  test('a rename of a hidden one is not sent without a value, and is with one', async () => {
    const { user } = await pages.open()
    await user.clear(field('Property: IBAN'))
    await user.type(field('Property: IBAN'), 'account')
    await user.click(button('Review…'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    await user.click(button('Replace IBAN'))
    await user.type(field('Value of IBAN'), 'FR76-NEW')
    await save(user)
    expect(await screen.findByText('Account changed')).toBeInTheDocument()
    expect(await pages.storedValues()).toEqual({
      birthday: '1984-02-29',
      city: 'Lyon',
      account: 'FR76-NEW',
      pin: '4711-SECRET',
    })
  })
})
