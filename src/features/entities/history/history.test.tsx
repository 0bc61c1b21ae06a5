import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Entity, Event, Property, Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { startTestService } from '#server/testing/service.ts'
import { network } from '../../../testing/network.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { clearToasts } from '../../../ui/toast.tsx'

const service = testService()
let userId: string
let entityId: string

const first = [
  { key: 'birthday', type: 'DATE', value: '1984-02-29' },
  { key: 'city', type: 'TEXT', value: 'Lyon' },
  { key: 'iban', type: 'TEXT', sensitive: true, value: 'CANARY-1' },
]

beforeEach(async () => {
  await service.reset()
  clearToasts()
  userId = await create('/users', { name: 'Ana', email: 'ana@example.org' })
  entityId = await create(`/users/${userId}/entities`, { type: 'person', properties: first })
})

async function create(path: string, body: unknown): Promise<string> {
  const { headers } = await service.call('admin', 'POST', path, body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

const address = () => `/users/${userId}/entities/${entityId}`

async function patch(role: Role, ...properties: Partial<Property>[]) {
  const { status } = await service.call(role, 'PATCH', address(), { properties })
  expect(status).toBe(204)
}

async function replace(change: (properties: Property[]) => Partial<Property>[], type = 'person') {
  const before = await readEntity()
  const { status } = await service.call('admin', 'PUT', address(), {
    type,
    properties: change(before.properties),
  })
  expect(status).toBe(204)
}

async function readEntity(): Promise<Entity> {
  return (await service.call('admin', 'GET', address())).body
}

async function storedValues(): Promise<Record<string, unknown>> {
  return Object.fromEntries((await readEntity()).properties.map(({ key, value }) => [key, value]))
}

async function open(role: Role = 'steward') {
  const edge = network(service)
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path: address(), role })
  await screen.findByRole('form')
  return { ...app, edge }
}

type App = Awaited<ReturnType<typeof open>>

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const button = (name: string | RegExp) => screen.getByRole('button', { name })

/** Opens the history and returns all its entries, newest first. */
async function history({ user }: App, name: string): Promise<HTMLElement[]> {
  await user.click(button(name))
  const panel = await screen.findByRole('dialog')
  await within(panel).findByText(/^That’s the whole history/)
  const list = within(panel).getByRole('list', { name: 'Changes, newest first' })
  return [...list.children] as HTMLElement[]
}

/** Returns the reason in the hint of the disabled restore button. */
const reasonOf = (entry: HTMLElement | undefined) => {
  const it = within(expectShown(entry)).getByRole('button', { name: /^Restore/ })
  expect(it).toHaveAttribute('aria-disabled', 'true')
  return it.getAttribute('data-hint')
}

async function reviewAndSave({ user }: App) {
  await user.click(button('Review…'))
  const review = await screen.findByRole('dialog')
  const words = review.textContent
  await user.click(within(expectShown(review)).getByRole('button', { name: /^Save \d/ }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  return words
}

describe('the history of a property', () => {
  test('says who, when, and what it was, newest first; the rest of the entity is not in it', async () => {
    await patch('admin', { key: 'birthday', value: '1985-01-01' })
    await patch('admin', { key: 'city', value: 'Paris' })
    await patch('steward', { key: 'city', type: 'NUMBER', value: 75 })
    const entries = await history(await open(), 'History of City')
    expect(entries.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Changedby you .*was Paris ?Text.*became 75 ?Number/),
      expect.stringMatching(/^Changedby admin .*was Lyon.*became Paris/),
      expect.stringMatching(/^Addedby admin .*became Lyon/),
    ])
    expect(entries[0]?.querySelector('time')).toHaveAttribute('data-hint')
    expect(screen.getByRole('dialog', { name: 'History of City' })).toBeVisible()
    expect(screen.getByRole('heading', { name: 'History of City' })).toHaveFocus()
  })

  test('puts an old value into the form, to be reviewed and saved as a PATCH of its key', async () => {
    await patch('admin', { key: 'city', value: 'Paris' })
    const app = await open()
    const [newest] = await history(app, 'History of City')
    await app.user.click(within(expectShown(newest)).getByRole('button', { name: /^Restore City/ }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(field('Value of City')).toHaveValue('Lyon')
    expect(field('Value of City')).toHaveFocus()
    expect(screen.getByText('City restored in the form. Not saved yet.')).toBeInTheDocument()
    expect(app.edge.writes()).toEqual([])
    expect(await reviewAndSave(app)).toContain('ParisLyon')
    expect(app.edge.writes().map(([method, body]) => [method, (body as Entity).properties])).toEqual([
      ['PATCH', [{ key: 'city', type: 'TEXT', sensitive: false, value: 'Lyon' }]],
    ])
    expect(await storedValues()).toMatchObject({ city: 'Lyon', iban: 'CANARY-1' })
    // The newest entry is the save above.
    const [now] = await history(app, 'History of City')
    expect(now).toHaveTextContent(/Changed.*by you.*was Paris.*became Lyon/)
  })

  test('puts the type back with the value, and says so where it is like that already', async () => {
    await patch('admin', { key: 'city', value: null })
    await patch('admin', { key: 'city', type: 'NUMBER', value: 75 })
    await patch('admin', { key: 'city', type: 'TEXT', value: 'Lyon' })
    const app = await open()
    const [, second, third] = await history(app, 'History of City')
    expect(reasonOf(third)).toBe('Nothing to restore: this is already in the form.')
    await app.user.click(within(expectShown(second)).getByRole('button', { name: /^Restore/ }))
    expect(field('Type of City')).toHaveValue('TEXT')
    await app.user.click(button('Review…'))
    expect(await screen.findByRole('row', { name: /^City/ })).toHaveTextContent(/LyonNo value/)
  })

  test('shows no sensitive value; the service puts it back, and nothing else of the entity', async () => {
    await patch('admin', { key: 'iban', value: 'CANARY-2' })
    await patch('admin', { key: 'iban', value: 'CANARY-3' })
    const app = await open()
    const bodies: string[] = []
    app.edge.meet(async (_request, onward) => {
      const answer = await onward()
      bodies.push(await answer.clone().text())
      return answer
    })
    // Somebody else's unrelated change after the entity was loaded.
    await patch('admin', { key: 'city', value: 'Paris' })
    const [, older] = await history(app, 'History of IBAN')
    await app.user.click(within(expectShown(older)).getByRole('button', { name: /^Restore IBAN as it was/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Restore the hidden value of IBAN?' })
    expect(within(dialog).getByRole('button', { name: 'Restore' })).toHaveFocus()
    await app.user.keyboard('{Enter}')
    expect(await screen.findByText('IBAN restored to its previous value')).toBeInTheDocument()
    await waitFor(() => expect(field('Value of City')).toHaveValue('Paris'))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(app.edge.writes().at(-1)).toEqual(['POST', { keys: ['iban'] }])
    expect(await storedValues()).toEqual({ birthday: '1984-02-29', city: 'Paris', iban: 'CANARY-1' })
    expect(bodies.join()).not.toContain('CANARY')
    // The restore itself can be reverted as well.
    const [newest] = await history(app, 'History of IBAN')
    await app.user.click(within(expectShown(newest)).getByRole('button', { name: /^Restore IBAN as it was/ }))
    await app.user.click(await screen.findByRole('button', { name: 'Restore' }))
    await waitFor(async () => expect(await storedValues()).toMatchObject({ iban: 'CANARY-3' }))
  })

  test('puts no hidden value over what somebody else has just written, nor under unsaved changes', async () => {
    await patch('admin', { key: 'iban', value: 'CANARY-2' })
    const app = await open()
    const [newest] = await history(app, 'History of IBAN')
    await patch('admin', { key: 'iban', value: 'CANARY-3' })
    await app.user.click(within(expectShown(newest)).getByRole('button', { name: /^Restore IBAN as it was/ }))
    await app.user.click(await screen.findByRole('button', { name: 'Restore' }))
    expect(await screen.findByText('Someone else changed IBAN')).toBeVisible()
    expect(await storedValues()).toMatchObject({ iban: 'CANARY-3' })
    await app.user.click(button('Reload entity'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0))
    await app.user.clear(field('Value of City'))
    const [again] = await history(app, 'History of IBAN')
    await waitFor(() =>
      expect(reasonOf(again)).toBe(
        'Save or discard your changes first: a hidden value is restored immediately.',
      ),
    )
  })

  test('tells the exact time, and which value is the one of now', async () => {
    for (const value of ['Paris', 'Lyon']) await patch('admin', { key: 'city', value })
    const entries = await history(await open(), 'History of City')
    expect(entries.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/was Paris *became Lyon Same as now/),
      expect.stringMatching(/was Lyon Same as now *became Paris(?! ?Same)/),
      expect.stringMatching(/became Lyon Same as now/),
    ])
    const time = entries[0]?.querySelector('time')
    expect(time).toHaveTextContent(/^[A-Z][a-z]{2} \d+, \d{4}, \d\d:\d\d$/)
    expect(time?.dataset['hint']).toMatch(/:\d\d:\d\d/)
    expect(time).toHaveAttribute('tabindex', '0')
  })

  test('reveals one hidden value for a reason, records that one, and keeps the focus until it is hidden', async () => {
    await patch('admin', { key: 'iban', value: 'CANARY-2' })
    await patch('admin', { key: 'iban', value: 'CANARY-3' })
    const app = await open()
    const [newest, middle] = await history(app, 'History of IBAN')
    expect(newest).toHaveTextContent(/was Hidden value *became Same as now/)
    expect(middle).toHaveTextContent(/was Hidden value *became Hidden value/)
    const revealIn = (entry: HTMLElement | undefined) =>
      within(expectShown(entry)).getByRole('button', { name: /^Reveal IBAN, changed / })
    await app.user.click(revealIn(middle))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reveal IBAN' }))
    await app.user.keyboard('{Enter}')
    expect(dialog.getByText('Enter a reason.')).toBeVisible()
    await app.user.keyboard('which one was wrong{Enter}')
    await waitFor(() => expect(middle).toHaveTextContent(/was CANARY-1 *became CANARY-2/))
    expect(document.body).not.toHaveTextContent('CANARY-3')
    const hide = within(expectShown(middle)).getByRole('button', { name: /^Hide IBAN, changed / })
    await waitFor(() => expect(hide).toHaveFocus())
    await app.user.keyboard('{Escape}')
    expect(document.body).not.toHaveTextContent('CANARY')
    expect(screen.getByRole('dialog', { name: 'History of IBAN' })).toBeVisible()
    expect(revealIn(middle)).toHaveFocus()

    const events: Event[] = (await service.call('admin', 'GET', '/events?type=SENSITIVE_DATA_ACCESSED')).body
    const recorded = events.filter(({ properties }) => properties.actor === 'steward')
    expect(recorded.map(({ properties }) => properties)).toEqual([
      { user: userId, entity: entityId, actor: 'steward', keys: '["iban"]', reason: 'which one was wrong' },
    ])
  })

  test('hides a revealed value after a minute, one at a time, and with the page', async () => {
    await patch('admin', { key: 'iban', value: 'CANARY-2' })
    const app = await open()
    const [newest, oldest] = await history(app, 'History of IBAN')
    const reveal = async (entry: HTMLElement | undefined) => {
      await app.user.click(within(expectShown(entry)).getByRole('button', { name: /^Reveal/ }))
      await app.user.type(await screen.findByLabelText(/^Reason/), 'why{Enter}')
      await waitFor(() => expect(entry).toHaveTextContent('CANARY-1'))
    }
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      await reveal(newest)
      await reveal(oldest)
      expect(newest).not.toHaveTextContent('CANARY')
      await act(() => vi.advanceTimersByTimeAsync(61_000))
      expect(document.body).not.toHaveTextContent('CANARY')
    } finally {
      vi.useRealTimers()
    }
    await reveal(oldest)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    fireEvent(document, new Event('visibilitychange'))
    vi.restoreAllMocks()
    expect(document.body).not.toHaveTextContent('CANARY')
  })

  test('offers no reveal to those who may not see hidden values', async () => {
    const app = await open('support')
    await history(app, 'History of IBAN')
    expect(within(screen.getByRole('dialog')).queryByRole('button', { name: /^Reveal/ })).toBeNull()
  })

  test('shows no sensitive value in what it reads', async () => {
    await patch('admin', { key: 'iban', value: 'CANARY-2' })
    const app = await open()
    const [newest, oldest] = await history(app, 'History of IBAN')
    expect(newest).toHaveTextContent(/^Changed.*Hidden value/)
    expect(oldest).toHaveTextContent(/^Added.*Hidden value/)
    expect(document.body).not.toHaveTextContent('CANARY')
    expect(
      JSON.stringify(
        app.queryClient
          .getQueryCache()
          .getAll()
          .map(({ state }) => state),
      ),
    ).not.toContain('CANARY')
    const asked = app.edge.requests.filter(({ path }) => path.includes('/changesets/'))
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.every(({ path }) => path.endsWith('?sensitive=masked'))).toBe(true)
  })

  test('also hides what was written before it was marked as sensitive', async () => {
    await patch('admin', { key: 'city', sensitive: true })
    const entries = await history(await open(), 'History of City')
    expect(entries[0]).toHaveTextContent(/^Changed.*Hidden value.*Marked as sensitive/)
    expect(entries[1]).toHaveTextContent(/^Added.*Hidden value/)
    expect(document.body).not.toHaveTextContent('Lyon')
  })

  test('includes the key that the property had before, and restores it', async () => {
    await patch('admin', { key: 'city', value: 'Paris' })
    await replace((all) => all.map((each) => (each.key === 'city' ? { ...each, key: 'town' } : each)))
    const app = await open()
    const entries = await history(app, 'History of Town')
    expect(entries.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Renamed.*was city.*became town/),
      expect.stringMatching(/^Changed.*was Lyon.*became Paris/),
      expect.stringMatching(/^Added.*became Lyon/),
    ])
    await app.user.click(within(expectShown(entries[0])).getByRole('button', { name: /^Restore/ }))
    expect(field('Property: Town')).toHaveValue('city')
    await reviewAndSave(app)
    expect(await storedValues()).toEqual({ birthday: '1984-02-29', city: 'Paris', iban: 'CANARY-1' })
  })

  test('says that it goes over what was typed, keeps the rest of the edit, and can be undone', async () => {
    await patch('admin', { key: 'city', value: 'Paris' })
    const app = await open()
    await app.user.clear(field('Value of City'))
    await app.user.type(field('Value of City'), 'Rome')
    await app.user.clear(field('Value of Birthday'))
    await app.user.type(field('Value of Birthday'), '1990-01-01')
    const [newest] = await history(app, 'History of City')
    const back = within(expectShown(newest)).getByRole('button', { name: /^Restore/ })
    expect(back).toHaveAttribute(
      'data-hint',
      'Restores the earlier state in the form and replaces your unsaved change.',
    )
    await app.user.click(back)
    expect(field('Value of City')).toHaveValue('Lyon')
    expect(field('Value of Birthday')).toHaveValue('Jan 1, 1990')
    expect(screen.getByText('2 changes')).toBeVisible()
    await app.user.click(button('Undo the change to City'))
    expect(field('Value of City')).toHaveValue('Paris')
  })

  test('is found far back, in steps, and continues on request', async () => {
    for (let index = 0; index < 60; index += 1)
      await patch('admin', { key: 'birthday', value: `19${String(index + 10)}-01-01` })
    const app = await open()
    const entries = await history(app, 'History of City')
    expect(entries).toHaveLength(1)
    await app.user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(button('History of City')).toHaveFocus()

    // The second time, the writes come from the cache.
    expect(await history(app, 'History of City')).toHaveLength(1)
    await app.user.keyboard('{Escape}')

    await app.user.click(button('History of Birthday'))
    expect(await screen.findByText('25 changes among the newest 25 of this entity')).toBeVisible()
    await app.user.click(button('Show older changes'))
    expect(await screen.findByText('50 changes among the newest 50 of this entity')).toBeVisible()
    await app.user.click(button('Show older changes'))
    expect(await screen.findByText('That’s the whole history (61 changes).')).toBeVisible()
  })

  test('a failure says so, keeps what is there and the edit, and is tried again', async () => {
    for (let index = 0; index < 30; index += 1) await patch('admin', { key: 'city', value: `City ${index}` })
    const app = await open()
    await app.user.type(field('Value of City'), ' typed')
    app.edge.meet(({ url }) =>
      url.includes('/events') ? new Response('<html>', { status: 500 }) : undefined,
    )
    await app.user.click(button('History of City'))
    expect(await screen.findByText('Couldn’t load the history')).toBeVisible()
    app.edge.meet(() => undefined)
    await app.user.click(button('Try again'))
    expect(await screen.findByText(/^25 changes among the newest/)).toBeVisible()
    await waitFor(() => expect(screen.getAllByText('City 5')[0]).toBeVisible())
    app.edge.meet(({ url }) =>
      url.includes('/changesets') ? new Response('<html>', { status: 500 }) : undefined,
    )
    await app.user.click(button('Show older changes'))
    expect(await screen.findByText('Couldn’t load older changes')).toBeVisible()
    expect(screen.getAllByText('City 27')[0]).toBeVisible()
    app.edge.meet(() => undefined)
    await app.user.click(button('Try again'))
    expect(await screen.findByText('That’s the whole history (31 changes).')).toBeVisible()
    await app.user.keyboard('{Escape}')
    expect(field('Value of City')).toHaveValue('City 29 typed')
  })
})

describe('the history of an entity', () => {
  test('shows everything that was written to it, and adds a removed property again', async () => {
    await replace((all) => all.filter(({ key }) => key !== 'city'))
    await patch('admin', { key: 'birthday', value: '1985-01-01' }, { key: 'iban', value: 'CANARY-2' })
    const app = await open()
    const [newest, removal, creation] = await history(app, 'History')
    expect(newest).toHaveTextContent(
      /^Changed 2 properties.*Birthday.*was Feb 29, 1984.*became Jan 1, 1985.*IBAN Sensitive ?Changed \(hidden\)/,
    )
    expect(removal).toHaveTextContent(/^Changed 1 property.*City.*was Lyon.*became Removed/)
    expect(creation).toHaveTextContent(/^Created person with 3 properties/)
    expect(within(expectShown(creation)).queryByRole('button', { name: /^Restore/ })).toBeNull()

    await app.user.click(within(expectShown(removal)).getByRole('button', { name: /^Restore City/ }))
    expect(field('Value of City')).toHaveFocus()
    expect(field('Value of City')).toHaveValue('Lyon')
    await reviewAndSave(app)
    expect(await storedValues()).toEqual({ birthday: '1985-01-01', iban: 'CANARY-2', city: 'Lyon' })
    expect(app.edge.writes().map(([method]) => method)).toEqual(['PATCH'])
  })

  test('puts all of one write back, and leaves what it cannot', async () => {
    await replace(
      (all) => [
        ...all.filter(({ key }) => key === 'birthday'),
        { key: 'iban', type: 'TEXT', sensitive: true, value: 'CANARY-2' },
        { key: 'limit', type: 'NUMBER', value: 5 },
      ],
      'contact',
    )
    await patch('admin', { key: 'birthday', value: '1985-01-01' })
    const app = await open()
    const [, write] = await history(app, 'History')
    expect(write).toHaveTextContent(/Entity type.*was Person.*became Contact/)
    // Restores the type, the removal and the addition, but not the hidden value.
    await app.user.click(within(expectShown(write)).getByRole('button', { name: /^Restore 3 of 4/ }))
    expect(screen.getByText('2 changes · 1 removal')).toBeVisible()
    await reviewAndSave(app)
    expect((await readEntity()).type).toBe('person')
    expect(await storedValues()).toEqual({ birthday: '1985-01-01', iban: 'CANARY-2', city: 'Lyon' })
  })

  test('says where the service no longer keeps what changed', async () => {
    await patch('admin', { key: 'birthday', value: '1985-01-01' })
    await patch('admin', { key: 'city', value: 'Paris' })
    const app = await open()
    const newest = (await history(app, 'History'))[0]
    expect(newest).toHaveTextContent('City')
    await app.user.keyboard('{Escape}')
    app.queryClient.clear()
    const events: Event[] = (await service.call('admin', 'GET', '/events')).body
    app.edge.meet(({ url }) => {
      if (!url.includes(`/changesets/${String(events.at(-1)?.properties.changeset)}`)) return undefined
      const problem = { status: 404, code: 'changeset_not_found', title: 'Not found', detail: 'None.' }
      return Response.json(problem, { status: 404, headers: { 'content-type': 'application/problem+json' } })
    })
    const [unknown, known] = await history(app, 'History')
    expect(unknown).toHaveTextContent('The service no longer keeps the details of this change.')
    expect(known).toHaveTextContent('Birthday')
    await app.user.keyboard('{Escape}')
  })

  test('puts nothing into a form of which it is not known whether it was saved', async () => {
    await patch('admin', { key: 'city', value: 'Paris' })
    const app = await open()
    await app.user.type(field('Value of Birthday'), '{Backspace}8')
    app.edge.meet(({ url }) => {
      if (app.edge.writes().length > 0 && url.includes('/entities/')) throw new TypeError('Failed to fetch')
      return undefined
    })
    await app.user.click(button('Save 1 change'))
    await screen.findByText('Your changes may have been saved')
    const [newest] = await history(app, 'History')
    expect(reasonOf(newest)).toBe('Waiting to confirm your last save.')
  })

  test('is visible to a person who may only read, with the reason why nothing can be restored', async () => {
    await patch('admin', { key: 'city', value: 'Paris' })
    const app = await open('support')
    const [newest] = await history(app, 'History of City')
    expect(reasonOf(newest)).toBe('Your role can’t change entities.')
  })
})

test('a service that keeps no changes has no history, and the buttons say so', async () => {
  const bare = await startTestService({ additions: 'none' })
  try {
    const { headers } = await bare.call('admin', 'POST', '/users', { name: 'Bo' })
    const id = headers.get('location')?.split('/').at(-1) ?? ''
    await bare.call('admin', 'POST', `/users/${id}/entities`, { type: 'person', properties: first })
    const { user } = renderApp({ service: bare, path: `/users/${id}`, role: 'steward' })
    await user.click(await screen.findByRole('link', { name: 'Edit person' }))
    await screen.findByRole('form')
    for (const name of ['History', 'History of City']) {
      expect(button(name)).toHaveAttribute('data-hint', 'This service keeps no history.')
      await user.click(button(name))
    }
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  } finally {
    await bare.close()
  }
})

function expectShown(entry: HTMLElement | undefined): HTMLElement {
  if (!entry) throw new Error('There are fewer entries.')
  return entry
}
