import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'

import { startTestService } from '#server/testing/service.ts'
import { button, entityPages, field, retype, save } from '../../../testing/entity-pages.tsx'

const kept = { birthday: '1984-02-29', city: 'Lyon', iban: 'ES91-SECRET', pin: '4711-SECRET' }

function setUp(additions: 'all' | 'none') {
  const pages = entityPages(() => startTestService({ additions }))
  const path = () => `/users/${pages.userId}/entities/${pages.entityId}`
  const replace = async (type: string, properties: object[]) =>
    await pages.service.call('admin', 'PUT', path(), { type, properties })
  const question = async () =>
    within(await screen.findByRole('dialog', { name: /has changed since you opened it$/ }))
  /** Returns the two options for one property in the conflict dialog. */
  const about = async (label: string) => {
    const group = within((await question()).getByRole('group', { name: new RegExp(`^${label}`) }))
    return {
      mine: group.getByRole('radio', { name: /^Yours/ }),
      theirs: group.getByRole('radio', { name: /^Theirs/ }),
    }
  }
  const sideBySide = async (label: string) =>
    (await question()).getByRole('group', { name: new RegExp(`^${label}`) }).textContent
  const answer = async (user: UserEvent, name = 'Save') =>
    await user.click((await question()).getByRole('button', { name }))
  return { pages, replace, question, about, sideBySide, answer }
}

// Without tags, the console reads again before it writes.
describe.each(['all', 'none'] as const)('somebody else writes during an edit, additions: %s', (additions) => {
  const { pages, question, about, sideBySide, answer } = setUp(additions)

  test('other properties merge by themselves, and that is said', async () => {
    const { user } = await pages.open()
    await user.click(button('Remove Birthday'))
    await pages.elsewhere('city', 'Rome')
    await pages.elsewhere('nick', 'Ani')
    await save(user)
    expect(
      await screen.findByText(
        'Birthday removed. Someone else changed City and Nick: their changes are kept.',
      ),
    ).toBeInTheDocument()
    const { birthday: _, ...rest } = kept
    expect(await pages.storedValues()).toEqual({ ...rest, city: 'Rome', nick: 'Ani' })
    expect(field('Value of City')).toHaveValue('Rome')
  })

  test('the question says which of two persons it is about, as their headings do', async () => {
    const properties = [{ key: 'city', type: 'TEXT', value: 'Nice' }]
    await pages.service.call('admin', 'POST', `/users/${pages.userId}/entities`, {
      type: 'person',
      properties,
    })
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await pages.elsewhere('city', 'Rome')
    await save(user)
    expect(
      await screen.findByRole('dialog', { name: /Rome person has changed since you opened it$/ }),
    ).toBeVisible()
  })

  test('a property that both changed is shown side by side, and nothing is overwritten before a decision', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await user.click(button('Remove Birthday'))
    await pages.elsewhere('city', 'Rome')
    await pages.elsewhere('nick', 'Ani')
    await save(user)
    const { mine, theirs } = await about('City')
    expect(mine).toHaveAccessibleName('Yours Paris')
    expect(theirs).toHaveAccessibleName('Theirs Rome')
    expect(await sideBySide('City')).toContain('Before: Lyon')
    const dialog = await question()
    expect(dialog.getByText('Changed only by them, and kept: Nick')).toBeVisible()
    expect(dialog.getByText('Changed only by you, and will be saved too: Birthday')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    expect(await pages.storedValues()).toEqual({ ...kept, city: 'Rome', nick: 'Ani' })

    await user.click(mine)
    await answer(user)
    expect(await screen.findByText(/^2 changes saved/)).toBeInTheDocument()
    const { birthday: _, ...rest } = kept
    expect(await pages.storedValues()).toEqual({ ...rest, city: 'Paris', nick: 'Ani' })
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe('a property that somebody else wrote', () => {
  const { pages, replace, question, about, answer } = setUp('all')

  test('theirs alone sends nothing', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await pages.elsewhere('city', 'Rome')
    await save(user)
    await user.click((await about('City')).theirs)
    const before = pages.writes().length
    await answer(user, 'Keep theirs')
    expect(await screen.findByText('Nothing to save. Their changes are kept.')).toBeInTheDocument()
    expect(pages.writes()).toHaveLength(before)
    expect(field('Value of City')).toHaveValue('Rome')
    expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument()
  })

  test('back to editing keeps everything; it is asked again, or decided in the row', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await retype(user, 'Value of Birthday', '1990-01-01')
    await pages.elsewhere('city', 'Rome')
    await save(user)
    await answer(user, 'Back to editing')
    expect(await screen.findByRole('alert')).toHaveTextContent('Someone else changed the same properties')
    expect(field('Value of City')).toHaveValue('Paris')
    expect(field('Value of Birthday')).toHaveValue('Jan 1, 1990')
    expect(screen.getByText(/Someone else changed this/)).toHaveTextContent('Rome')
    await user.click(button('Review…'))
    await answer(user, 'Back to editing')
    expect((await pages.storedValues()).city).toBe('Rome')

    await user.click(button('Keep yours: City'))
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    await user.click(button('Review…'))
    const review = within(await screen.findByRole('dialog', { name: /^Review/ }))
    expect(review.getByRole('row', { name: /^City/ })).toHaveTextContent('RomeParis')
    await user.click(review.getByRole('button', { name: 'Save 2 changes' }))
    expect(await screen.findByText('2 changes saved')).toBeInTheDocument()
    expect(await pages.storedValues()).toEqual({ ...kept, city: 'Paris', birthday: '1990-01-01' })
  })

  test('theirs can be taken in the row', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await pages.elsewhere('city', 'Rome')
    await save(user)
    await answer(user, 'Back to editing')
    await user.click(button('Keep theirs: City'))
    expect(field('Value of City')).toHaveValue('Rome')
    expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  test('a third edit is asked about again', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await pages.elsewhere('city', 'Rome')
    await save(user)
    await user.click((await about('City')).mine)
    await pages.elsewhere('city', 'Oslo')
    await answer(user)
    await waitFor(async () => expect((await about('City')).theirs).toHaveAccessibleName('Theirs Oslo'))
    expect((await question()).getByRole('button', { name: 'Save' })).toBeDisabled()
    expect((await pages.storedValues()).city).toBe('Oslo')
    await user.click((await about('City')).mine)
    await answer(user)
    expect(await screen.findByText('City changed from Oslo to Paris')).toBeInTheDocument()
    expect((await pages.storedValues()).city).toBe('Paris')
  })

  test('removed, renamed, retyped and marked, each in its own words; all at once where there are many', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await user.click(button('Remove Birthday'))
    await retype(user, 'Entity type', 'contact')
    await replace('lead', [
      { key: 'birthday', type: 'TEXT', value: 'in May' },
      { key: 'iban', type: 'TEXT', sensitive: true, value: 'ES91-SECRET' },
      { key: 'pin', type: 'TEXT', sensitive: true, value: '4711-SECRET' },
    ])
    await save(user)
    expect((await about('Entity type')).theirs).toHaveAccessibleName('Theirs Lead')
    expect((await about('City')).theirs).toHaveAccessibleName('Theirs Removed')
    expect((await about('Birthday')).mine).toHaveAccessibleName('Yours Removed')
    expect((await about('Birthday')).theirs).toHaveAccessibleName(/Text.*in May/)
    await user.click((await question()).getByRole('button', { name: 'Keep all yours' }))
    await answer(user)
    expect(await screen.findByText(/^3 changes saved/)).toBeInTheDocument()
    const { birthday: _, ...rest } = kept
    expect(await pages.storedValues()).toEqual({ ...rest, city: 'Paris' })
    expect((await pages.stored()).type).toBe('contact')
  })

  test('a key that both gave away is decided like a value', async () => {
    const { user } = await pages.open()
    await retype(user, 'Property: City', 'town')
    await pages.elsewhere('town', 'Lyon-sur-Mer')
    await save(user)
    expect((await about('City')).mine).toHaveAccessibleName(/Replaces their Town/)
    expect((await about('City')).theirs).toHaveAccessibleName(/They added Town:.*Lyon-sur-Mer/)
    await user.click((await about('City')).mine)
    await answer(user)
    expect(await screen.findByText(/changes saved/)).toBeInTheDocument()
    const { city: _, ...rest } = kept
    expect(await pages.storedValues()).toEqual({ ...rest, town: 'Lyon' })
  })

  test('a sensitive value is shown on the side that was typed here alone', async () => {
    const { user } = await pages.open()
    await user.click(button('Replace IBAN'))
    await user.type(field('Value of IBAN'), 'FR76-SECRET')
    await pages.elsewhere('iban', 'DE00-SECRET')
    await save(user)
    const { mine, theirs } = await about('IBAN')
    expect(mine).toHaveAccessibleName('Yours FR76-SECRET')
    expect(theirs).toHaveAccessibleName('Theirs Changed value (hidden)')
    expect(screen.getByRole('dialog').outerHTML).not.toMatch(/DE00|ES91/)
    expect((await pages.storedValues()).iban).toBe('DE00-SECRET')
    await user.click(mine)
    await answer(user)
    expect(await screen.findByText('IBAN changed')).toBeInTheDocument()
    expect((await pages.storedValues()).iban).toBe('FR76-SECRET')
  })

  test('a failure after the decision keeps what was decided', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await pages.elsewhere('city', 'Rome')
    await save(user)
    await user.click((await about('City')).mine)
    pages.between = async (request, onward) =>
      request.method === 'GET' ? onward() : new Response('{}', { status: 503 })
    await answer(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('Not saved')
    expect(field('Value of City')).toHaveValue('Paris')
    pages.between = undefined
    await save(user)
    expect(await screen.findByText('City changed from Rome to Paris')).toBeInTheDocument()
    expect((await pages.storedValues()).city).toBe('Paris')
  })

  test('the author of the other change is named', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await pages.elsewhere('city', 'Rome')
    await pages.elsewhere('nick', 'Ani')
    await save(user)
    expect(await screen.findByText(/Changed by admin ·/)).toBeVisible()
  })

  test('one’s own change in another tab is said to be that', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    const path = `/users/${pages.userId}/entities/${pages.entityId}`
    await pages.service.call('steward', 'PATCH', path, {
      type: 'person',
      properties: [{ key: 'city', type: 'TEXT', value: 'Rome' }],
    })
    await save(user)
    expect(await screen.findByText(/^Changed by you, in another tab ·/)).toBeVisible()
  })
})

describe('an entity type that both changed', () => {
  const pages = entityPages(() => startTestService())

  test('is asked about with its author, although another write came after', async () => {
    const { user } = await pages.open()
    await retype(user, 'Entity type', 'contact')
    const { properties } = await pages.stored()
    const path = `/users/${pages.userId}/entities/${pages.entityId}`
    await pages.service.call('admin', 'PUT', path, { type: 'lead', properties })
    await pages.elsewhere('nick', 'Ani')
    await save(user)
    expect(await screen.findByText(/Changed by admin ·/)).toBeVisible()
  })
})

describe('the review says what will be sent', () => {
  const pages = entityPages(() => startTestService())
  const review = async (user: UserEvent) => {
    await user.click(button('Review…'))
    const dialog = await screen.findByRole('dialog', { name: /^Review/ })
    return { dialog, sent: within(within(dialog).getByRole('region', { name: 'Effect of saving' })) }
  }

  test('a change, in words and to the letter, with what was typed for a sensitive value and not the stored one', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await user.click(button('Replace IBAN'))
    await user.type(field('Value of IBAN'), 'FR76-TYPED')
    const { dialog, sent } = await review(user)
    expect(sent.getByText('Only these properties change: City and IBAN.')).toBeVisible()
    expect(sent.getByText(/your changes are merged/)).toBeVisible()
    await user.click(sent.getByText('Show the exact request'))
    const exact = await sent.findByText(/^PATCH \/users/)
    expect(exact).toHaveTextContent(`/users/${pages.userId}/entities/${pages.entityId}`)
    expect(exact).toHaveTextContent('"key": "city", "type": "TEXT", "sensitive": false, "value": "Paris"')
    expect(exact).toHaveTextContent('"key": "iban", "type": "TEXT", "sensitive": true, "value": "FR76-TYPED"')
    expect(dialog.outerHTML).not.toContain('SECRET')
  })

  test('another type of the entity, by their labels', async () => {
    const { user } = await pages.open()
    await retype(user, 'Entity type', 'contact')
    await retype(user, 'Value of City', 'Paris')
    const { dialog } = await review(user)
    expect(within(dialog).getByRole('row', { name: /^Entity type/ })).toHaveTextContent('PersonContact')
  })

  test('a removal is a replacement that keeps the rest', async () => {
    const { user } = await pages.open()
    await user.click(button('Remove Birthday'))
    const { dialog, sent } = await review(user)
    expect(sent.getByText(/^The entity is saved as a whole/)).toHaveTextContent(
      'with these properties: City, IBAN and PIN. 2 hidden values stay as they are.',
    )
    await user.click(sent.getByText('Show the exact request'))
    const exact = await sent.findByText(/^PUT \/users/)
    expect(exact).toHaveTextContent('"masked": true')
    expect(dialog.outerHTML).not.toContain('SECRET')
  })
})
