import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../testing/network.ts'
import { renderApp } from '../testing/render-app.tsx'

/** Points at one element after the other, each for some milliseconds by a clock of its own. */
function rest(...stays: readonly (readonly [Element, number])[]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  for (const [element, ms] of stays) {
    fireEvent.mouseOver(element)
    vi.advanceTimersByTime(ms)
  }
  vi.useRealTimers()
}

describe.each([
  { name: 'that keeps sensitive values', additions: undefined },
  { name: 'whose every answer has sensitive values in the open', additions: 'none' as const },
])('a service $name', ({ additions }) => {
  const service = testService(additions && { additions })
  beforeEach(() => service.reset())

  async function openList() {
    const id = await service.create('admin', '/users', { name: 'Ana' })
    const segment = await service.create('admin', '/segments', { name: 'Everybody', filter: { all: [] } })
    const edge = network(service)
    // The rows of this page have no preview, which would send reads of its own.
    const app = renderApp({ service: { ...service, fetch: edge.fetch }, path: `/segments/${segment}` })
    const row = await screen.findByRole('link', { name: 'Ana' })
    const all = () => edge.requests.map(({ path }) => path.replace(/^.*api/, ''))
    const reads = () => all().filter((path) => path.includes(id))
    return { ...app, id, row, reads, all }
  }

  test('resting on a row reads its user ahead, and the click asks nothing more', async () => {
    const { user, id, row, reads, router } = await openList()
    rest([row, 100])
    await waitFor(() => expect(reads()[0]).toBe(`/users/${id}`))
    rest([screen.getByRole('heading', { level: 1 }), 100], [row, 100])
    // Hovering over a link must not prefetch reads that the audit log records.
    const entities = `/users/${id}/entities`
    const first = additions ? [] : [`${entities}?sensitive=masked`]
    await waitFor(() => expect(reads()).toEqual([`/users/${id}`, ...first]))

    await user.click(row)
    await waitFor(() => expect(router.state.location.pathname).toBe(`/users/${id}`))
    await screen.findByRole('button', { name: 'Edit' })
    expect(reads()).toEqual([`/users/${id}`, additions ? entities : `${entities}?sensitive=masked`])
  })

  test('a row that the mouse only passes on its way to another one is not read', async () => {
    const other = await service.create('admin', '/users', { name: 'Bea' })
    const { row, reads, all } = await openList()
    rest([row, 80], [await screen.findByRole('link', { name: 'Bea' }), 100])
    await waitFor(() => expect(all().some((path) => path.includes(other))).toBe(true))
    expect(reads()).toEqual([])
  })

  test('a reader who saves data has nothing read ahead', async () => {
    const { row, reads } = await openList()
    let isAsked = false
    const connection = {
      get saveData() {
        isAsked = true
        return true
      },
    }
    Object.defineProperty(navigator, 'connection', { value: connection, configurable: true })
    try {
      rest([row, 100])
      expect(isAsked).toBe(true)
      expect(reads()).toEqual([])
    } finally {
      Reflect.deleteProperty(navigator, 'connection')
    }
  })
})
