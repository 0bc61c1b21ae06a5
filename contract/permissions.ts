/** Scopes of the API (section "Who may do what" of the API document). */
export const scopes = [
  'users:read',
  'users:write',
  'users:delete',
  'entities:read',
  'entities:write',
  'sensitive:read',
  'sensitive:write',
  'segments:read',
  'segments:write',
  'definitions:write',
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

/** Scopes of each role. The role claim of a token names one or more roles. */
export const roleScopes = {
  support: supportScopes,
  steward: [
    ...supportScopes,
    'users:delete',
    'entities:write',
    'sensitive:read',
    'sensitive:write',
    'definitions:write',
  ],
  integrator: ['events:read', 'webhooks:manage'],
  admin: scopes,
} as const satisfies Record<string, readonly Scope[]>

export type Role = keyof typeof roleScopes

export const roles = Object.keys(roleScopes) as readonly Role[]

export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(roleScopes, value)
}

/** Returns the union of the scopes of these roles. */
export function scopesOfRoles(granted: readonly Role[]): ReadonlySet<Scope> {
  return new Set(granted.flatMap((role): readonly Scope[] => roleScopes[role]))
}

/** Location of the roles in a token's claims, and the identity provider's names for them. */
export interface RoleRules {
  /**
   * Name of the role claim, or a path through nested claims: `realm_access.roles`, or the JSON pointer
   * `/realm_access/roles` (RFC 6901).
   */
  readonly roleClaim: string
  /** Maps the identity provider's names to roles. If given, only these names count as roles. */
  readonly roleMap?: Readonly<Record<string, Role>> | undefined
}

export function rolesOf(
  claims: Readonly<Record<string, unknown>>,
  { roleClaim, roleMap }: RoleRules,
): readonly Role[] {
  const names = namesIn(claimAt(claims, roleClaim))
  if (roleMap === undefined) return names.filter(isRole)
  return names.flatMap((name) => (Object.hasOwn(roleMap, name) ? (roleMap[name] ?? []) : []))
}

/**
 * Returns the names that may be roles: a string, the strings of a list, or the keys of an object. The values of the
 * object are `true` or, as in Zitadel, the organisations that grant the role; without one, the role is not granted.
 */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [value].flat().filter((name) => typeof name === 'string')
  return Object.entries(value).flatMap(([name, given]: [string, unknown]) => (isGiven(given) ? [name] : []))
}

const isGiven = (value: unknown) =>
  value === true || (typeof value === 'object' && value !== null && Object.keys(value).length > 0)

/**
 * Returns the claim at a path. A claim whose name equals the whole path takes precedence, because claim names that are
 * URLs contain dots.
 */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let within: unknown = claims
  for (const name of splitPath(path)) {
    if (typeof within !== 'object' || within === null || !Object.hasOwn(within, name)) return undefined
    within = Reflect.get(within, name)
  }
  return within
}

const splitPath = (path: string) =>
  path.startsWith('/')
    ? path
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : path.split('.')

/**
 * Returns the known scopes in the claims `scope` (RFC 6749: a string) and `scp` (Entra: a string, Okta: a list);
 * unknown ones are ignored.
 */
export function scopesNamed(...claims: readonly unknown[]): ReadonlySet<Scope> {
  const words = new Set(claims.flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : [])))
  return new Set(scopes.filter((scope) => words.has(scope)))
}

/**
 * Returns the caller's scopes. Roles grant their scopes, and scopes named in the token narrow them, since a client may
 * request fewer scopes than the user has. Without a role, the named scopes count; `undefined` if there are neither.
 */
export function grantedScopes(
  granted: readonly Role[],
  named: ReadonlySet<Scope>,
): ReadonlySet<Scope> | undefined {
  if (granted.length === 0) return named.size > 0 ? named : undefined
  const ofRoles = scopesOfRoles(granted)
  return named.size > 0 ? new Set([...ofRoles].filter((scope) => named.has(scope))) : ofRoles
}
