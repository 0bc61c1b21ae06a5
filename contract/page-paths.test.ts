import { expect, test } from 'vitest'

import { findPage, pagePath, pages } from './page-paths.ts'

test('every page is found at its own address, also where another page has a parameter at the place of its word', () => {
  for (const [name, { path }] of Object.entries(pages)) {
    const address = path.replaceAll(/:(\w+)/g, 'the-$1')
    const params = Object.fromEntries(
      [...path.matchAll(/:(\w+)/g)].map(([, param = '']) => [param, `the-${param}`]),
    )
    expect(findPage(address)).toEqual({ name, params })
  }
})

test('no page is found at an address of none', () => {
  for (const address of [
    '',
    '/',
    '/nowhere',
    '/users/',
    '/users/1/nowhere',
    '/users/1/entities',
    '/users/1/activity/2',
  ])
    expect([address, findPage(address)]).toEqual([address, undefined])
})

test('an id is encoded in the address that it makes', () => {
  expect(pagePath('entity', { userId: 'a/b', entityId: '100%' })).toBe('/users/a%2Fb/entities/100%25')
})
