import type { Role, Scope } from '#contract/index.ts'
import { type RoleRules, rolesOf } from '#contract/permissions.ts'
import type { TokenSource } from '../api/connection.ts'
import { scopesOf } from './areas.ts'
import type { SignInError } from './sign-in-error.ts'
import type { Tokens } from './tokens.ts'

/** The signed-in person, as described by the provider. */
export interface Person {
  readonly subject: string
  readonly name: string | undefined
  readonly role: Role | undefined
  /** Scopes of the role, narrowed to the granted ones; undefined if neither is known: then the service decides. */
  readonly scopes: ReadonlySet<Scope> | undefined
}

export type SessionState =
  | { readonly status: 'active' }
  /** No activity for a while; the session locks at `lockAtMs` unless `stay` is called, here or in another tab. */
  | { readonly status: 'idle'; readonly lockAtMs: number }
  /** The page is still mounted, but gets no token until `renew` unlocks it. */
  | { readonly status: 'locked'; readonly reason: 'idle' | 'expired' }
  | { readonly status: 'signed-out' }

/** Result of signing in again. `blocked`: the browser allowed no popup; `signed-out`: another tab signed out. */
export type Renewal = 'renewed' | 'blocked' | 'signed-out' | SignInError

/** One person's session in one tab. While it is locked, requests for a token wait until it is renewed. */
export interface Session extends TokenSource {
  readonly person: () => Person
  readonly state: () => SessionState
  readonly subscribe: (listener: () => void) => () => void
  /** Dismisses the idle warning. */
  stay(): void
  /** Signs in again in a popup; must be called in a click handler. Another person's sign-in discards the page. */
  renew(): Promise<Renewal>
  /** Signs out in all tabs and at the provider. */
  signOut(): Promise<void>
}

export function personOf(tokens: Pick<Tokens, 'claims' | 'scope'>, rules: RoleRules): Person {
  const { claims } = tokens
  const name = [claims['name'], claims['preferred_username'], claims['email']].find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  return {
    subject: claims.sub,
    name,
    role: rolesOf(claims, rules)[0],
    scopes: scopesOf(tokens, rules),
  }
}

/** Returns a session that needs no provider, with a given token; for tests. */
export function fixedSession(
  person: Person,
  token: () => Promise<string>,
): Session & { become(state: SessionState): void } {
  let state: SessionState = { status: 'active' }
  const listeners = new Set<() => void>()
  return {
    become(next) {
      state = next
      for (const listener of listeners) listener()
    },
    person: () => person,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    token,
    tokenAfter: token,
    stay() {},
    renew: async () => 'renewed',
    signOut: async () => {},
  }
}
