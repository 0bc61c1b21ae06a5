import { isFullService } from '#contract/feature.ts'
import type { Scope } from '#contract/index.ts'
import { offersPage } from '#contract/page-paths.ts'
import { grantedScopes, type RoleRules, rolesOf, scopesNamed } from '#contract/permissions.ts'
import type { Features } from '../api/connection.ts'
import type { Tokens } from './tokens.ts'

export interface Area {
  /** First segment of the paths of its pages. Its first letter, after `g`, is the area's shortcut. */
  readonly path: 'home' | 'users' | 'segments' | 'events' | 'webhooks' | 'dictionary' | 'jobs' | 'audit'
  /** Scopes of the requests that the area's pages send; none if every caller may see part of it. */
  readonly scopes: readonly Scope[]
  /** Whether the navigation leaves the area out for a caller who may not open it, instead of saying why not. */
  readonly isHidden?: true
}

/** All areas of the console, in the order of the navigation. */
export const areas: readonly Area[] = [
  { path: 'home', scopes: [] },
  { path: 'users', scopes: ['users:read'] },
  { path: 'segments', scopes: ['segments:read'] },
  { path: 'events', scopes: ['events:read'] },
  { path: 'webhooks', scopes: ['webhooks:manage'] },
  { path: 'dictionary', scopes: ['entities:read'] },
  { path: 'jobs', scopes: ['users:read'], isHidden: true },
  { path: 'audit', scopes: ['sensitive:read'] },
]

export function areasOf(features: Features): readonly Area[] {
  const isFull = isFullService(features)
  return areas.filter(({ path }) => offersPage(path, isFull))
}

/**
 * Returns the scope that a page's area needs and the role lacks: the service would refuse all that the page asks.
 * Without any scope, as without a role, only the answer of the service tells why.
 */
export function scopeLacking(path: string, scopes: ReadonlySet<Scope> | undefined): Scope | undefined {
  if (!scopes || scopes.size === 0) return undefined
  const area = areas.find((each) => each.path === path.split('/')[1])
  return area?.scopes.find((scope) => !scopes.has(scope))
}

/**
 * Returns the scopes of the roles in the claims, narrowed by the granted ones, as the service reads its token; undefined
 * if neither is named.
 */
export function scopesOf(
  { claims, scope }: Pick<Tokens, 'claims' | 'scope'>,
  rules: RoleRules,
): ReadonlySet<Scope> | undefined {
  return grantedScopes(rolesOf(claims, rules), scopesNamed(scope))
}

/** Returns the first area that the caller may open, the destination of a sign-in that asked for no page. */
export function firstArea(
  scopes: ReadonlySet<Scope> | undefined,
  features: Features,
): Area['path'] | undefined {
  return areasOf(features).find((area) => !scopes || area.scopes.every((scope) => scopes.has(scope)))?.path
}
