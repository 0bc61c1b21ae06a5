import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { Segment } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../../testing.tsx'

const service = testService({ additions: 'none' })
beforeEach(() => service.reset())

async function createSegment(body: object): Promise<string> {
  const { headers, status } = await service.call('admin', 'POST', '/segments', body)
  expect(status).toBe(201)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function storedSegments(): Promise<Segment[]> {
  return (await service.call('admin', 'GET', '/segments')).body
}

async function openEdit(id: string, fetch = service.fetch) {
  const app = renderApp({ service: { ...service, fetch }, path: `/segments/${id}/edit` })
  await screen.findByText('The id of this segment will change')
  return app
}

type User = ReturnType<typeof renderApp>['user']
async function rename(user: User, name: string) {
  await user.clear(screen.getByLabelText('Name'))
  await user.type(screen.getByLabelText('Name'), name)
  await user.click(screen.getByRole('button', { name: 'Save segment' }))
}

const half = 'Your change is saved as a new segment, and the old one is still there'

test('a service that cannot change segments gets a new one in place of the old one', async () => {
  const filter = { all: [{ user: 'name', op: 'exists' }] }
  const id = await createSegment({ name: 'Before', filter })
  const { user, router } = await openEdit(id)
  expect(await screen.findByText('This service counts a segment only after you save it.')).toBeVisible()
  await rename(user, 'After')
  await screen.findByRole('heading', { level: 1, name: 'After' })
  expect(await screen.findByText('“After” saved, with a new id')).toBeVisible()
  const [segment, ...others] = await storedSegments()
  expect(segment).toMatchObject({ name: 'After', filter })
  expect(others).toEqual([])
  expect(segment?.id).not.toBe(id)
  expect(router.state.location.pathname).toBe(`/segments/${segment?.id}`)
})

test('an old one that others use stays, which is said before and after', async () => {
  const id = await createSegment({ name: 'Basis', filter: { all: [] } })
  await createSegment({ name: 'On top', filter: { not: { segment: id } } })
  const { user } = await openEdit(id)
  expect(screen.getByRole('note')).toHaveTextContent('Used by “On top”')
  await rename(user, 'New basis')
  expect(await screen.findByText(half)).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('The old segment is still used by “On top”.')
  expect((await storedSegments()).map(({ name }) => name)).toEqual(['Basis', 'On top', 'New basis'])
  expect(screen.getByRole('link', { name: 'Open the old segment' })).toHaveAttribute(
    'href',
    `/segments/${id}`,
  )
  await user.click(screen.getByRole('link', { name: 'Open the new segment' }))
  await screen.findByRole('heading', { level: 1, name: 'New basis' })
})

test('a failure in the middle leaves both, says so, and can be made good', async () => {
  const id = await createSegment({ name: 'Before', filter: { all: [] } })
  let failing = true
  const { user } = await openEdit(id, (input, init) =>
    failing && init?.method === 'DELETE'
      ? Promise.resolve(Response.json({ detail: 'The database is away.' }, { status: 500 }))
      : service.fetch(input, init),
  )
  await rename(user, 'After')
  expect(await screen.findByText(half)).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('The old segment couldn’t be deleted.')
  expect(await storedSegments()).toHaveLength(2)
  failing = false
  await user.click(screen.getByRole('button', { name: 'Delete the old segment' }))
  await screen.findByRole('heading', { level: 1, name: 'After' })
  expect((await storedSegments()).map(({ name }) => name)).toEqual(['After'])
})

test('a new one that does not read as it was written does not cost the old one', async () => {
  const id = await createSegment({ name: 'Before', filter: { all: [] } })
  const { user } = await openEdit(id, async (input, init) => {
    const response = await service.fetch(input, init)
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const isNew =
      (init?.method ?? 'GET') === 'GET' && /\/segments\/./.test(pathname) && !pathname.endsWith(id)
    if (!isNew) return response
    return Response.json({ ...((await response.json()) as object), filter: { any: [] } })
  })
  await rename(user, 'After')
  expect(await screen.findByText(half)).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('The new segment wasn’t stored as you wrote it.')
  expect(await storedSegments()).toHaveLength(2)
})

test('a lost answer does not make a second new one', async () => {
  const id = await createSegment({ name: 'Before', filter: { all: [] } })
  let failing = true
  const { user } = await openEdit(id, async (input, init) => {
    const response = await service.fetch(input, init)
    if (failing && init?.method === 'POST') throw new TypeError('offline')
    return response
  })
  await rename(user, 'After')
  expect(await screen.findByText('Your changes may have been saved')).toBeVisible()
  expect(screen.getByLabelText('Name')).toHaveValue('After')
  expect((await storedSegments()).map((each) => each.name)).toEqual(['Before', 'After'])
  failing = false
  await user.click(screen.getByRole('button', { name: 'Save segment' }))
  await screen.findByRole('heading', { level: 1, name: 'After' })
  expect((await storedSegments()).map((each) => each.name)).toEqual(['After'])
})

test('an edit does not overwrite what somebody else changed meanwhile', async () => {
  const id = await createSegment({ name: 'Before', filter: { all: [] } })
  let now: Partial<Segment> = {}
  const { user } = await openEdit(id, async (input, init) => {
    const response = await service.fetch(input, init)
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (!pathname.endsWith(id) || init?.method === 'DELETE') return response
    return Response.json({ ...((await response.json()) as object), ...now })
  })
  now = { name: 'Theirs' }
  await rename(user, 'Mine')
  const dialog = await screen.findByRole('dialog', { name: 'Someone else changed this segment too' })
  expect(within(dialog).getByRole('radio', { name: 'Theirs Theirs' })).toBeVisible()
  expect(await storedSegments()).toHaveLength(1)
})
