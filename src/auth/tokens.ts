/** Result of a sign-in or a renewal: plain data, which a tab can keep and hand to another. */
export interface Tokens {
  readonly access: string
  readonly refresh?: string | undefined
  readonly id?: string | undefined
  /** When the access token ends; absent where the provider does not say. */
  readonly expiresAtMs?: number | undefined
  /** When the person proved who he is; the time of the sign-in where the provider does not say. */
  readonly provenAtMs: number
  /** Claims of the ID token. */
  readonly claims: Claims
  /** Granted scopes; the requested ones where the provider does not say (RFC 6749, section 5.1). */
  readonly scope?: string | undefined
  /** The provider's own word for its session (OpenID Connect Session Management). */
  readonly sessionState?: string | undefined
}

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** A session lasts this long after the person proved who he is, however active. */
export const maxSessionMs = 8 * 3_600_000

/** One sign-in, in all tabs of the browser. */
export interface RunningSession {
  /** Random. */
  readonly id: string
  /** How often its tokens were renewed: the set with the higher number is the valid one. */
  readonly renewals: number
  /** The provider and the client that it is of: a console with other settings has no use for it. */
  readonly client: string
  readonly tokens: Tokens
}

/** The provider renews these tokens no more; anything else that a renewal meets may pass. */
export class RenewalRefused extends Error {
  override readonly name = 'RenewalRefused'
}

/** Renewed this long before it ends, so that no request leaves with a token that dies on the way. */
export const marginMs = 30_000

export function endsInMs({ tokens }: RunningSession): number {
  return (tokens.expiresAtMs ?? Infinity) - Date.now()
}

export const isFresh = (session: RunningSession) => endsInMs(session) > marginMs
