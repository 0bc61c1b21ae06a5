import type { Feature, Scope } from '#contract/index.ts'
import { isRole, scopesOfRoles } from '#contract/permissions.ts'

import type { Features } from '../api/connection.ts'

export interface Area {
  /** The first part of the addresses of its pages. */
  readonly path: 'users' | 'segments' | 'events' | 'webhooks'
  /** What its pages ask the service for takes this scope. */
  readonly scope: Scope
  /** Without it the service has no such area. */
  readonly feature?: Feature
}

/** The areas of the console, in the order of the navigation. */
export const areas: readonly Area[] = [
  { path: 'users', scope: 'users:read' },
  { path: 'segments', scope: 'segments:read' },
  { path: 'events', scope: 'events:read' },
  { path: 'webhooks', scope: 'webhooks:manage', feature: 'webhooks' },
]

/** What the claim of a role allows; `undefined` where it names no role: everything is offered, the service decides. */
export function scopesOfClaim(claim: unknown): ReadonlySet<Scope> | undefined {
  return [claim].flat().some(isRole) ? scopesOfRoles(claim) : undefined
}

/** Where a person arrives who asked for no page in particular. */
export function firstArea(
  scopes: ReadonlySet<Scope> | undefined,
  features: Features,
): Area['path'] | undefined {
  return areas.find(
    ({ scope, feature }) =>
      (feature === undefined || features[feature] === 1) && (scopes === undefined || scopes.has(scope)),
  )?.path
}
