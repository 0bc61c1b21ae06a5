import { type Feature, isFullService } from '#contract/feature.ts'
import type { WriteName } from '#contract/index.ts'

/** Source of access tokens. Without a session only public operations work. */
export interface TokenSource {
  /** Returns the token to send now. Renews it first if it is about to expire. */
  token(): Promise<string>
  /** Returns a token other than the one refused with a 401, or rejects. Concurrent calls share one renewal. */
  tokenAfter(refused: string): Promise<string>
}

/** Additions of a service to the API document, each with its version. */
export type Features = Readonly<Record<string, number>>

export interface Connection {
  /** {base_url}, absolute, without a trailing slash. */
  readonly apiUrl: string
  readonly tokens: TokenSource
  readonly features: Features
  readonly fetch?: typeof fetch
  /** Called after each write that has been done, or may have been, with the ids in its path. */
  readonly onWrite?: (name: WriteName, ids: Readonly<Record<string, string>>) => void
}

let connection: Connection | undefined
let isConnectedToFull = false

/** Reason for which the service refuses everything: the claim that should name a role, and its content. */
export interface NoRole {
  readonly claim: string
  readonly holds?: string | undefined
}

let noRole: NoRole | undefined
/** Whether the service has answered a request that needs a scope, which proves that the caller has a role. */
let isLetIn = false
const noRoleListeners = new Set<() => void>()

/** Sets the connection. Called once, before the first page. */
export function connect(next: Connection): void {
  connection = next
  isConnectedToFull = isFullService(next.features)
  isLetIn = false
  noRole = undefined
}

/**
 * Records that the service refused the caller for having no role. Does nothing after a first success: if the role is
 * withdrawn later, the page stays, and each part of it shows its own refusal.
 */
export function noteNoRole(used: Connection, answer: NoRole): void {
  if (used !== connection || isLetIn || noRole) return
  noRole = answer
  for (const listener of noRoleListeners) listener()
}

export function noteLetIn(used: Connection): void {
  if (used !== connection) return
  isLetIn = true
  if (!noRole) return
  noRole = undefined
  for (const listener of noRoleListeners) listener()
}

/** Whether the service has answered a request of this connection that needs a scope. */
export const hasBeenLetIn = () => isLetIn

export const readNoRole = () => noRole

export function watchNoRole(listener: () => void): () => void {
  noRoleListeners.add(listener)
  return () => noRoleListeners.delete(listener)
}

export function getConnection(): Connection {
  if (!connection) throw new Error('The API is used before connect().')
  return connection
}

/**
 * Whether the service has all that this release adds to the API document. Otherwise it is treated as a service without
 * additions, apart from `masksOnRequest` and `isReasonRequired`: no one tests other combinations of releases.
 */
export function isFull(): boolean {
  return isConnectedToFull
}

/** Whether the service has some but not all of the additions that this release knows, as an older release has. */
export function isOlderRelease(): boolean {
  return !isConnectedToFull && Object.keys(connection?.features ?? {}).length > 0
}

/** Whether the service, even an older release, masks sensitive values if the request asks for it. */
export function masksOnRequest(): boolean {
  return announces('sensitive.masked')
}

/** Whether the service, even an older release, refuses changes without a reason. */
export function isReasonRequired(): boolean {
  return announces('changes.reason.required')
}

/** Whether a full service is configured to show a sensitive value only by revealing it. */
export function isRevealOnly(): boolean {
  return isConnectedToFull && announces('sensitive.reveal.only')
}

/** Whether a full service can tell by e-mail or ref whether somebody was deleted. */
export function tellsErased(): boolean {
  return isConnectedToFull && announces('erasures.check')
}

const announces = (feature: Feature) => connection?.features[feature] === 1

/** {base_url} of the service, for documents that name their source. */
export function serviceUrl(): string {
  return connection?.apiUrl ?? ''
}

/** Options of every request to the service. */
export const requestOptions = {
  cache: 'no-store',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
} as const

/** Returns the query of a URL, with its `?`. Empty values are left out. */
export function queryString(values: Readonly<Record<string, string | null | undefined>>): string {
  const present = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`
}

const capabilitiesTimeoutMs = 3000

/** Reads the service's additions to the API document. Any failure means that there are none. */
export async function readFeatures(apiUrl: string, fetcher: typeof fetch = fetch): Promise<Features> {
  try {
    const response = await fetcher(`${apiUrl}/capabilities`, {
      ...requestOptions,
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(capabilitiesTimeoutMs),
    })
    const { features } = response.ok ? ((await response.json()) as { features?: unknown }) : {}
    return features !== null && typeof features === 'object' ? (features as Features) : {}
  } catch {
    return {}
  }
}
