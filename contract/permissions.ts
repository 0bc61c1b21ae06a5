/** The scopes of the API (contract heading "Who may do what"). */
export const scopes = [
  'users:read',
  'users:write',
  'entities:read',
  'entities:write',
  'sensitive:read',
  'sensitive:write',
  'segments:read',
  'segments:write',
  'events:read',
  'webhooks:manage',
] as const

export type Scope = (typeof scopes)[number]

const supportScopes = [
  'users:read',
  'users:write',
  'entities:read',
  'segments:read',
  'events:read',
] as const satisfies Scope[]

/** What each role may do. A token's role claim names one or several of these. */
export const roleScopes = {
  support: supportScopes,
  steward: [...supportScopes, 'entities:write', 'sensitive:read', 'sensitive:write'],
  integrator: ['events:read', 'webhooks:manage'],
  admin: scopes,
} as const satisfies Record<string, readonly Scope[]>

export type Role = keyof typeof roleScopes

export const roles = Object.keys(roleScopes) as readonly Role[]

export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(roleScopes, value)
}

/** The scopes of a role claim: one role, several, or (for an unknown claim) none. */
export function scopesOfRoles(claim: unknown): ReadonlySet<Scope> {
  const names = Array.isArray(claim) ? claim : [claim]
  return new Set(names.filter(isRole).flatMap((role): readonly Scope[] => roleScopes[role]))
}
