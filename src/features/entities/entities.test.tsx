import { act, configure, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Entity, Role } from '#contract/index.ts'
import { startTestService, type TestService } from '#server/testing.ts'

import { renderApp } from '../../testing.tsx'
import { clearToasts } from '../../ui/toast.tsx'

let service: TestService
let userId: string
let entityId: string
/** What reached the service, in order. */
let requests: { method: string; path: string; body: unknown }[]
/** Stands between the console and the service; gives the request on, or does not. */
let between: ((request: Request, onward: () => Promise<Response>) => Promise<Response>) | undefined

// A page's code is loaded when it is first opened, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 5000 })

beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => service.close())

beforeEach(async () => {
  await service.reset()
  clearToasts()
  between = undefined
  requests = []
  userId = await made('/users', { name: 'Ana', email: 'ana@example.org' })
  entityId = await made(`/users/${userId}/entities`, {
    type: 'person',
    properties: [
      { key: 'birthday', type: 'DATE', sensitive: false, value: '1984-02-29' },
      { key: 'city', type: 'TEXT', sensitive: false, value: 'Lyon' },
      { key: 'iban', type: 'TEXT', sensitive: true, value: 'ES91-SECRET' },
      { key: 'pin', type: 'TEXT', sensitive: true, value: '4711-SECRET' },
    ],
  })
})

async function made(path: string, body: unknown): Promise<string> {
  const { headers } = await service.call('admin', 'POST', path, body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function stored(id = entityId): Promise<Entity> {
  return (await service.call('admin', 'GET', `/users/${userId}/entities/${id}`)).body
}

async function storedValues(id = entityId): Promise<Record<string, unknown>> {
  return Object.fromEntries((await stored(id)).properties.map(({ key, value }) => [key, value]))
}

const writes = () => requests.filter(({ method }) => method !== 'GET')

interface Opening {
  role?: Role
  path?: string
  /** Whether an entity is to be seen in the end. */
  opens?: boolean
}

async function open({
  role = 'steward',
  path = `/users/${userId}/entities/${entityId}`,
  opens = true,
}: Opening = {}) {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input), init)
    const text = await request.clone().text()
    requests.push({
      method: request.method,
      path: new URL(request.url).pathname,
      body: text === '' ? undefined : JSON.parse(text),
    })
    const onward = () => service.fetch(input, init)
    return between ? between(request, onward) : onward()
  }
  const app = renderApp({ service: { ...service, fetch }, path, role })
  if (opens) await screen.findByRole('form')
  return app
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const button = (name: string | RegExp) => screen.getByRole('button', { name })

async function retype(user: UserEvent, name: string, text: string) {
  await user.clear(field(name))
  await user.type(field(name), text)
}

async function save(user: UserEvent) {
  await user.click(button('Review…'))
  await user.click(await screen.findByRole('button', { name: /^Save \d/ }))
}

describe('a user with entities', () => {
  test("shows the first of them at the user's own address, which stays", async () => {
    const { router } = await open({ path: `/users/${userId}` })
    expect(router.state.location.pathname).toBe(`/users/${userId}`)
    expect(field('Value of city')).toHaveValue('Lyon')
    const list = screen.getByRole('navigation', { name: 'Entities of this user' })
    expect(within(list).getByRole('link', { name: /person/ })).toHaveTextContent('1984-02-29 · Lyon')
    expect(list).not.toHaveTextContent('SECRET')
  })

  test('an address of an entity that is not there says so beside the list', async () => {
    await open({ path: `/users/${userId}/entities/019`, opens: false })
    expect(await screen.findByText('This entity does not exist')).toBeVisible()
    expect(screen.getByRole('link', { name: /person/ })).toBeVisible()
  })

  test('a list that cannot be read is asked for again, under the user', async () => {
    between = async (request, onward) =>
      request.url.endsWith('/entities') ? new Response('<html>', { status: 500 }) : onward()
    const { user } = await open({ opens: false })
    expect(await screen.findByText('The entities could not be loaded')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Ana' })).toBeVisible()
    between = undefined
    await user.click(button('Try again'))
    expect(await screen.findByLabelText('Value of city')).toHaveValue('Lyon')
  })
})

describe('editing', () => {
  test('a changed value is reviewed, and sent as a PATCH of its key alone', async () => {
    const { user } = await open()
    await retype(user, 'Value of city', 'Paris')
    await user.click(button('Review…'))
    const review = within(await screen.findByRole('dialog'))
    expect(review.getByRole('row', { name: /city/ })).toHaveTextContent('LyonParis')
    expect(review.getByText('1 property will be written; nothing else is sent.')).toBeVisible()
    expect(writes()).toEqual([])
    await user.click(review.getByRole('button', { name: 'Save 1 change' }))

    expect(await screen.findByText('1 change saved')).toBeInTheDocument()
    expect(writes()).toEqual([
      {
        method: 'PATCH',
        path: `/api/users/${userId}/entities/${entityId}`,
        body: {
          type: 'person',
          properties: [{ key: 'city', type: 'TEXT', sensitive: false, value: 'Paris' }],
        },
      },
    ])
    expect(await storedValues()).toMatchObject({ city: 'Paris', birthday: '1984-02-29', iban: 'ES91-SECRET' })
    expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole('form')).toHaveFocus())
    expect(screen.getByRole('link', { name: /person/ })).toHaveTextContent('Paris')
  })

  test('an added property starts at its key and goes as a PATCH', async () => {
    const { user } = await open()
    await user.click(button('Add property'))
    expect(field('Key of new property')).toHaveFocus()
    await user.keyboard('limit')
    await user.selectOptions(field('Type of limit'), 'CURRENCY')
    await user.type(field('Value of limit, amount'), '12.50')
    await user.type(field('Value of limit, currency'), 'eur')
    await save(user)
    await waitFor(async () =>
      expect(await storedValues()).toMatchObject({ limit: { currency: 'EUR', value: '12.50' } }),
    )
    expect(writes().map(({ method }) => method)).toEqual(['PATCH'])
  })

  test('a removal can be taken back, and goes as a PUT of the rest', async () => {
    const { user } = await open()
    await user.click(button('Remove city'))
    expect(button('Keep city')).toHaveFocus()
    expect(screen.getByText('1 removal')).toBeVisible()
    await user.click(button('Keep city'))
    expect(field('Key of city')).toHaveFocus()
    expect(field('Value of city')).toHaveValue('Lyon')
    await user.click(button('Remove city'))
    await save(user)
    expect(await screen.findByText('1 change saved')).toBeInTheDocument()
    expect(writes().map(({ method }) => method)).toEqual(['PUT'])
    expect(await storedValues()).toEqual({ birthday: '1984-02-29', iban: 'ES91-SECRET', pin: '4711-SECRET' })
  })

  test('another key is a rename: a PUT with the value under the new key', async () => {
    const { user } = await open()
    await retype(user, 'Key of city', 'town')
    await save(user)
    expect(await screen.findByText('1 change saved')).toBeInTheDocument()
    expect(writes().map(({ method }) => method)).toEqual(['PUT'])
    expect(await storedValues()).toEqual({
      birthday: '1984-02-29',
      town: 'Lyon',
      iban: 'ES91-SECRET',
      pin: '4711-SECRET',
    })
  })

  test('the type of the entity alone', async () => {
    const { user } = await open()
    await retype(user, 'Type of the entity', 'contact')
    await save(user)
    expect(await screen.findByText('1 change saved')).toBeInTheDocument()
    expect(writes().map(({ method, body }) => [method, body])).toEqual([
      ['PATCH', { type: 'contact', properties: [] }],
    ])
    expect((await stored()).type).toBe('contact')
  })

  test('another type of a property keeps what is there, judges it, and brings it back', async () => {
    const { user } = await open()
    await user.selectOptions(field('Type of city'), 'NUMBER')
    expect(field('Value of city')).toHaveValue('Lyon')
    expect(screen.getByText('Write a number with a point, for example 12.5.')).toBeVisible()
    await user.click(button('Review…'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(field('Value of city')).toHaveFocus()
    await user.selectOptions(field('Type of city'), 'TEXT')
    expect(field('Value of city')).toHaveValue('Lyon')
    expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument()
  })

  test('a key that stands twice is refused before anything is sent', async () => {
    const { user } = await open()
    await user.click(button('Add property'))
    await user.keyboard('city')
    await user.click(button('Review…'))
    expect(screen.getByText('Another property has this key.')).toBeVisible()
    expect(writes()).toEqual([])
  })

  test('discarding asks, then shows what was loaded', async () => {
    const { user } = await open()
    await retype(user, 'Value of city', 'Paris')
    await user.click(button('Discard'))
    await user.click(await screen.findByRole('button', { name: 'Discard 1 change' }))
    expect(field('Value of city')).toHaveValue('Lyon')
    await waitFor(() => expect(screen.getByRole('form')).toHaveFocus())
    expect(writes()).toEqual([])
  })

  test('leaving with unsaved changes asks', async () => {
    const { user, router } = await open()
    await retype(user, 'Value of city', 'Paris')
    await user.click(
      within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Segments' }),
    )
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(router.state.location.pathname).toContain(entityId)
    expect(field('Value of city')).toHaveValue('Paris')
    await user.click(
      within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Segments' }),
    )
    await user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/segments'))
  })
})

describe('a new entity', () => {
  test('takes a value of each of the twelve types', async () => {
    const { user, router } = await open({ path: `/users/${userId}/entities/new` })
    await user.type(field('Type of the entity'), 'sample')
    const other = await made('/users', { name: 'Bo' })
    const inputs: [type: string, typed: Record<string, string>][] = [
      ['BOOLEAN', {}],
      ['CURRENCY', { ', amount': '0.10', ', currency': 'JPY' }],
      ['DATE', { '': '2024-02-29' }],
      ['DATETIME', { ' (UTC)': '2024-03-01 09:30' }],
      ['TIME', { '': '09:30' }],
      ['DECIMAL', { '': '12.340' }],
      ['EMAIL', { '': 'bo@example.org' }],
      ['NUMBER', { '': '-1.5' }],
      ['RELATIONSHIP', { ', user id': other }],
      ['TEXT', { '': 'two{Enter}lines' }],
      ['URL', { '': 'https://example.org/a?b=c' }],
      ['PREFERENCE', { ', expires (UTC)': '2030-01-01 00:00' }],
    ]
    for (const [type, typed] of inputs) {
      if (type !== 'BOOLEAN') await user.click(button('Add property'))
      await user.type(field('Key of new property'), type.toLowerCase())
      await user.selectOptions(field(`Type of ${type.toLowerCase()}`), type)
      for (const [part, text] of Object.entries(typed))
        await user.type(field(`Value of ${type.toLowerCase()}${part}`), text)
    }
    await user.click(
      within(screen.getByRole('radiogroup', { name: 'Value of boolean' })).getByLabelText('False'),
    )
    await user.selectOptions(field('Value of preference, status'), 'DENIED')
    await user.click(button('Create entity'))

    expect(await screen.findByText('Created sample')).toBeInTheDocument()
    await waitFor(() => expect(router.state.location.pathname).not.toContain('/new'))
    const values = await storedValues(router.state.location.pathname.split('/').at(-1))
    expect(values).toEqual({
      boolean: false,
      currency: { currency: 'JPY', value: '0.10' },
      date: '2024-02-29',
      datetime: '2024-03-01T09:30:00.000Z',
      time: '09:30',
      decimal: '12.340',
      email: 'bo@example.org',
      number: -1.5,
      relationship: { user: other },
      text: 'two\nlines',
      url: 'https://example.org/a?b=c',
      preference: {
        status: 'DENIED',
        statusDate: expect.stringMatching(/Z$/),
        expires: '2030-01-01T00:00:00.000Z',
      },
    })
    expect(await screen.findByLabelText('Value of decimal')).toHaveValue('12.340')
    expect(screen.getByRole('link', { name: 'Open example.org in a new tab' })).toHaveAttribute(
      'rel',
      'noopener noreferrer',
    )
  })

  test('without a type it says what is missing; with one alone it is made', async () => {
    const { user } = await open({ path: `/users/${userId}/entities/new` })
    await user.type(field('Key of new property'), 'brand')
    await user.click(button('Create entity'))
    expect(screen.getByText('An entity needs a type.')).toBeVisible()
    expect(field('Type of the entity')).toHaveFocus()
    await user.type(field('Type of the entity'), 'car')
    await user.click(button('Create entity'))
    expect(await screen.findByText('Created car')).toBeInTheDocument()
  })

  test('an answer that was lost is looked up, and the entity is not made twice', async () => {
    between = async (request, onward) => {
      const response = await onward()
      if (request.method === 'POST') throw new TypeError('Failed to fetch')
      return response
    }
    const { user } = await open({ path: `/users/${userId}/entities/new` })
    await user.type(field('Type of the entity'), 'car')
    await user.click(button('Create entity'))
    expect(await screen.findByText('Created car')).toBeInTheDocument()
    expect(writes()).toHaveLength(1)
  })
})

describe('deleting', () => {
  test('names the type and how much goes, and leads to what is left', async () => {
    await made(`/users/${userId}/entities`, { type: 'car', properties: [] })
    const { user, router } = await open()
    await user.click(button('Delete entity'))
    expect(await screen.findByRole('dialog', { name: 'Delete this person with 4 properties?' })).toBeVisible()
    await user.click(button('Delete person'))
    await waitFor(() => expect(field('Type of the entity')).toHaveValue('car'))
    expect(router.state.location.pathname).toBe(`/users/${userId}`)
    expect(screen.queryByRole('link', { name: /person/ })).not.toBeInTheDocument()
    expect((await service.call('admin', 'GET', `/users/${userId}/entities/${entityId}`)).status).toBe(404)
  })

  test('of the last one leaves the way to add another', async () => {
    const { user } = await open()
    await user.click(button('Delete entity'))
    await user.click(await screen.findByRole('button', { name: 'Delete person' }))
    expect(await screen.findByText('No entities yet')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Add entity' })).toBeVisible()
  })
})

describe('a save that fails', () => {
  const problem = (status: number, headers = {}) =>
    new Response(JSON.stringify({ status, detail: `Refused with ${status}.` }), { status, headers })
  const faults: [name: string, answer: () => Promise<Response>, says: RegExp][] = [
    ['422', async () => problem(422), /Refused with 422/],
    ['413', async () => problem(413), /Refused with 413/],
    ['429', async () => problem(429, { 'retry-after': '7' }), /busy. Try again in 7 seconds/],
    ['500', async () => problem(500), /Refused with 500/],
    [
      '502 of a gateway',
      async () => new Response('<html>Bad gateway', { status: 502 }),
      /nothing of this has been stored/,
    ],
    ['503', async () => problem(503, { 'retry-after': '3' }), /busy. Try again in 3 seconds/],
    ['broken JSON', async () => new Response('{"detail', { status: 400 }), /could not store it/],
    [
      'no connection',
      async () => {
        throw new TypeError('Failed to fetch')
      },
      /nothing of this has been stored/,
    ],
    [
      'a time-out',
      async () => {
        throw new DOMException('', 'TimeoutError')
      },
      /nothing of this has been stored/,
    ],
  ]

  test.each(faults)(
    '%s: says so, keeps what was typed, and works on the next try',
    async (_name, answer, says) => {
      between = async (request, onward) => (request.method === 'GET' ? onward() : answer())
      const { user } = await open()
      await retype(user, 'Value of city', 'Paris')
      await user.click(button('Remove birthday'))
      await save(user)
      const alert = await screen.findByRole('alert')
      expect(alert).toHaveTextContent('Not saved')
      expect(alert).toHaveTextContent(says)
      expect(alert).toHaveTextContent('Everything you typed is still here.')
      expect(field('Value of city')).toHaveValue('Paris')
      expect(button('Keep birthday')).toBeVisible()
      between = undefined
      await save(user)
      expect(await screen.findByText('2 changes saved')).toBeInTheDocument()
      expect(await storedValues()).toMatchObject({ city: 'Paris' })
    },
  )

  test('offline: nothing is sent, and it says so', async () => {
    const { user } = await open()
    await retype(user, 'Value of city', 'Paris')
    between = async () => {
      throw new TypeError('Failed to fetch')
    }
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('Nothing was sent')
    expect(field('Value of city')).toHaveValue('Paris')
    expect(writes()).toEqual([])
  })

  test('an error of the service stands at the row that it is about', async () => {
    const { user } = await open()
    await retype(user, 'Value of city', 'Paris')
    await user.click(button('Add property'))
    await user.keyboard('partner')
    await user.selectOptions(field('Type of partner'), 'RELATIONSHIP')
    await user.type(field('Value of partner, user id'), crypto.randomUUID())
    await save(user)
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('What the service said stands beside the properties.')
    const partner = field('Value of partner, user id')
    expect(partner).toHaveAccessibleDescription('There is no such user.')
    expect(partner).toHaveFocus()
    expect(field('Value of city')).not.toHaveAccessibleDescription('There is no such user.')
    expect(await storedValues()).toMatchObject({ city: 'Lyon' })
  })

  test('an answer lost after the write is found out, and nothing is sent twice', async () => {
    between = async (request, onward) => {
      const response = await onward()
      if (request.method !== 'GET') throw new TypeError('Failed to fetch')
      return response
    }
    const { user } = await open()
    await retype(user, 'Value of city', 'Paris')
    await save(user)
    expect(await screen.findByText('1 change saved')).toBeInTheDocument()
    expect(writes()).toHaveLength(1)
  })

  test('where it cannot be found out, saving waits for an answer to that', async () => {
    let isWritten = false
    between = async (request, onward) => {
      if (isWritten) throw new TypeError('Failed to fetch')
      const response = await onward()
      if (request.method !== 'GET') {
        isWritten = true
        throw new TypeError('Failed to fetch')
      }
      return response
    }
    const { user } = await open()
    await retype(user, 'Value of city', 'Paris')
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('It is not known whether this was saved')
    expect(button('Review…')).toBeDisabled()
    expect(field('Value of city')).toHaveValue('Paris')
    between = undefined
    await user.click(button('Check what is stored'))
    expect(await screen.findByText('1 change saved')).toBeInTheDocument()
    expect(writes()).toHaveLength(1)
  })

  test('written but not read again: not sent again either', async () => {
    let isWritten = false
    between = async (request, onward) => {
      if (isWritten) throw new TypeError('Failed to fetch')
      isWritten = request.method !== 'GET'
      return onward()
    }
    const { user } = await open()
    await retype(user, 'Value of city', 'Paris')
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Saved, but the entity could not be read again',
    )
    expect(button('Review…')).toBeDisabled()
    between = undefined
    await user.click(button('Read it again'))
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument())
    expect(field('Value of city')).toHaveValue('Paris')
    expect(writes()).toHaveLength(1)
  })
})

describe('somebody else writes meanwhile', () => {
  const elsewhere = (key: string, value: string) =>
    service.call('admin', 'PATCH', `/users/${userId}/entities/${entityId}`, {
      properties: [{ key, type: 'TEXT', value }],
    })

  test('another key: a replacement keeps it', async () => {
    const { user } = await open()
    await user.click(button('Remove birthday'))
    await elsewhere('city', 'Rome')
    await elsewhere('nick', 'Ani')
    await save(user)
    expect(await screen.findByText('1 change saved')).toBeInTheDocument()
    expect(await storedValues()).toEqual({
      city: 'Rome',
      nick: 'Ani',
      iban: 'ES91-SECRET',
      pin: '4711-SECRET',
    })
    expect(field('Value of city')).toHaveValue('Rome')
  })

  test('the same key: both are shown, nothing is overwritten until that is wanted', async () => {
    const { user } = await open()
    await retype(user, 'Value of city', 'Paris')
    await elsewhere('city', 'Rome')
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('Somebody else changed the same properties')
    expect(writes()).toEqual([])
    expect(field('Value of city')).toHaveValue('Paris')
    expect(screen.getByText(/Somebody else changed this/)).toHaveTextContent('Rome')
    await save(user)
    expect(await screen.findByText('1 change saved')).toBeInTheDocument()
    expect(await storedValues()).toMatchObject({ city: 'Paris' })
  })

  test('the same key: theirs can be taken', async () => {
    const { user } = await open()
    await retype(user, 'Value of city', 'Paris')
    await elsewhere('city', 'Rome')
    await save(user)
    await screen.findByRole('alert')
    await user.click(button('Take theirs: city'))
    expect(field('Value of city')).toHaveValue('Rome')
    expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe('sensitive values', () => {
  const page = () => document.documentElement.outerHTML

  test('are not in the page before they are revealed, one at a time', async () => {
    const { user } = await open()
    expect(page()).not.toContain('SECRET')
    await user.click(button('Reveal the value of iban'))
    expect(screen.getByText('ES91-SECRET')).toBeVisible()
    await user.click(button('Reveal the value of pin'))
    expect(screen.getByText('4711-SECRET')).toBeVisible()
    expect(page()).not.toContain('ES91')
    await user.click(button('Hide the value of pin'))
    expect(page()).not.toContain('SECRET')
  })

  test('hide again after a minute', async () => {
    await open()
    vi.useFakeTimers()
    try {
      act(() => button('Reveal the value of iban').click())
      act(() => void vi.advanceTimersByTime(59_000))
      expect(page()).toContain('ES91-SECRET')
      act(() => void vi.advanceTimersByTime(1_500))
      expect(page()).not.toContain('SECRET')
    } finally {
      vi.useRealTimers()
    }
  })

  test('hide when the tab is left', async () => {
    const { user } = await open()
    await user.click(button('Reveal the value of iban'))
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(page()).not.toContain('SECRET')
  })

  test('a copy leaves the clipboard after a minute', async () => {
    const { user } = await open()
    await user.click(button('Reveal the value of iban'))
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    const clipboard = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    vi.useFakeTimers()
    try {
      act(() => button('Copy the value of iban').click())
      await act(() => vi.advanceTimersByTimeAsync(100))
      expect(clipboard).toHaveBeenLastCalledWith('ES91-SECRET')
      await act(() => vi.advanceTimersByTimeAsync(61_000))
      expect(clipboard).toHaveBeenLastCalledWith('')
    } finally {
      vi.useRealTimers()
    }
  })

  test('are replaced without being shown: blank changes nothing', async () => {
    const { user } = await open()
    await user.click(button('Replace the value of iban'))
    expect(field('Value of iban')).toHaveValue('')
    expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument()
    await user.type(field('Value of iban'), 'FR76-NEW')
    await user.click(button('Review…'))
    const review = await screen.findByRole('dialog')
    expect(review).toHaveTextContent('Changed')
    expect(review.outerHTML).not.toMatch(/SECRET|FR76/)
    await user.click(within(review).getByRole('button', { name: 'Save 1 change' }))
    expect(await screen.findByText('1 change saved')).toBeInTheDocument()
    expect(await storedValues()).toMatchObject({ iban: 'FR76-NEW', pin: '4711-SECRET' })
    expect(page()).not.toMatch(/SECRET|FR76/)
  })

  test('can be set to no value, and stay sensitive', async () => {
    const { user } = await open()
    await user.click(button('Replace the value of iban'))
    await user.click(button('Set to no value: iban'))
    await save(user)
    expect(await screen.findByText('1 change saved')).toBeInTheDocument()
    expect((await stored()).properties.find(({ key }) => key === 'iban')).toMatchObject({
      value: null,
      sensitive: true,
    })
  })

  test('a value is marked and unmarked', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('checkbox', { name: 'city is sensitive' }))
    await user.click(screen.getByRole('checkbox', { name: 'iban is sensitive' }))
    await save(user)
    expect(await screen.findByText('2 changes saved')).toBeInTheDocument()
    expect(page()).not.toContain('Lyon')
    expect(field('Value of iban')).toHaveValue('ES91-SECRET')
  })
})

describe('somebody who may only read', () => {
  test('sees the values, but no input, and no way to a sensitive one', async () => {
    await open({ role: 'support' })
    expect(screen.getByText('Lyon')).toBeVisible()
    expect(screen.getAllByText(/Hidden from you. Your role does not include “sensitive:read”/)).toHaveLength(
      2,
    )
    expect(document.documentElement.outerHTML).not.toContain('SECRET')
    const form = within(screen.getByRole('form'))
    expect(form.queryByRole('textbox')).not.toBeInTheDocument()
    expect(form.queryByRole('combobox')).not.toBeInTheDocument()
    expect(form.getByRole('heading', { name: 'person' })).toBeVisible()
    expect(form.queryByRole('checkbox')).not.toBeInTheDocument()
    expect(form.queryByRole('button', { name: /Reveal|Replace|Remove|Add/ })).not.toBeInTheDocument()
    expect(button('Delete entity')).toHaveAttribute('aria-disabled', 'true')
  })
})

describe('another service', () => {
  const answering = (properties: unknown[]) => {
    between = async (request, onward) => {
      const response = await onward()
      if (request.method !== 'GET' || !request.url.includes('/entities')) return response
      const own = (await response.json()) as Entity | Entity[]
      const foreign = (of: Entity) => ({ ...of, properties })
      return Response.json(Array.isArray(own) ? own.map(foreign) : foreign(own))
    }
  }

  test('a value that does not fit is shown as it is, marked, and sent back untouched', async () => {
    answering([
      { key: 'born', type: 'DATE', value: 'about 1984', sensitive: false },
      { key: 'tint', type: 'COLOUR', value: { r: 1.5 }, sensitive: false },
      { key: 'city', type: 'TEXT', value: 'Lyon', sensitive: false },
    ])
    const { user } = await open()
    expect(screen.getByText('about 1984')).toBeVisible()
    expect(screen.getByText('Not a DATE value. It stays as it is unless you edit it.')).toBeVisible()
    expect(field('Type of tint')).toHaveValue('COLOUR')
    expect(field('Value of tint')).toHaveValue('{"r":1.5}')
    await user.click(button('Remove city'))
    await save(user)
    await screen.findByRole('alert')
    expect(writes().map(({ body }) => body)).toEqual([
      {
        type: 'person',
        properties: [
          { key: 'born', type: 'DATE', value: 'about 1984', sensitive: false },
          { key: 'tint', type: 'COLOUR', value: { r: 1.5 }, sensitive: false },
        ],
      },
    ])
    await user.click(button('Edit: Value of born'))
    expect(field('Value of born')).toHaveValue('about 1984')
  })

  test('keys that repeat are said; they cannot be changed, and nothing be removed', async () => {
    answering([
      { key: 'city', type: 'TEXT', value: 'Lyon', sensitive: false },
      { key: 'city', type: 'TEXT', value: 'Paris', sensitive: false },
      { key: 'nick', type: 'TEXT', value: 'Ani', sensitive: false },
    ])
    const { user } = await open()
    expect(screen.getByText(/This service stored city more than once/)).toBeVisible()
    expect(screen.queryByLabelText('Value of city')).not.toBeInTheDocument()
    expect(button('Remove nick')).toHaveAttribute('aria-disabled', 'true')
    expect(field('Key of nick')).toHaveAttribute('readonly')
    await retype(user, 'Value of nick', 'Anita')
    await save(user)
    await waitFor(() => expect(writes().map(({ method }) => method)).toEqual(['PATCH']))
  })
})
