import { createHash } from 'node:crypto'

import { type Role, type RoleRules, rolesOf } from '#contract/index.ts'
import { Refusal } from '../problem.ts'

/** The roles that the issuer tells of a caller beside the token; nothing where it says nothing of this one. */
export type UserInfo = (token: string, subject: string) => Promise<readonly Role[] | undefined>

const timeoutMs = 5000
/** Asked again after this long: so long a role may be used after the issuer has withdrawn it. */
const userInfoFreshMs = 5 * 60_000
/** While the issuer cannot be asked, what it told last is trusted for this long: as its keys are. */
const longestMs = 60 * 60_000
/** After a failure the issuer is not asked about this token again for so long. */
const failureMs = 5000
/** Tokens whose answers are kept: the one that was not seen for longest is forgotten. */
const maxKept = 10_000
/** An answer that is longer is none. */
const maxBytes = 65_536

/** Roles that the issuer returned for one token. Its other claims about the person are not kept. */
interface UserInfoEntry {
  roles: readonly Role[] | undefined
  /** When it told so, and when it was last asked in vain. */
  atMs: number
  failedMs: number
  /** Ends when it has answered, or has not. */
  asking: Promise<void> | undefined
}

/**
 * Asks the issuer's userinfo endpoint (OpenID Connect Core, 5.3), with the caller's own token: once at a time for each token,
 * and again after some minutes.
 *
 * @param metadata Returns the issuer's discovery document, which is there by then: verifying the token took the issuer's
 *   keys.
 */
export function userInfoOf(
  { issuer, ...rules }: RoleRules & { readonly issuer: string },
  metadata: () => Readonly<Record<string, unknown>> | undefined,
): UserInfo {
  const kept = new Map<string, UserInfoEntry>()
  return async (token, subject) => {
    const url = metadata()?.['userinfo_endpoint']
    // A token that goes over http may become anybody's; so it goes there only where the issuer itself is asked so.
    if (typeof url !== 'string' || !(url.startsWith('https:') || issuer.startsWith('http:'))) return undefined
    const digest = createHash('sha256').update(token).digest('base64')
    const known = kept.get(digest)
    if (!known) forgetOld(kept)
    const told = known ?? { roles: undefined, atMs: -Infinity, failedMs: -Infinity, asking: undefined }
    kept.delete(digest)
    kept.set(digest, told)
    await refresh(told, async () => {
      const claims = await fetchUserInfo(url, token)
      return claims?.['sub'] === subject ? [...new Set(rolesOf(claims, rules))] : undefined
    })
    if (Date.now() - told.atMs >= longestMs) throw noAnswer()
    return told.roles
  }
}

/** Makes room for one more: those that were not seen for longest come first. */
function forgetOld(kept: Map<string, UserInfoEntry>): void {
  for (const [digest, { atMs, failedMs, asking }] of kept) {
    const isOld = !asking && Date.now() - Math.max(atMs, failedMs) >= longestMs
    if (!isOld && kept.size < maxKept) return
    kept.delete(digest)
  }
}

/** Waits for a new answer where one is due, unless the issuer is known to be in trouble. */
async function refresh(told: UserInfoEntry, ask: () => Promise<UserInfoEntry['roles']>): Promise<void> {
  const age = Date.now() - told.atMs
  if (age < userInfoFreshMs) return
  const isInTrouble = told.failedMs > told.atMs
  if (Date.now() - told.failedMs >= failureMs) told.asking ??= tellAnew(told, ask)
  if (!isInTrouble || age >= longestMs) await told.asking
}

async function tellAnew(told: UserInfoEntry, ask: () => Promise<UserInfoEntry['roles']>): Promise<void> {
  try {
    told.roles = await ask()
    told.atMs = Date.now()
  } catch {
    told.failedMs = Date.now()
  } finally {
    told.asking = undefined
  }
}

/** Rejects where the issuer gives no answer. */
async function fetchUserInfo(
  url: string,
  token: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.ok) return asObject(JSON.parse(await textOf(response)))
  await response.body?.cancel()
  // The issuer does not know the token, or returns nothing for it: no fault.
  if (response.status === 401 || response.status === 403) return undefined
  throw new Error(`userinfo answers ${response.status}`)
}

/** Rejects where it is too long, and reads no more of it then. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`userinfo answers more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

const asObject = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined

function noAnswer(): Refusal {
  return new Refusal(
    'unavailable',
    'The service cannot ask the issuer of tokens for your roles right now. Nothing was changed; try again.',
    {
      headers: { 'retry-after': '5' },
      logged: 'the userinfo endpoint of the issuer cannot be used: callers whose token names no role get 503',
    },
  )
}
