import type { Feature } from '#contract/index.ts'

/** Where tokens come from. Without a session only public operations work. */
export interface TokenSource {
  /** The token to send now; renewed first where it is about to expire. */
  token(): Promise<string>
  /** After a 401: another token than the one that was refused, or a failure. Runs once however many ask. */
  tokenAfter(refused: string): Promise<string>
}

/** What a service offers beyond the API document, and in which version. */
export type Features = Readonly<Record<string, number>>

export interface Connection {
  /** {base_url}, absolute, without a trailing slash. */
  readonly apiUrl: string
  readonly tokens: TokenSource
  /** What the service offers beyond the API document: what `readFeatures` found. */
  readonly features: Features
  readonly fetch?: typeof fetch
}

let connection: Connection | undefined

/** Why the service lets somebody do nothing at all: the claim that should name a role, and what it holds instead. */
export interface NoRole {
  readonly claim: string
  readonly holds?: string | undefined
}

let noRole: NoRole | undefined
/** Whether the service has answered anything that needs a scope. */
let isLetIn = false
const listeners = new Set<() => void>()

/** Once, before the first page: which service, on whose behalf. */
export function connect(next: Connection): void {
  connection = next
  isLetIn = false
  noRole = undefined
}

/** As the service refused it. A role that is withdrawn in the midst of work takes no page away: that tells it by itself. */
export function noteNoRole(asked: Connection, told: NoRole): void {
  if (asked !== connection || isLetIn || noRole) return
  noRole = told
  for (const listener of listeners) listener()
}

export function noteLetIn(asked: Connection): void {
  if (asked !== connection) return
  isLetIn = true
  if (!noRole) return
  noRole = undefined
  for (const listener of listeners) listener()
}

export const readNoRole = () => noRole

export function watchNoRole(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For what is read in another way than an operation's answer. */
export function connected(): Connection {
  if (!connection) throw new Error('The API is used before connect().')
  return connection
}

/** Whether the service said that it has an addition. Anything but its known version is none. */
export function offers(feature: Feature): boolean {
  return connection?.features[feature] === 1
}

/** {base_url} of the service, for documents that say where they come from. */
export function serviceUrl(): string {
  return connection?.apiUrl ?? ''
}

const capabilitiesTimeoutMs = 3000

/** What the service offers beyond the API document. Whatever goes wrong means: nothing beyond it. */
export async function readFeatures(apiUrl: string, fetcher: typeof fetch = fetch): Promise<Features> {
  try {
    const response = await fetcher(`${apiUrl}/capabilities`, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(capabilitiesTimeoutMs),
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
    const { features } = response.ok ? ((await response.json()) as { features?: unknown }) : {}
    return features !== null && typeof features === 'object' ? (features as Features) : {}
  } catch {
    return {}
  }
}
