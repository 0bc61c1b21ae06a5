import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { Scope, Segment } from '#contract/index.ts'
import { readCounts, testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())

async function open(scopes?: readonly Scope[], features = service.features) {
  const as = {
    ...service,
    features,
    ...(scopes && { token: () => service.sign({ sub: 'someone', scope: scopes.join(' ') }) }),
  }
  const app = renderApp({ service: as, path: '/segments/new', ...(scopes && { scopes }) })
  await screen.findByRole('button', { name: 'Add condition' })
  return app
}

type User = ReturnType<typeof renderApp>['user']

const part = (name: string) => within(screen.getByRole('group', { name }))
const handle = (name: string) => screen.getByRole('button', { name: `Move ${name}` })
const sentence = (words: string) => screen.getByText(words)
const said = () => screen.getByRole('region', { name: 'Notifications' }).textContent

/** Adds a condition on what the list of subjects marks for a text, to the filter or to a group. */
async function addCondition(user: User, typed: string, to = '') {
  await user.click(screen.getByRole('button', { name: `Add condition${to}` }))
  await user.type(await screen.findByRole('combobox', { name: 'Property, consent, segment…' }), typed)
  await user.keyboard('{Enter}')
}

/** Adds a condition on the e-mail address to the filter, or to a group. */
async function addEmail(user: User, value: string, to = '') {
  await addCondition(user, 'e-mail', to)
  await user.type(within(focusedPart()).getByLabelText('Value'), value)
}

function focusedPart(): HTMLElement {
  const found = document.activeElement?.closest<HTMLElement>('fieldset[aria-label]')
  if (!found) throw new Error('Nothing has the focus.')
  return found
}

async function typeJson(user: User, json: string) {
  const area = await screen.findByLabelText('Filter as JSON')
  await user.clear(area)
  await user.click(area)
  await user.paste(json)
}

const show = (user: User, view: 'Builder' | 'JSON') => user.click(screen.getByRole('radio', { name: view }))

const shownJson = () =>
  JSON.parse(screen.getByLabelText<HTMLTextAreaElement>('Filter as JSON').value) as unknown

test('conditions move by keyboard, the focus with them, and it is said where they are', async () => {
  const { user } = await open()
  await addEmail(user, 'a')
  await addEmail(user, 'b')
  await user.click(screen.getByRole('button', { name: 'Add group' }))
  await addEmail(user, 'c', ' to group 3')

  handle('condition 1').focus()
  await user.keyboard('{ArrowDown}')
  expect(part('Condition 2').getByLabelText('Value')).toHaveValue('a')
  expect(handle('condition 2')).toHaveFocus()
  expect(said()).toContain('Condition 1 is now 2.')
  await user.keyboard('{ArrowRight}')
  expect(part('Condition 2.1').getByLabelText('Value')).toHaveValue('a')
  expect(handle('condition 2.1')).toHaveFocus()
  expect(
    sentence('Users whose e-mail contains “b” and (whose e-mail contains “a” or whose e-mail contains “c”).'),
  ).toBeVisible()
  await user.keyboard('{ArrowUp}')
  expect(said()).toContain('Already the first one here.')
  await user.keyboard('{ArrowLeft}')
  expect(handle('condition 3')).toHaveFocus()
  expect(part('Condition 3').getByLabelText('Value')).toHaveValue('a')

  // The menu offers the same moves without arrow keys.
  await user.keyboard('{Enter}')
  await user.click(await screen.findByRole('menuitem', { name: 'Into group 2' }))
  expect(part('Condition 2.2').getByLabelText('Value')).toHaveValue('a')
  expect(screen.queryByRole('group', { name: 'Condition 3' })).not.toBeInTheDocument()
})

test('every step can be taken back and done again, and what is typed in one field is one step', async () => {
  const { user } = await open()
  expect(screen.getByRole('button', { name: 'Undo' })).toHaveAttribute('aria-disabled', 'true')
  await addEmail(user, 'example')
  await user.click(part('Condition 1').getByRole('button', { name: 'Remove' }))
  expect(sentence('All users.')).toBeVisible()

  await user.keyboard('{Control>}z{/Control}')
  expect(part('Condition 1').getByLabelText('Value')).toHaveValue('example')
  expect(said()).toContain('Undone. 2 steps left to undo.')
  await user.keyboard('{Control>}z{/Control}')
  expect(part('Condition 1').getByLabelText('Value')).toHaveValue('')
  expect(part('Condition 1').getByLabelText('Comparison')).toHaveDisplayValue('contains')
  part('Condition 1').getByLabelText('Comparison').focus()
  await user.keyboard('{Control>}z{/Control}')
  expect(screen.queryByRole('group', { name: 'Condition 1' })).not.toBeInTheDocument()
  // The focused field was removed, but the shortcuts still work.
  await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await user.click(screen.getByRole('button', { name: 'Redo' }))
  expect(part('Condition 1').getByLabelText('Value')).toHaveValue('example')

  // A new edit after an undo clears the redo history.
  await user.type(part('Condition 1').getByLabelText('Value'), '.org')
  expect(screen.getByRole('button', { name: 'Redo' })).toHaveAttribute('aria-disabled', 'true')
  await user.keyboard('{Control>}z{/Control}')
  expect(part('Condition 1').getByLabelText('Value')).toHaveValue('example')
})

test('all taken back, there is nothing to lose on leaving', async () => {
  const { user, router } = await open()
  await addCondition(user, 'name')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/segments'))
})

test('builder, JSON and sentence say the same while any of them changes', async () => {
  const { user } = await open()
  await addEmail(user, 'ana')
  await show(user, 'JSON')
  expect(shownJson()).toEqual({ all: [{ user: 'email', op: 'contains', value: 'ana' }] })

  const json =
    '{"any": [{"user": "email", "op": "contains", "value": "bo"}, {"user": "account", "op": "eq", "value": true}]}'
  await typeJson(user, json)
  expect(sentence('Users whose e-mail contains “bo” or who have an account.')).toBeVisible()
  await show(user, 'Builder')
  expect(part('Condition 1').getByLabelText('Value')).toHaveValue('bo')
  expect(part('Condition 2').getByLabelText('Comparison')).toHaveDisplayValue('yes')
  await show(user, 'JSON')
  expect(screen.getByLabelText('Filter as JSON')).toHaveValue(json)

  await show(user, 'Builder')
  await user.type(part('Condition 1').getByLabelText('Value'), 'b')
  await show(user, 'JSON')
  expect(shownJson()).toMatchObject({ any: [{ value: 'bob' }, { value: true }] })
})

test('JSON that is wrong says in which line, changes nothing in the builder, and can be taken back', async () => {
  const { user } = await open()
  await addEmail(user, 'ana')
  await show(user, 'JSON')
  const before = (await screen.findByLabelText<HTMLTextAreaElement>('Filter as JSON')).value
  await typeJson(user, '{"all": [\n  {"user": "email", "op": "contains" "value": "x"}\n]}')
  expect(await screen.findByRole('button', { name: 'Line 2' })).toBeVisible()
  expect(screen.getByLabelText('Filter as JSON')).toBeInvalid()

  await typeJson(
    user,
    '{"all": [\n  {"user": "email", "op": "contains", "value": "x"},\n  {"user": "name", "op": "before", "value": "y"}\n]}',
  )
  await user.click(await screen.findByRole('button', { name: 'Line 3' }))
  const area = screen.getByLabelText<HTMLTextAreaElement>('Filter as JSON')
  expect(area.value.slice(area.selectionStart, area.selectionEnd)).toBe('"before"')
  expect(area).toHaveAccessibleDescription(/"before" does not apply to TEXT/)

  // The number of undo steps depends on the typing speed.
  await waitFor(async () => {
    await user.keyboard('{Control>}z{/Control}')
    expect(area).toHaveValue(before)
  })
  expect(area).toBeValid()
  await show(user, 'Builder')
  expect(part('Condition 1').getByLabelText('Value')).toHaveValue('ana')
})

async function createPerson() {
  const { status } = await service.call('admin', 'POST', '/users', {
    name: 'Ana',
    properties: [
      { key: 'birthday', type: 'DATE', value: '1990-02-03' },
      { key: 'iban', type: 'TEXT', value: 'DE02', sensitive: true },
      { key: 'visits', type: 'NUMBER', value: 3 },
    ],
  })
  expect(status).toBe(201)
  await readCounts(service)
}

async function addTestOf(user: User, typed: string, label: string) {
  await addCondition(user, typed)
  return part(label)
}

test('a property brings its comparisons along, and further tests are of the same entity', async () => {
  await createPerson()
  const { user } = await open()
  const row = await addTestOf(user, 'birth', 'Person › Birthday')
  expect(row.getByLabelText('Comparison')).toHaveDisplayValue('is within the last')
  expect(row.getByLabelText('Value')).toHaveFocus()
  await user.keyboard('90')
  expect(row.getByText('Time zone: UTC')).toBeVisible()
  expect(screen.queryByLabelText('Data type')).not.toBeInTheDocument()

  await user.click(part('Condition 1').getByRole('button', { name: 'Add another property of this entity' }))
  await user.type(
    await screen.findByRole('combobox', { name: 'Property, consent, segment…' }),
    'visits{Enter}',
  )
  const second = part('Person › Visits')
  expect(second.getByLabelText('Value')).toHaveFocus()
  await user.keyboard('3')
  expect(
    sentence(
      'Users who have a person (birthday is within the last 90 days and visits is at least 3). Days in UTC.',
    ),
  ).toBeVisible()

  await user.click(part('Condition 1').getByRole('button', { name: 'Add another property of this entity' }))
  await user.type(
    await screen.findByRole('combobox', { name: 'Property, consent, segment…' }),
    'shoes{Enter}',
  )
  const third = part('Person › Shoes')
  await user.selectOptions(third.getByLabelText('Data type'), 'Number')
  expect(third.getByLabelText('Comparison')).toHaveDisplayValue('is')
})

test('a sensitive key is marked, and only what can find it is offered', async () => {
  await createPerson()
  const { user } = await open()
  await user.type(screen.getByLabelText('Name'), 'By account')
  const row = await addTestOf(user, 'iban', 'Person › IBAN')
  expect(await row.findByText('Sensitive')).toBeVisible()
  const offered = within(row.getByLabelText('Comparison')).getAllByRole('option')
  expect(offered.map(({ textContent }) => textContent)).toEqual([
    'is',
    'is not',
    'has a value',
    'has no value',
  ])
  await user.type(row.getByLabelText('Value'), 'DE02')
  await user.click(row.getByRole('checkbox', { name: 'or has no value' }))
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  await screen.findByRole('heading', { level: 1, name: 'By account' })
  const { body }: { body: Segment[] } = await service.call('admin', 'GET', '/segments')
  expect(body[0]?.filter).toEqual({
    all: [
      { entity: 'person', where: [{ key: 'iban', type: 'TEXT', op: 'eq', value: 'DE02', orMissing: true }] },
    ],
  })
})

const choices = (row: ReturnType<typeof part>) =>
  within(row.getByLabelText('Comparison'))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)

test('a condition on a consent tests its current status, or when it ends', async () => {
  const { user } = await open()
  await user.type(screen.getByLabelText('Name'), 'Ending soon')
  const row = await addTestOf(user, 'newsletter', 'Person › Newsletter')
  await user.selectOptions(row.getByLabelText('Data type'), 'Preference')
  expect(row.getByLabelText('Comparison')).toHaveDisplayValue('is granted')
  expect(choices(row)).toEqual([
    'is granted',
    'is not granted',
    'has expired',
    'expires in the next',
    'status: Granted',
    'status: Denied',
    'status: Revoked',
    'is any of',
    'has a value',
    'has no value',
  ])
  expect(sentence('Users whose newsletter is granted.')).toBeVisible()
  await user.selectOptions(row.getByLabelText('Comparison'), 'is not granted')
  await user.click(row.getByRole('checkbox', { name: 'or has no value' }))
  expect(sentence('Users who have a person (newsletter is not granted or has no value).')).toBeVisible()
  await user.selectOptions(row.getByLabelText('Comparison'), 'expires in the next')
  await user.type(row.getByLabelText('Value'), '30{Enter}')
  expect(
    sentence(
      'Users who have a person (newsletter expires in the next 30 days or has no value). Days in UTC.',
    ),
  ).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Create segment' }))
  await screen.findByRole('heading', { level: 1, name: 'Ending soon' })
  const { body }: { body: Segment[] } = await service.call('admin', 'GET', '/segments')
  const [all] = body.map(({ filter }) => filter)
  const test = { key: 'newsletter', type: 'PREFERENCE', op: 'expires_within', value: 'P30D', orMissing: true }
  expect(all).toEqual({ all: [{ entity: 'person', where: [test] }] })
})

test('a service that does not know these tests is not asked for them', async () => {
  const { 'filter.consents': _, ...features } = service.features
  const { user } = await open(undefined, features)
  const row = await addTestOf(user, 'newsletter', 'Person › Newsletter')
  await user.selectOptions(row.getByLabelText('Data type'), 'Preference')
  const offered = choices(row)
  expect(offered).toContain('is any of')
  expect(offered).not.toContain('is granted')
})

test('a person without the scope for sensitive values is told what that means here', async () => {
  await createPerson()
  const { user } = await open(['segments:read', 'segments:write', 'entities:read', 'users:read'])
  const row = await addTestOf(user, 'iban', 'Person › IBAN')
  expect(
    await row.findByText(/Your role can’t see sensitive values\. Filtering by a sensitive property needs/),
  ).toBeVisible()
})
