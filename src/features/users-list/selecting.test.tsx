import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'

import type { Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { listWithFilter } from '../../domain/user-list/list-state.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(async () => {
  await service.reset()
  for (const name of ['Ana', 'Bob', 'Cleo', 'Dan'])
    await service.call('admin', 'POST', '/users', { name, email: `${name}@example.org` })
})

async function open(role: Role = 'steward') {
  const app = renderApp({ service, path: '/users', role })
  await app.user.hover(await screen.findByRole('link', { name: 'Ana' }))
  await screen.findByRole('checkbox', { name: 'Select Ana' })
  return app
}
const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` })
const says = (text: string) =>
  waitFor(() => expect(screen.getByText(text, { selector: '[aria-live] p' })).toBeVisible())

test('a row is named by its user alone, though its box says that name too', async () => {
  await open()
  const row = within((await screen.findByRole('rowheader', { name: 'Ana' })).closest('tr') ?? document.body)
  expect(row.getByRole('checkbox', { name: 'Select Ana' })).toBeInTheDocument()
  expect(row.getByRole('link', { name: 'Ana' })).toBeVisible()
  expect(row.getAllByRole('cell')[0]).toHaveTextContent('Ana@example.org')
})

test('users are selected one by one and with all between, exported, and still selected on the way back', async () => {
  const { user, router } = await open()
  await user.click(box('Ana'))
  await says('1 selected')
  await user.keyboard('{Shift>}')
  await user.click(box('Cleo'))
  await user.keyboard('{/Shift}')
  await says('3 selected')
  await user.click(box('Bob'))
  await says('2 selected')
  expect(screen.queryByRole('dialog')).toBeNull()

  await user.click(screen.getByRole('link', { name: 'Export selection' }))
  expect(await screen.findByRole('radio', { name: '2 users selected in the list' })).toBeChecked()
  expect(await screen.findByRole('button', { name: 'Export 2 users' })).toBeVisible()
  void router.navigate(-1)
  await waitFor(() => expect(box('Cleo')).toBeChecked())
  expect(box('Bob')).not.toBeChecked()
  await user.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Ana' })).toHaveFocus()
})

test('with keys alone; a search for others leaves who is selected', async () => {
  const { user } = await open()
  screen.getByRole('link', { name: 'Bob' }).focus()
  await user.keyboard('{Shift>} {/Shift}')
  await says('1 selected')
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
  await says('3 selected')
  expect(screen.getByRole('link', { name: 'Dan' })).toHaveFocus()
  expect(box('Ana')).not.toBeChecked()
  await user.type(screen.getByRole('searchbox', { name: 'Find users' }), 'ana')
  await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(1))
  await user.click(box('Ana'))
  await says('4 selected, 3 not on this page')
  await user.click(screen.getByRole('link', { name: 'Bulk change…' }))
  expect(await screen.findByText('4 users selected')).toBeVisible()
})

test('all of a page are selected with Ctrl and A in a row, where a search keeps them its own', async () => {
  const { user } = await open()
  screen.getByRole('link', { name: 'Bob' }).focus()
  await user.keyboard('{Control>}a{/Control}')
  await says('4 selected')
  expect(screen.getByRole('link', { name: 'Bob' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Clear selection' }))
  await user.click(box('Cleo'))
  await user.keyboard('{Control>}A{/Control}')
  await says('4 selected')
  await user.click(screen.getByRole('button', { name: 'Clear selection' }))
  screen.getByRole('searchbox', { name: 'Find users' }).focus()
  await user.keyboard('{Control>}a{/Control}')
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
})

test('a person who may not set a property is told so', async () => {
  const { user } = await open('support')
  await user.click(box('Ana'))
  expect((await screen.findByText('Bulk change…')).closest('a')).toHaveAttribute('aria-disabled', 'true')
})

test('all who are listed are handed over by what the list asks for', async () => {
  const filter = { user: 'email', op: 'contains', value: '@example.org' }
  const { headers } = await service.call('admin', 'POST', '/segments', { name: 'All four', filter })
  const segment = headers.get('location')?.split('/').at(-1) ?? ''
  const { user, router } = await open()
  expect(screen.queryByRole('link', { name: /^Bulk change all/ })).toBeNull()
  await router.navigate(`/users?segment=${segment}`)
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ana' }))
  await user.click(await screen.findByRole('link', { name: 'Bulk change all 4 listed users…' }))
  expect(await screen.findByText(/^All users in “All four”/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Users', current: false })).toBeVisible()
})

test('a list that has lost its conditions does not hand over everybody', async () => {
  const { user, router } = await open()
  await router.navigate('/users', {
    state: listWithFilter('steward', { user: 'email', op: 'contains', value: '@example.org' }),
  })
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ana' }))
  await user.click(await screen.findByRole('link', { name: 'Bulk change all 4 listed users…' }))
  expect(
    await screen.findByText(/^All users in the list with these conditions: e-mail contains “@example.org”$/),
  ).toBeVisible()
  await router.navigate(-1)
  await user.click(await screen.findByRole('button', { name: 'Clear all' }))
  await router.navigate(1)
  expect(await screen.findByText('The list of users to change is gone')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Preview change' })).toBeNull()
})

test('a deleted user is no longer selected', async () => {
  const { user } = await open('admin')
  await user.click(box('Ana'))
  await user.click(box('Bob'))
  await says('2 selected')
  await user.click(screen.getByRole('link', { name: 'Ana' }))
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete user…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Ana?' }))
  await user.type(dialog.getByRole('textbox', { name: /^Type/ }), 'Ana@example.org')
  await user.click(dialog.getByRole('button', { name: 'Delete user' }))
  await says('1 selected')
  expect(box('Bob')).toBeChecked()
})

test('a selection outlasts what the list remembers of its searches', async () => {
  const { user, router, queryClient } = await open()
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  try {
    // Simulates a list that was opened long ago, whose cached state is gone.
    queryClient.clear()
    await user.click(box('Ana'))
    await says('1 selected')
    await router.navigate('/segments')
    await screen.findByRole('heading', { level: 1, name: 'Segments' })
    await vi.advanceTimersByTimeAsync(31 * 60_000)
    await router.navigate('/users')
    await waitFor(() => expect(box('Ana')).toBeChecked())
  } finally {
    vi.useRealTimers()
  }
})

test('a preview that was put away does not come back when the selection is cleared', async () => {
  const { user } = await open()
  screen.getByRole('link', { name: 'Bob' }).focus()
  await user.keyboard(' ')
  expect(await screen.findByRole('status', { name: 'Preview of Bob' })).toBeInTheDocument()
  await user.keyboard(' ')
  expect(screen.queryByRole('status', { name: 'Preview of Bob' })).toBeNull()
  await user.keyboard('{Shift>} {/Shift}')
  await says('1 selected')
  await user.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  expect(screen.queryByRole('status', { name: /^Preview/ })).toBeNull()
})
