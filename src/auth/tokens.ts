/** Result of a sign-in or a renewal: plain data, which a tab can store and pass to another. */
export interface Tokens {
  readonly access: string
  readonly refresh?: string | undefined
  readonly id?: string | undefined
  /** Time at which the access token expires; undefined if the provider does not say. */
  readonly expiresAtMs?: number | undefined
  /** Time from which they are renewed, ahead of their expiry. */
  readonly renewsAtMs?: number | undefined
  /** Time of the person's authentication; the time of the sign-in if the provider does not say. */
  readonly provenAtMs: number
  /** Claims of the ID token. */
  readonly claims: Claims
  /** Granted scopes; the requested ones if the provider does not say (RFC 6749, section 5.1). */
  readonly scope?: string | undefined
}

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** Maximum duration of a session from the person's authentication, regardless of activity. */
export const maxSessionMs = 8 * 3_600_000

/** One sign-in, in all tabs of the browser. */
export interface RunningSession {
  readonly id: string
  /** Number of renewals of its tokens: the set with the highest number is the valid one. */
  readonly renewals: number
  /** Provider and client of the session: a console with other settings cannot use it. */
  readonly client: string
  readonly tokens: Tokens
}

/** Error after which tokens cannot be renewed any more. Any other failure of a renewal may be temporary. */
export class RenewalRefused extends Error {
  override readonly name = 'RenewalRefused'
}

/** Tokens are renewed this long before they expire, so that none expires while a request is on its way. */
const marginMs = 30_000

/**
 * Returns the times of an access token that lasts so long. A short one is renewed after half its life: it would
 * otherwise count as expiring from the start, and be renewed for every request.
 */
export function timesOf(lastsMs: number): Pick<Tokens, 'expiresAtMs' | 'renewsAtMs'> {
  const expiresAtMs = Date.now() + lastsMs
  return { expiresAtMs, renewsAtMs: expiresAtMs - Math.min(marginMs, lastsMs / 2) }
}

export function endsInMs({ tokens }: RunningSession): number {
  return (tokens.expiresAtMs ?? Infinity) - Date.now()
}

export function renewsInMs({ tokens }: RunningSession): number {
  // Sessions that a tab of an older console has kept or handed over lack the time.
  return (tokens.renewsAtMs ?? (tokens.expiresAtMs ?? Infinity) - marginMs) - Date.now()
}

export const isFresh = (session: RunningSession) => renewsInMs(session) > 0
