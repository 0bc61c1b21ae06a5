import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())

async function create(path: string, body: unknown): Promise<string> {
  const { headers } = await service.call('admin', 'POST', path, body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function createAnaAndOthers() {
  await create('/users', { name: 'Bob Miller', email: 'bob@example.org', ref: 'C-1' })
  const ana = await create('/users', { name: 'Ana María López', email: 'ana@example.org', ref: 'C-2' })
  await create('/users', { name: 'Anatol Smith', email: 'smith@example.org', ref: 'C-3' })
  return ana
}

function open(path = '/users') {
  const edge = network(service)
  return { edge, ...renderApp({ service: { ...service, fetch: edge.fetch }, path }) }
}

const box = () => screen.findByRole('searchbox', { name: 'Find users' })
const table = () => screen.getByRole('table', { name: 'Users' })
const names = () =>
  within(table())
    .queryAllByRole('link')
    .map((link) => link.textContent)
const showsNames = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))

test('search text finds users and is highlighted, and enters no address, history entry or storage', async () => {
  await createAnaAndOthers()
  const { user, router, edge } = open()
  await user.type(await box(), 'lopez ana')
  await showsNames('Ana María López')
  expect(screen.getByText('1 found')).toBeVisible()
  await waitFor(() => expect(screen.getAllByText(/^(Ana|López)$/, { selector: 'mark' })).toHaveLength(2))

  expect(JSON.stringify(router.state.location)).not.toMatch(/lopez/i)
  expect([...Object.values(localStorage), ...Object.values(sessionStorage)].join(' ')).not.toMatch(/lopez/i)
  expect(edge.requests.map(({ path }) => path).join(' ')).not.toMatch(/lopez/i)
  expect(edge.requests.findLast(({ method }) => method === 'POST')).toMatchObject({
    path: '/api/users/search',
    body: { q: 'lopez ana' },
  })

  await user.click(screen.getByRole('button', { name: 'Clear search' }))
  await showsNames('Bob Miller', 'Ana María López', 'Anatol Smith')
  expect(await box()).toHaveFocus()
})

test('a number that somebody gives finds them by a value, and the row says by which', async () => {
  await createAnaAndOthers()
  const properties = [{ key: 'mobile', type: 'TEXT', value: '+33 6 12-34-56' }]
  await create('/users', { name: 'Cleo Martin', properties })
  const { user } = open()
  await user.type(await box(), '0612 34')
  await showsNames('Cleo Martin')
  expect(within(table()).getByText('mobile: +33 6 12-34-56')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear search' }))
  await waitFor(() => expect(names()).toHaveLength(4))
  expect(screen.queryByText(/mobile:/)).toBeNull()
})

test('the old rows stay until the new ones come, and an answer that is late never takes their place', async () => {
  await createAnaAndOthers()
  const { user, edge } = open()
  const gates = new Map<unknown, PromiseWithResolvers<undefined>>()
  edge.meet(async (request) => {
    if (!request.url.endsWith('/search')) return undefined
    const { q } = (await request.json()) as { q: string }
    const gate = Promise.withResolvers<undefined>()
    gates.set(q, gate)
    return gate.promise
  })
  await user.type(await box(), 'bob')
  await waitFor(() => expect(gates.has('bob')).toBe(true))
  expect(names()).toHaveLength(3)
  expect(table()).toHaveAttribute('aria-busy', 'true')

  await user.clear(await box())
  await user.type(await box(), 'smith')
  await waitFor(() => expect(gates.has('smith')).toBe(true))
  gates.get('smith')?.resolve(undefined)
  await showsNames('Anatol Smith')
  gates.get('bob')?.resolve(undefined)
  await user.type(await box(), ' anatol')
  await waitFor(() => expect(gates.has('smith anatol')).toBe(true))
  expect(names()).toEqual(['Anatol Smith'])
})

test('a search that fails keeps what was typed, and can be tried again', async () => {
  await createAnaAndOthers()
  const { user, edge } = open()
  edge.meet((request) => (request.url.endsWith('/search') ? new Response(null, { status: 500 }) : undefined))
  await user.type(await box(), 'bob')
  expect(await screen.findByRole('alert')).toHaveTextContent('The search failed')
  expect(await box()).toHaveValue('bob')
  edge.meet(() => undefined)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await showsNames('Bob Miller')
})

test('nobody in a segment: all users can be searched for the same; nobody at all: what to try is said', async () => {
  await createAnaAndOthers()
  const id = await create('/segments', { name: 'Bobs', filter: { user: 'ref', op: 'eq', value: 'C-1' } })
  const { user, router } = open(`/users?segment=${id}`)
  await user.type(await box(), 'smith')
  expect(await screen.findByText('No users match “smith”')).toBeVisible()
  expect(screen.getByText(/^Only this segment was searched, by .* phones/)).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Search all users' }))
  await showsNames('Anatol Smith')
  expect(await box()).toHaveValue('smith')
  expect(JSON.stringify(router.state.location)).not.toMatch(/smith/)

  await user.clear(await box())
  await user.type(await box(), 'nobody')
  expect(await screen.findByText(/Try fewer letters/)).toBeVisible()
  await user.click(within(screen.getByRole('main')).getByText('Clear search'))
  await showsNames('Bob Miller', 'Ana María López', 'Anatol Smith')
})

test('with one letter wrong similar users are shown, and said to be so', async () => {
  await createAnaAndOthers()
  const { user } = open()
  await user.type(await box(), 'smtih')
  expect(await screen.findByText('No match for “smtih”. Similar spellings:')).toBeVisible()
  expect(names()).toEqual(['Anatol Smith'])
})

test('by keyboard alone: to the box, into the rows, through them, and back', async () => {
  await createAnaAndOthers()
  const { user, router } = open()
  await screen.findByRole('link', { name: 'Bob Miller' })
  const link = (name: RegExp) => screen.getByRole('link', { name })
  await user.keyboard('/ana')
  expect(await box()).toHaveValue('ana')
  await user.keyboard('{ArrowDown}')
  await waitFor(() => expect(link(/^Ana María/)).toHaveFocus())
  expect(names()).toHaveLength(2)
  await user.keyboard('{ArrowDown}')
  expect(link(/^Anatol/)).toHaveFocus()
  await user.keyboard('{ArrowDown}{Home}')
  expect(link(/^Ana María/)).toHaveFocus()
  await user.keyboard('{End}{PageUp}{PageDown}')
  expect(link(/^Anatol/)).toHaveFocus()
  // Only the row that was focused last is a tab stop.
  expect(link(/^Ana María/)).toHaveAttribute('tabindex', '-1')
  await user.keyboard('{Escape}')
  expect(await box()).toHaveFocus()
  await user.keyboard('{Escape}')
  expect(await box()).toHaveValue('')

  // A match that is merely similar is focused, not opened, by who pressed Enter before it was on the screen.
  await user.keyboard('mlller{Enter}')
  await waitFor(() => expect(link(/^Bob/)).toHaveFocus())
  await waitFor(() => expect(router.state.location.pathname).toBe('/users'))
  await user.keyboard('{Escape}{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Bob Miller' })).toBeVisible()
  await act(() => router.navigate('/users'))
  await user.click(await box())
  await user.clear(await box())

  // Enter opens the best of several matches without waiting for the list.
  await user.keyboard('ana{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana María López' })).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/users\/[\da-f-]{36}/))
})

test('typing in another field does not reach the search box', async () => {
  await createAnaAndOthers()
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Segment: All users' }))
  const picker = await screen.findByRole('combobox', { name: 'Segment' })
  await user.type(picker, 'a/b')
  expect(picker).toHaveFocus()
  expect(await box()).toHaveValue('')
})

async function createManyAnas() {
  for (let index = 1; index <= 60; index += 1)
    await create('/users', { name: `Ana ${String(index).padStart(2, '0')}` })
}

test.each(['Back', 'the link above the user'])(
  '%s restores text, page of results, scroll position and row',
  async (way) => {
    await createManyAnas()
    const { user, router } = open()
    await user.type(await box(), 'ana')
    await screen.findByText('60 found')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await screen.findByText('51–60 of 60')
    const before = names()
    const opened = before[4] ?? ''
    window.scrollY = 321
    await user.click(screen.getByRole('link', { name: opened }))
    await screen.findByRole('heading', { level: 1, name: opened })
    await waitFor(() => expect(router.state.navigation.state).toBe('idle'))

    const scrollTo = vi.spyOn(window, 'scrollTo')
    if (way === 'Back') void router.navigate(-1)
    else await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Users' }))
    await screen.findByText('51–60 of 60')
    expect(await box()).toHaveValue('ana')
    expect(names()).toEqual(before)
    await waitFor(() => expect(screen.getByRole('link', { name: opened })).toHaveFocus())
    if (way !== 'Back') expect(scrollTo).toHaveBeenLastCalledWith(0, 321)
    expect(JSON.stringify({ ...router.state.location, key: '' })).not.toMatch(/ana/i)

    await user.click(screen.getByRole('button', { name: 'Previous' }))
    expect(await screen.findByText('1–50 of 60')).toBeVisible()
  },
)

test('Back to the plain list leads to its row; a fresh start knows nothing of a search', async () => {
  await createAnaAndOthers()
  const first = open()
  await first.user.click(await screen.findByRole('link', { name: 'Anatol Smith' }))
  await screen.findByRole('heading', { level: 1, name: 'Anatol Smith' })
  await waitFor(() => expect(first.router.state.navigation.state).toBe('idle'))
  void first.router.navigate(-1)
  await waitFor(() => expect(screen.getByRole('link', { name: 'Anatol Smith' })).toHaveFocus())
  await first.user.type(await box(), 'bob')
  await showsNames('Bob Miller')
  first.queryClient.clear()
  first.unmount()

  open()
  expect(await box()).toHaveValue('')
  await showsNames('Bob Miller', 'Ana María López', 'Anatol Smith')
})

test('columns and row height are chosen, kept, and reset; the name stays', async () => {
  await createAnaAndOthers()
  const headers = () =>
    within(table())
      .getAllByRole('columnheader')
      .map((header) => header.textContent)
  const first = open()
  await screen.findByRole('link', { name: 'Bob Miller' })
  expect(headers()).toEqual(['Name', 'E-mail', 'Ref', 'Since', 'Created', 'Account'])
  await first.user.click(screen.getByRole('button', { name: 'Columns and row height' }))
  expect(await screen.findByRole('menuitemcheckbox', { name: 'Name' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await first.user.click(screen.getByRole('menuitemcheckbox', { name: 'Ref' }))
  await first.user.click(screen.getByRole('menuitemcheckbox', { name: 'Id' }))
  await first.user.click(screen.getByRole('menuitemradio', { name: 'Comfortable' }))
  expect(headers()).toEqual(['Name', 'E-mail', 'Since', 'Created', 'Account', 'Id'])
  first.unmount()

  const { user } = open()
  await screen.findByRole('link', { name: 'Bob Miller' })
  expect(headers()).toEqual(['Name', 'E-mail', 'Since', 'Created', 'Account', 'Id'])
  await user.click(screen.getByRole('button', { name: 'Columns and row height' }))
  expect(await screen.findByRole('menuitemradio', { name: 'Comfortable' })).toBeChecked()
  await user.click(screen.getByRole('menuitem', { name: 'Reset' }))
  expect(headers()).toEqual(['Name', 'E-mail', 'Ref', 'Since', 'Created', 'Account'])
})

test('a user found by id shows it in the row, even without that column', async () => {
  const id = await createAnaAndOthers()
  const { user } = open()
  await user.type(await box(), id)
  await showsNames('Ana María López')
  expect(await within(table()).findByText(id, { selector: 'mark' })).toBeVisible()
})

test('a row at rest, or Space on it, shows a preview with entities but nothing sensitive; Escape puts it away', async () => {
  const ana = await createAnaAndOthers()
  await create(`/users/${ana}/entities`, {
    type: 'person',
    properties: [
      { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE00-SECRET' },
      { key: 'city', type: 'TEXT', value: 'Lyon' },
    ],
  })
  const { user, edge } = open()
  const link = await screen.findByRole('link', { name: 'Ana María López' })
  // The preview is found by its label, because jsdom opens no popover and a query by role would miss it.
  const preview = (name = 'Ana María López') => screen.findByLabelText(`Preview of ${name}`)
  const expectGone = () => expect(screen.queryByLabelText(/^Preview/)).toBeNull()

  link.focus()
  await user.keyboard(' ')
  expect(await within(await preview()).findByText(/Lyon/)).toBeInTheDocument()
  expect(within(await preview()).getByText(ana)).toBeInTheDocument()
  expect(document.body.textContent).not.toContain('DE00-SECRET')
  await user.keyboard('{ArrowDown}')
  await preview('Anatol Smith')
  await user.keyboard('{Escape}')
  expectGone()
  expect(screen.getByRole('link', { name: 'Anatol Smith' })).toHaveFocus()

  await user.hover(within(table()).getByText('ana@example.org'))
  await preview()
  await user.hover(await box())
  await waitFor(expectGone)
  expect(edge.requests.filter(({ path }) => path.endsWith('/entities')).length).toBeLessThanOrEqual(2)
})

test('Space previews the row that has the focus, wherever the mouse is', async () => {
  await createAnaAndOthers()
  const { user } = open()
  await screen.findByRole('link', { name: 'Ana María López' })
  await user.hover(within(table()).getByText('ana@example.org'))
  await screen.findByLabelText('Preview of Ana María López')
  screen.getByRole('link', { name: 'Anatol Smith' }).focus()
  await user.keyboard(' ')
  await screen.findByLabelText('Preview of Anatol Smith')
  await user.keyboard(' ')
  expect(screen.queryByLabelText(/^Preview/)).toBeNull()
})

test('a press puts the preview away, and it does not come back until the mouse has been elsewhere', async () => {
  await createAnaAndOthers()
  const { user } = open()
  await screen.findByRole('link', { name: 'Ana María López' })
  const cell = within(table()).getByText('ana@example.org')
  await user.hover(cell)
  await screen.findByLabelText('Preview of Ana María López')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    fireEvent.pointerDown(cell)
    for (const clientX of [4, 8]) fireEvent.pointerMove(cell, { clientX })
    act(() => void vi.runAllTimers())
    expect(screen.queryByLabelText(/^Preview/)).toBeNull()
    const other = within(table()).getByText('Anatol Smith')
    fireEvent.pointerMove(other, { clientX: 12 })
    fireEvent.pointerMove(cell, { clientX: 16 })
    act(() => void vi.runAllTimers())
    expect(screen.getByLabelText('Preview of Ana María López')).toBeInTheDocument()
  } finally {
    vi.useRealTimers()
  }
})

test('the picker counts the users of its segments, and one that may not be counted harms nothing', async () => {
  await createAnaAndOthers()
  await create('/segments', { name: 'Bobs', filter: { user: 'ref', op: 'eq', value: 'C-1' } })
  const secret = await create('/segments', { name: 'Secret', filter: { all: [] } })
  vi.stubGlobal('IntersectionObserver', Everything)
  const { user, edge } = open()
  edge.meet(({ url }) =>
    url.includes(`segment=${secret}`) ? new Response(null, { status: 403 }) : undefined,
  )
  await user.click(await screen.findByRole('button', { name: 'Segment: All users' }))
  const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
  await waitFor(() => expect(options()).toEqual(['All users, 3', 'Bobs, 1', 'Secret, —']))
})

/** IntersectionObserver for jsdom, which has no layout: every element counts as visible. */
class Everything {
  readonly #tell: () => void
  constructor(tell: (entries: { isIntersecting: boolean; intersectionRatio: number }[]) => void) {
    this.#tell = () => tell([{ isIntersecting: true, intersectionRatio: 1 }])
  }
  observe() {
    queueMicrotask(this.#tell)
  }
  disconnect() {}
}
