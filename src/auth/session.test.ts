import { describe, expect, test } from 'vitest'

import { personOf } from './session.ts'

describe('who is signed in', () => {
  test('a known role brings its scopes', () => {
    const person = personOf({ sub: '1', name: 'Ana', role: 'support' }, 'role')
    expect(person).toMatchObject({ subject: '1', name: 'Ana', role: 'support' })
    expect(person.scopes?.has('users:write')).toBe(true)
    expect(person.scopes?.has('entities:write')).toBe(false)
  })

  test('several roles bring the scopes of all', () => {
    const { scopes } = personOf({ sub: '1', groups: ['staff', 'support', 'integrator'] }, 'groups')
    expect(scopes?.has('webhooks:manage') && scopes.has('users:write')).toBe(true)
  })

  test('an unknown role hides nothing: the service decides', () => {
    expect(personOf({ sub: '1', role: 'viewer' }, 'role')).toMatchObject({
      role: undefined,
      scopes: undefined,
    })
  })
})
