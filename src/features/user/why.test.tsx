import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Filter, PropertyTest, Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { clearToasts } from '../../ui/toast.tsx'

const service = testService({ additions: 'all' })
let ana: string

async function create(path: string, body: unknown): Promise<string> {
  const { headers, status } = await service.call('admin', 'POST', path, body)
  expect(status).toBe(201)
  return headers.get('location')?.split('/').at(-1) ?? ''
}
const segment = (name: string, filter: Filter, tz?: string) =>
  create('/segments', { name, filter, ...(tz && { tz }) })
const entity = (type: string, values: Record<string, string | number>, sensitive = false) =>
  create(`/users/${ana}/entities`, {
    type,
    properties: Object.entries(values).map(([key, value]) => ({
      key,
      type: typeof value === 'number' ? 'NUMBER' : 'TEXT',
      value,
      sensitive,
    })),
  })
const brand: PropertyTest = { key: 'brand', type: 'TEXT', op: 'eq', value: 'volvo' }
const recent: PropertyTest = { key: 'year', type: 'NUMBER', op: 'gte', value: 2020 }

/** Opens Ana's segments and explains why she is or is not in the named one. */
async function explain(name: string, isMember: boolean, role: Role = 'steward') {
  const edge = network(service)
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path: `/users/${ana}/segments`, role })
  const label = `${isMember ? 'Why' : 'Why not'}: ${name}`
  await app.user.click(await screen.findByRole('button', { name: label }))
  await screen.findByText('Checked')
  return { ...app, edge, button: screen.getByRole('button', { name: label }) }
}

/** Row of the condition, with its mark and the value found. */
const lineOf = (needed: Element) => needed.closest('[data-decisive]')
const line = (needed: string) => lineOf(screen.getByText(needed))
const lines = (needed: string) => screen.getAllByText(needed).map((each) => lineOf(each)?.textContent)

beforeEach(async () => {
  clearToasts()
  await service.reset()
  ana = await create('/users', { name: 'Ana', email: 'ana@example.org' })
})

describe('why a user is in a segment, or is not', () => {
  test('a condition and the value found for it are said in the words of the property’s choices', async () => {
    const choices = [{ value: 'de', label: { en: 'German' } }]
    expect((await service.call('admin', 'PUT', '/definitions/person/language', { choices })).status).toBe(204)
    await entity('person', { language: 'de' })
    const language: PropertyTest = { key: 'language', type: 'TEXT', op: 'eq', value: 'de' }
    await segment('Germans', { entity: 'person', where: [language] })
    await explain('Germans', true)
    expect(line('Language is “German”')).toHaveTextContent('Met:Language is “German”Found: German')
    expect(screen.getByRole('link', { name: 'Person · German' })).toBeVisible()
  })

  test('each condition shows what was found, and the decisive ones are highlighted', async () => {
    await segment('Campaign', {
      all: [
        { user: 'name', op: 'starts_with', value: 'an' },
        {
          any: [
            { user: 'ref', op: 'exists' },
            { user: 'account', op: 'eq', value: true },
          ],
        },
      ],
    })
    const { button, router, user } = await explain('Campaign', false)
    expect(line('All of these: 1 of 2 met')).toHaveTextContent(/^Not met:/)
    expect(line('Name starts with “an”')).toHaveTextContent('Met:Name starts with “an”Found: Ana')
    expect(line('Any of these: 0 of 2 met')).toHaveTextContent(/^Not met:/)
    expect(line('Ref has a value')).toHaveTextContent(/^Not met:.*Found: no value$/)
    expect(line('Has an account')).toHaveTextContent(/^Not met:.*Found: no$/)
    expect(line('Name starts with “an”')).toHaveAttribute('data-decisive', 'false')
    expect(line('Has an account')).toHaveAttribute('data-decisive', 'true')

    expect(button).toHaveAttribute('aria-expanded', 'true')
    await waitFor(() => expect(router.state.location.search).toMatch(/^\?why=[\w-]+$/))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByText('Has an account')).toBeNull())
    expect(button).toHaveFocus()
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })

  test('the entities closest to a match come first, each with its tests', async () => {
    await entity('car', { brand: 'Fiat', year: 1999 })
    await entity('car', { brand: 'Opel', year: 2001 })
    await entity('car', { brand: 'Seat' })
    await entity('car', { brand: 'Lada' })
    const near = await entity('car', { brand: 'Volvo', year: 2018 })
    await segment('Recent Volvo', { entity: 'car', where: [brand, recent] })
    const { user } = await explain('Recent Volvo', false)
    expect(line('Has a car where…')).toHaveTextContent('Found: 5 cars, none matching')
    const [first, ...others] = screen.getAllByRole('link', { name: /^Car · / })
    expect(first).toHaveTextContent('Car · Volvo · 2018')
    expect(first).toHaveAttribute('href', `/users/${ana}/entities/${near}`)
    expect(first?.parentElement).toHaveTextContent('1 of 2 met')
    expect(others).toHaveLength(2)
    expect(lines('Year is at least 2020')[0]).toBe('Not met:Year is at least 2020Found: 2018')
    await user.click(screen.getByRole('button', { name: 'Show all 5 cars' }))
    expect(screen.getAllByRole('link', { name: /^Car · / })).toHaveLength(5)
    expect(lines('Year is at least 2020')).toContain('Not met:Year is at least 2020Found: no value')
  })

  test('an entity that is not there is said with what was asked of it', async () => {
    await segment('Boats', {
      entity: 'boat',
      min: 2,
      where: [{ key: 'length', type: 'NUMBER', op: 'gt', value: 6 }],
    })
    await explain('Boats', false)
    expect(line('Has 2 or more boats where…')).toHaveTextContent('Found: no boats')
    expect(screen.getByText('Length is more than 6')).toBeVisible()
  })

  test('a value of another type than the condition needs is distinguished from none', async () => {
    await entity('car', { year: '2021' })
    await segment('New cars', { entity: 'car', where: [recent] })
    await explain('New cars', false)
    expect(line('Year is at least 2020')).toHaveTextContent(
      'Found: a value of type “Text”, but the condition needs “Number”',
    )
  })

  test('a sensitive value is not shown, nor what it is compared with', async () => {
    await entity('person', { iban: 'CANARY-1' }, true)
    await segment('Account', {
      entity: 'person',
      where: [{ key: 'iban', type: 'TEXT', op: 'eq', value: 'CANARY-1' }],
    })
    await explain('Account', true)
    expect(line('IBAN is a hidden value')).toHaveTextContent('Met:IBAN is a hidden valueSensitive Hidden')
    expect(document.body).not.toHaveTextContent('CANARY')
  })

  test('a negated condition on another segment is explained, and that segment can be opened', async () => {
    await entity('car', { brand: 'Volvo' })
    const volvo = await segment('Volvo', { entity: 'car', where: [brand] })
    await segment('Others', { not: { segment: volvo } })
    const { user } = await explain('Others', false)
    expect(line('Must not apply, but does')).toHaveTextContent(/^Not met:/)
    const used = screen.getByText('In the segment', { exact: false, selector: 'span' })
    expect(used.parentElement).toHaveTextContent('Met:In the segment Volvo')
    expect(within(used).getByRole('link', { name: 'Volvo' })).toHaveAttribute('href', `/segments/${volvo}`)
    expect(screen.getByText('Brand is “volvo”')).not.toBeVisible()
    await user.click(screen.getByText('Why: Volvo', { selector: 'summary' }))
    expect(screen.getByText('Brand is “volvo”')).toBeVisible()
    expect(line('Brand is “volvo”')).toHaveTextContent('Found: Volvo')
  })

  test('days are counted in the zone of the segment', async () => {
    await segment('New', { user: 'since', op: 'within_last', value: 'P30D' }, 'Europe/Paris')
    await explain('New', true)
    expect(line('Since is within the last 30 days')).toHaveTextContent(/Found: \w+ \d+, 20\d\d, \d\d:\d\d$/)
    expect(screen.getByText('Days in Europe/Paris.')).toBeVisible()
  })

  test('a membership that has changed since the list was read is reported, and nothing moves', async () => {
    await segment('With a ref', { user: 'ref', op: 'exists' })
    const { user } = renderApp({ service, path: `/users/${ana}/segments` })
    const button = await screen.findByRole('button', { name: 'Why not: With a ref' })
    await service.call('admin', 'PATCH', `/users/${ana}`, { ref: 'R-1' })
    await user.click(button)
    expect(
      await screen.findByText(/has changed since the list was loaded: the user is now in the segment/),
    ).toBeVisible()
    expect(line('Ref has a value')).toHaveTextContent('Met:Ref has a valueFound: R-1')
    expect(button).toHaveFocus()
  })

  test('a failure is said, and tried again', async () => {
    const id = await segment('With a ref', { user: 'ref', op: 'exists' })
    const edge = network(service)
    edge.meet(({ url }) =>
      url.includes('explain') ? Response.json({ detail: 'Broken.' }, { status: 500 }) : undefined,
    )
    const { user } = renderApp({
      service: { ...service, fetch: edge.fetch },
      path: `/users/${ana}/segments?why=${id}`,
    })
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Couldn’t load the explanation')
    edge.meet(() => undefined)
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Ref has a value')).toBeVisible()
  })
})
