import { describe, expect, test } from 'vitest'

import { personOf } from './session.ts'

describe('the signed-in person', () => {
  test('a known role brings its scopes', () => {
    const person = personOf({ claims: { sub: '1', name: 'Ana', role: 'support' } }, { roleClaim: 'role' })
    expect(person).toMatchObject({ subject: '1', name: 'Ana', role: 'support' })
    expect(person.scopes?.has('users:write')).toBe(true)
    expect(person.scopes?.has('entities:write')).toBe(false)
  })

  test('several roles bring the scopes of all', () => {
    const claims = { sub: '1', groups: ['staff', 'support', 'integrator'] }
    const { scopes } = personOf({ claims }, { roleClaim: 'groups' })
    expect(scopes?.has('webhooks:manage') && scopes.has('users:write')).toBe(true)
  })

  test('an unknown role hides nothing: the service decides', () => {
    expect(personOf({ claims: { sub: '1', role: 'viewer' } }, { roleClaim: 'role' })).toMatchObject({
      role: undefined,
      scopes: undefined,
    })
  })

  test('granted scopes narrow a role, and suffice without one', () => {
    const listAllowed = (claims: object, scope: string) => [
      ...(personOf({ claims: { sub: '1', ...claims }, scope }, { roleClaim: 'role' }).scopes ?? []),
    ]
    expect(listAllowed({ role: 'steward' }, 'openid users:read webhooks:manage')).toEqual(['users:read'])
    expect(listAllowed({}, 'openid users:read segments:read')).toEqual(['users:read', 'segments:read'])
    expect(listAllowed({ role: 'integrator' }, 'openid profile')).toEqual(['events:read', 'webhooks:manage'])
  })

  test('a role lies within claims, under the provider’s own name for it', () => {
    const claims = { sub: '1', realm_access: { roles: ['admin', 'ds-help'] } }
    const rules = { roleClaim: 'realm_access.roles', roleMap: { 'ds-help': 'support' } } as const
    expect(personOf({ claims }, rules).role).toBe('support')
  })
})
