import { createHash } from 'node:crypto'

import { type Role, type RoleRules, rolesOf } from '#contract/index.ts'
import { Refusal } from '../errors/problem.ts'
import { askIssuer, discard, faultOfIssuer, readIssuerJson } from './issuer-answer.ts'

/** Returns the roles that the issuer's userinfo endpoint names for a caller; undefined without claims of the caller. */
export type UserInfo = (token: string, subject: string) => Promise<readonly Role[] | undefined>

const timeoutMs = 5000
/** Age at which roles are requested again: a role that the issuer has withdrawn may be used this long. */
const userInfoFreshMs = 5 * 60_000
/** Time for which the last answer is trusted while the issuer is unavailable, as for its keys. */
const longestMs = 60 * 60_000
/** Pause after a failure before the issuer is asked about this token again. */
const failureMs = 5000
/** Maximum number of tokens with cached answers; the least recently used one is evicted. */
const maxKept = 10_000
/** Maximum size of an answer; a longer one is rejected. */
const maxBytes = 65_536

/** Roles that the issuer returned for one token. Its other claims about the person are not kept. */
interface UserInfoEntry {
  roles: readonly Role[] | undefined
  /** Time of the last answer, and of the last failed request. */
  atMs: number
  failedMs: number
  /** Fault of the last failed request. */
  fault: string
  /** Resolves when the pending request has succeeded or failed. */
  asking: Promise<void> | undefined
}

/**
 * Creates a lookup at the issuer's userinfo endpoint (OpenID Connect Core, 5.3) with the caller's own token. Runs one
 * request at a time for each token, and repeats it after some minutes.
 *
 * @param metadata Returns the issuer's discovery document, which is loaded by then: verifying the token needed the
 * issuer's keys.
 */
export function userInfoOf(
  { issuer, ...rules }: RoleRules & { readonly issuer: string },
  metadata: () => Readonly<Record<string, unknown>> | undefined,
): UserInfo {
  const kept = new Map<string, UserInfoEntry>()
  return async (token, subject) => {
    const url = metadata()?.['userinfo_endpoint']
    // A token sent over http can be intercepted, so that happens only if the issuer itself is configured with http.
    if (typeof url !== 'string' || !(url.startsWith('https:') || issuer.startsWith('http:'))) return undefined
    const digest = createHash('sha256').update(token).digest('base64')
    const known = kept.get(digest)
    if (!known) forgetOld(kept)
    const entry = known ?? {
      roles: undefined,
      atMs: -Infinity,
      failedMs: -Infinity,
      fault: '',
      asking: undefined,
    }
    kept.delete(digest)
    kept.set(digest, entry)
    await refresh(entry, async () => {
      const claims = await fetchUserInfo(url, token)
      return claims?.['sub'] === subject ? [...new Set(rolesOf(claims, rules))] : undefined
    })
    if (Date.now() - entry.atMs >= longestMs) throw noAnswer(entry.fault)
    return entry.roles
  }
}

/** Makes room for one more entry: evicts the least recently used ones first. */
function forgetOld(kept: Map<string, UserInfoEntry>): void {
  for (const [digest, { atMs, failedMs, asking }] of kept) {
    const isOld = !asking && Date.now() - Math.max(atMs, failedMs) >= longestMs
    if (!isOld && kept.size < maxKept) return
    kept.delete(digest)
  }
}

/**
 * Waits for a new answer if one is due, unless the issuer is known to be failing and the last answer is still trusted.
 */
async function refresh(entry: UserInfoEntry, ask: () => Promise<UserInfoEntry['roles']>): Promise<void> {
  const age = Date.now() - entry.atMs
  if (age < userInfoFreshMs) return
  const isInTrouble = entry.failedMs > entry.atMs
  if (Date.now() - entry.failedMs >= failureMs) entry.asking ??= refreshEntry(entry, ask)
  if (!isInTrouble || age >= longestMs) await entry.asking
}

async function refreshEntry(entry: UserInfoEntry, ask: () => Promise<UserInfoEntry['roles']>): Promise<void> {
  try {
    entry.roles = await ask()
    entry.atMs = Date.now()
  } catch (error) {
    entry.failedMs = Date.now()
    entry.fault = faultOfIssuer(error)
  } finally {
    entry.asking = undefined
  }
}

/** Requests the claims; rejects if the request fails. */
async function fetchUserInfo(
  url: string,
  token: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const response = await askIssuer(url, {
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 401 && response.status !== 403)
    return asObject(await readIssuerJson(response, maxBytes))
  // The issuer does not know the token, or returns nothing for it, which is not a fault.
  await discard(response)
  return undefined
}

const asObject = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined

function noAnswer(fault: string): Refusal {
  return new Refusal(
    'unavailable',
    'The service cannot ask the issuer of tokens for your roles right now. Nothing was changed; try again.',
    {
      headers: { 'retry-after': '5' },
      logged: `the userinfo endpoint of the issuer cannot be used: callers whose token names no role get 503: ${fault}`,
    },
  )
}
