import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import type { Entity } from '#contract/index.ts'
import { startTestService } from '#server/testing/service.ts'
import { button, entityPages, field, retype, save } from '../../../testing/entity-pages.tsx'

const lost = () => {
  throw new TypeError('Failed to fetch')
}
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
    /none of your changes were saved/,
  ],
  ['503', async () => problem(503, { 'retry-after': '3' }), /busy. Try again in 3 seconds/],
  ['broken JSON', async () => new Response('{"detail', { status: 400 }), /couldn’t save your changes/],
  [
    'a page of HTML with 200',
    async () => new Response('<html>Sign in to the network', { headers: { 'content-type': 'text/html' } }),
    /none of your changes were saved/,
  ],
  ['no connection', async () => lost(), /none of your changes were saved/],
  [
    'a time-out',
    async () => {
      throw new DOMException('', 'TimeoutError')
    },
    /none of your changes were saved/,
  ],
]

describe('a save', () => {
  const pages = entityPages(() => startTestService())
  const { writes } = pages

  test('whatever goes wrong, it is said, what was typed stays, and the next try works', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await user.click(button('Remove Birthday'))
    for (const [, answer, says] of faults) {
      pages.between = async (request, onward) => (request.method === 'GET' ? onward() : answer())
      await save(user)
      const alert = await screen.findByRole('alert')
      await waitFor(() => expect(alert).toHaveTextContent(says))
      expect(alert).toHaveTextContent('Not saved')
      expect(alert).toHaveTextContent('What you typed is still here.')
      expect(field('Value of City')).toHaveValue('Paris')
      expect(button('Keep Birthday')).toBeVisible()
    }
    pages.between = undefined
    await save(user)
    expect(await screen.findByText('2 changes saved')).toBeInTheDocument()
    expect(await pages.storedValues()).toEqual({ city: 'Paris', iban: 'ES91-SECRET', pin: '4711-SECRET' })
  })

  test('while it is on its way, leaving asks, also to where unsaved edits are kept', async () => {
    const { user, router } = await pages.open()
    await retype(user, 'Value of City', 'Nantes')
    let answer = () => {}
    const gate = new Promise<void>((resolve) => {
      answer = resolve
    })
    pages.between = async ({ method }, onward) => {
      if (method !== 'GET') await gate
      return onward()
    }
    await save(user)
    await waitFor(() => expect(writes()).toHaveLength(1))
    await act(() => router.navigate(`/users/${pages.userId}/record`))
    await user.click(await screen.findByRole('button', { name: 'Stay here' }))
    answer()
    expect(await screen.findByText('City changed from Lyon to Nantes')).toBeInTheDocument()
    await act(() => router.navigate(`/users/${pages.userId}/record`))
    await waitFor(() => expect(router.state.location.pathname).toMatch(/record$/))
  })

  test('an error of the service is shown at the row that it is about', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    pages.between = async (request, onward) =>
      request.method === 'GET'
        ? onward()
        : Response.json(
            { status: 422, errors: [{ pointer: '/properties/0/value', code: 'x', detail: 'No such town.' }] },
            { status: 422 },
          )
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('See the messages next to the fields.')
    expect(field('Value of City')).toHaveAccessibleDescription('No such town.')
    expect(field('Value of City')).toHaveFocus()
    expect(await pages.storedValues()).toMatchObject({ city: 'Lyon' })
  })

  test('written but not read again: not sent again either', async () => {
    let isWritten = false
    pages.between = async (request, onward) => {
      if (isWritten) lost()
      isWritten = request.method !== 'GET'
      return onward()
    }
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('Saved, but the entity couldn’t be reloaded')
    expect(button('Review…')).toBeDisabled()
    pages.between = undefined
    await user.click(button('Reload entity'))
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument())
    expect(field('Value of City')).toHaveValue('Paris')
    expect(writes()).toHaveLength(1)
  })

  test('a property that somebody else wrote is kept, even by a PUT', async () => {
    const { user } = await pages.open()
    await user.click(button('Remove Birthday'))
    await pages.elsewhere('city', 'Rome')
    await pages.elsewhere('nick', 'Ani')
    await save(user)
    expect(await screen.findByText(/^Birthday removed/)).toBeInTheDocument()
    expect(await pages.storedValues()).toEqual({
      city: 'Rome',
      nick: 'Ani',
      iban: 'ES91-SECRET',
      pin: '4711-SECRET',
    })
    expect(field('Value of City')).toHaveValue('Rome')
  })

  test('a new entity whose answer was lost is there once, and opened', async () => {
    pages.between = async (request, onward) => {
      const response = await onward()
      if (request.method === 'POST' && writes().length === 1) lost()
      return response
    }
    const { user } = await pages.open(`/users/${pages.userId}/entities/new`)
    await user.type(field('Entity type'), 'car')
    await user.click(button('Create entity'))
    expect(await screen.findByText('Car added')).toBeInTheDocument()
    const all = await pages.service.call('admin', 'GET', `/users/${pages.userId}/entities`)
    expect((all.body as Entity[]).map(({ type }) => type)).toEqual(['person', 'car'])
  })
})

describe('with tags and idempotency keys', () => {
  const pages = entityPages(() => startTestService())
  const { writes } = pages
  const conditions = () => writes().map(({ headers }) => headers.get('if-match'))
  const keys = () => writes().map(({ headers }) => headers.get('idempotency-key'))

  test('every write has a tag and a key of its own, and the second save does not read first', async () => {
    const { user } = await pages.open()
    for (const city of ['Paris', 'Brest']) {
      await retype(user, 'Value of City', city)
      await save(user)
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument())
    }
    expect(conditions()).toEqual([expect.any(String), expect.any(String)])
    expect(new Set(keys()).size).toBe(2)
    expect(keys()).not.toContain(null)
    const last = pages.requests.findLastIndex(({ method }) => method === 'PATCH')
    const before = pages.requests.slice(0, last).findLastIndex(({ method }) => method === 'PATCH')
    // Requests between the two writes: the read after the first save.
    const between = pages.requests.slice(before + 1, last)
    expect(between.filter(({ method, path }) => method === 'GET' && path.includes('/users/'))).toHaveLength(1)
  })

  test('a try after a failure is the same write, and after a refusal another one', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    for (const status of [500, 422]) {
      pages.between = async (request, onward) => (request.method === 'GET' ? onward() : problem(status))
      await save(user)
      await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(`Refused with ${status}.`))
    }
    pages.between = undefined
    await save(user)
    expect(await screen.findByText('City changed from Lyon to Paris')).toBeInTheDocument()
    const [first, repeated, second, third] = keys()
    expect([repeated, second]).toEqual([first, first])
    expect(third).not.toBe(first)
  })

  test('a write that comes between reading and writing is merged, and both are stored', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    pages.between = async (request, onward) => {
      if (request.method === 'PATCH' && writes().length === 1) await pages.elsewhere('nick', 'Ani')
      return onward()
    }
    await save(user)
    expect(await screen.findByText(/^City changed/)).toBeInTheDocument()
    expect(writes()).toHaveLength(2)
    expect(await pages.storedValues()).toMatchObject({ city: 'Paris', nick: 'Ani' })
  })

  test('a save gives up, and says so, if somebody else keeps getting in between', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    pages.between = async (request, onward) => {
      if (request.method === 'PATCH') await pages.elsewhere('nick', `Ani ${writes().length}`)
      return onward()
    }
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('Others keep changing this')
    expect(writes()).toHaveLength(4)
    expect(field('Value of City')).toHaveValue('Paris')
  })

  test('an answer lost after the write: sent again with the same key, it is done once', async () => {
    pages.between = async (request, onward) => {
      const response = await onward()
      if (request.method === 'PATCH' && writes().length === 1) lost()
      return response
    }
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await save(user)
    expect(await screen.findByText('City changed from Lyon to Paris')).toBeInTheDocument()
    expect(writes()).toHaveLength(2)
    expect(new Set(keys()).size).toBe(1)
    const events = await pages.service.call('admin', 'GET', '/events')
    expect(
      (events.body as { type: string }[]).filter(({ type }) => type === 'DIRECT_DATA_CHANGE'),
    ).toHaveLength(2)
  })

  test('a repetition whose answer is lost too can be sent unchanged once more with one click', async () => {
    let isWritten = false
    pages.between = async (request, onward) => {
      if (isWritten) lost()
      const response = await onward()
      if (request.method === 'GET') return response
      isWritten = true
      return lost()
    }
    const { user } = await pages.open()
    await user.click(button('Replace IBAN'))
    await user.type(field('Value of IBAN'), 'FR76-SECRET')
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('Your changes may have been saved')
    expect(button('Review…')).toBeDisabled()
    pages.between = undefined
    await user.click(button('Send again'))
    expect(await screen.findByText('IBAN changed')).toBeInTheDocument()
    expect(new Set(keys()).size).toBe(1)
    expect(await pages.storedValues()).toMatchObject({ iban: 'FR76-SECRET' })
  })

  test('a lost write that was never done does not go over what somebody else wrote since', async () => {
    pages.between = async (request, onward) => (request.method === 'GET' ? onward() : lost())
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    pages.between = async () => lost()
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('Nothing was sent')
    pages.between = async (request, onward) => {
      if (request.method === 'GET' && writes().length === 0) return onward()
      return lost()
    }
    await save(user)
    await waitFor(() =>
      expect(screen.getByRole('alert')).toHaveTextContent('Your changes may have been saved'),
    )
    await pages.elsewhere('city', 'Rome')
    pages.between = undefined
    await user.click(button('Send again'))
    expect(await screen.findByRole('dialog')).toHaveTextContent('Rome')
    expect(await pages.storedValues()).toMatchObject({ city: 'Rome' })
  })
})

describe('without tags and keys', () => {
  const pages = entityPages(() => startTestService({ additions: 'none' }))
  const { writes } = pages

  test('offline: nothing is sent, and it says so', async () => {
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    pages.between = async () => lost()
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('Nothing was sent')
    expect(field('Value of City')).toHaveValue('Paris')
    expect(writes()).toEqual([])
  })

  test('an answer lost after the write is found out, and nothing is sent twice', async () => {
    pages.between = async (request, onward) => {
      const response = await onward()
      return request.method === 'GET' ? response : lost()
    }
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await save(user)
    expect(await screen.findByText('City changed from Lyon to Paris')).toBeInTheDocument()
    expect(writes()).toHaveLength(1)
    expect(writes()[0]?.headers.get('idempotency-key')).toBeNull()
  })

  test('a save whose outcome cannot be determined blocks the next one until it can', async () => {
    let isWritten = false
    pages.between = async (request, onward) => {
      if (isWritten) lost()
      const response = await onward()
      if (request.method === 'GET') return response
      isWritten = true
      return lost()
    }
    const { user } = await pages.open()
    await retype(user, 'Value of City', 'Paris')
    await save(user)
    expect(await screen.findByRole('alert')).toHaveTextContent('Your changes may have been saved')
    expect(button('Review…')).toBeDisabled()
    expect(field('Value of City')).toHaveValue('Paris')
    pages.between = undefined
    await user.click(button('Check stored entity'))
    expect(await screen.findByText('City changed from Lyon to Paris')).toBeInTheDocument()
    expect(writes()).toHaveLength(1)
  })
})
