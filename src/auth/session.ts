import type { Role, Scope } from '#contract/index.ts'
import { isRole } from '#contract/index.ts'

import type { TokenSource } from '../api/connection.ts'
import { scopesOfClaim } from './areas.ts'

/** Who is signed in, as far as the provider says. */
export interface Person {
  readonly subject: string
  readonly name: string | undefined
  readonly role: Role | undefined
  /** What the role includes; `undefined` where the role is unknown: everything is offered, the service decides. */
  readonly scopes: ReadonlySet<Scope> | undefined
}

export type SessionState =
  | { readonly status: 'active' }
  /** No sign of life for a while; locks at that time unless `stay` is called. */
  | { readonly status: 'idle'; readonly lockAtMs: number }
  /** Tokens are gone, the page is still mounted: `renew` brings it back. */
  | { readonly status: 'locked'; readonly reason: 'idle' | 'expired' }
  | { readonly status: 'signed-out' }

/** One person's session in one tab. What asks for a token while it is locked waits until it is renewed. */
export interface Session extends TokenSource {
  readonly person: () => Person
  readonly state: () => SessionState
  readonly subscribe: (listener: () => void) => () => void
  /** Answers the idle warning. */
  stay(): void
  /**
   * Signs in again in a popup, over the mounted page; to be called from a click. `blocked`: the browser did not
   * allow a popup. Somebody else signing in discards the page.
   */
  renew(): Promise<'renewed' | 'blocked' | 'failed'>
  /** In all tabs, and at the provider. */
  signOut(): Promise<void>
}

export function personOf(claims: Readonly<Record<string, unknown>>, roleClaim: string): Person {
  const claim = claims[roleClaim]
  const role = [claim].flat().find(isRole)
  const name = [claims['name'], claims['preferred_username'], claims['email']].find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  return {
    subject: String(claims['sub']),
    name,
    role,
    scopes: scopesOfClaim(claim),
  }
}

/** A session that needs no provider: a token from elsewhere, for tests. */
export function fixedSession(person: Person, token: () => Promise<string>): Session {
  const active: SessionState = { status: 'active' }
  return {
    person: () => person,
    state: () => active,
    subscribe: () => () => {},
    token,
    tokenAfter: token,
    stay() {},
    renew: async () => 'renewed',
    signOut: async () => {},
  }
}
