import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const nobody = { all: [{ user: 'name', op: 'eq', value: 'Nobody' }] }

const service = testService()
let id = ''
let isBroken = true
const create = (body: object) => service.create('admin', '/segments', body)

beforeEach(async () => {
  await service.reset()
  isBroken = true
  id = await create({ name: 'Nobodies', description: 'Not one', filter: nobody })
  await create({ name: 'Others', filter: { not: { segment: id } } })
})

function open(path: string) {
  const edge = network(service)
  edge.meet(({ url, method }) =>
    isBroken && method === 'GET' && new URL(url).pathname === '/api/segments'
      ? Response.json({ detail: 'Broken.' }, { status: 400 })
      : undefined,
  )
  return renderApp({ service: { ...service, fetch: edge.fetch }, path })
}

test('without the list of segments, the page of a segment stays, and says that who uses it is not known', async () => {
  const { user } = open(`/segments/${id}`)
  expect(await screen.findByRole('heading', { level: 1, name: 'Nobodies' })).toBeVisible()
  expect(await screen.findByText('Couldn’t load the other segments')).toBeVisible()
  expect(screen.queryByText('No other segments')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: /Delete/ }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Couldn’t check whether other segments use this one.')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'Others' })).toBeVisible()
})

test('without the list of segments, a segment is edited and saved', async () => {
  const { user, router } = open(`/segments/${id}/edit`)
  const name = await screen.findByLabelText('Name')
  expect(await screen.findByText(/^Couldn’t load the segments/)).toBeVisible()
  await user.clear(name)
  await user.type(name, 'Nobody at all')
  await user.click(screen.getByRole('button', { name: 'Save segment' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Nobody at all' })).toBeVisible()
  expect(router.state.location.pathname).toBe(`/segments/${id}`)
})

test('without the list of segments, the segments of a user are listed', async () => {
  const ana = await service.create('admin', '/users', { name: 'Ana' })
  open(`/users/${ana}/segments`)
  expect(await screen.findByRole('link', { name: 'Others' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Nobodies' })).toBeVisible()
})
