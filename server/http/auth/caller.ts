import { hash } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose'

import {
  grantedScopes,
  type Role,
  type RoleRules,
  rolesOf,
  type Scope,
  scopesNamed,
  scopesOfRoles,
} from '#contract/index.ts'
import { Refusal } from '../errors/problem.ts'
import type { TokenKeys } from './issuer-keys.ts'
import { type NoRole, noRoleIn, tellNoRole } from './no-role.ts'
import { faultOfKind } from './token-kind.ts'
import type { UserInfo } from './user-info.ts'

/** Caller of a request, with the properties that the service needs. */
export interface Caller {
  /** The token's `sub`. */
  readonly subject: string
  readonly scopes: ReadonlySet<Scope>
  /** Why the caller may do nothing: the token names no role or scope of this service. */
  readonly noRole?: NoRole
  /** Expiry of the token, in epoch milliseconds. */
  readonly expires: number
  /** Id of the job that acts in the caller's name; undefined for a request. */
  readonly job?: string
  /**
   * Counts the request once as one for sensitive values; throws a 429 beyond the limit. undefined without a request.
   */
  readonly countSensitive?: () => Promise<void>
}

export interface TokenRules extends RoleRules {
  readonly issuer: string
  readonly audience: string
  /** Role for a valid token that names no role or scope of this service; undefined: such a token grants nothing. */
  readonly defaultRole?: Role | undefined
  /** Maximum lifetime of a token; a longer-lived one is refused, because a leaked token must expire. */
  readonly tokenLifetimeHours: number
  /** Tolerated difference between the issuer's clock and the local one. */
  readonly clockToleranceS: number
}

/**
 * Asymmetric algorithms only: an HS256 token signed with a public key, or `none`, is refused before any key is used.
 */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** Maximum number of cached verified tokens: checking a signature takes 30 to 60 microseconds, a digest 2. */
const maxRememberedTokens = 10_000

/**
 * Creates the check of a request's Authorization header (RFC 6750, RFC 9068). Returns synchronously for a cached token
 * that is unexpired and was verified with the latest keys.
 *
 * @param userInfo Source of roles that a token does not name.
 */
export function bearerCheck(
  rules: TokenRules,
  keys: TokenKeys,
  userInfo?: UserInfo,
): (authorization: readonly string[]) => Caller | Promise<Caller> {
  const remembered = new Map<string, { readonly caller: Caller; readonly reading: number }>()

  async function verify(token: string, digest: string): Promise<Caller> {
    const unread = faultOfForm(token)
    if (unread !== undefined) throw notValid(unread)
    // Read before the verification, which may reload the keys.
    const { reading } = keys
    let verified: JWTVerifyResult
    try {
      verified = await jwtVerify(token, keys.find, {
        issuer: rules.issuer,
        audience: rules.audience,
        algorithms,
        clockTolerance: rules.clockToleranceS,
        requiredClaims: ['exp', 'sub'],
      })
    } catch (error) {
      throw refusalOf(error, rules)
    }
    const { payload, protectedHeader } = verified
    const fault = faultOfKind(protectedHeader, payload)
    if (fault !== undefined) throw notValid(fault)
    if (!isName(payload.sub)) throw notValid('its claim sub is no text that can be seen')
    if (lifetimeS(payload) > rules.tokenLifetimeHours * 3600 + rules.clockToleranceS)
      throw livesTooLong(rules)
    const named = scopesOf(payload, rules)
    const scopes = named ?? (await scopesFromUserInfo(token, payload))
    const caller = {
      subject: payload.sub,
      scopes,
      ...(!named &&
        scopes.size === 0 && { noRole: noRoleIn(payload, rules.roleClaim, userInfo !== undefined) }),
      expires: (payload.exp ?? 0) * 1000,
    }
    // `userInfo` caches the roles that it returns, and lets them expire.
    if (reading === undefined || (userInfo && named === undefined)) return caller
    if (remembered.size >= maxRememberedTokens) remembered.delete(remembered.keys().next().value ?? '')
    remembered.set(digest, { caller, reading })
    return caller
  }

  /** Returns the scopes of the roles from the userinfo endpoint, if one is configured, or of the default role. */
  async function scopesFromUserInfo(token: string, { sub = '' }: JWTPayload): Promise<ReadonlySet<Scope>> {
    const roles = await userInfo?.(token, sub)
    const granted = roles && grantedScopes(roles, new Set())
    return granted ?? scopesOfRoles(rules.defaultRole ? [rules.defaultRole] : [])
  }

  return (authorization) => {
    if (authorization.length === 0) throw unauthorized()
    if (authorization.length > 1) throw unauthorized('invalid_request', 'Send one Authorization header.')
    const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization[0] ?? '')?.[1]
    if (token === undefined)
      throw unauthorized('invalid_token', 'Send the header as: Authorization: Bearer <token>.')
    const digest = hash('sha256', token, 'base64')
    const known = remembered.get(digest)
    if (known && known.reading === keys.reading && known.caller.expires > Date.now()) return known.caller
    remembered.delete(digest)
    return verify(token, digest)
  }
}

export function requireScopes(caller: Caller, needed: readonly Scope[]): void {
  const missing = needed.filter((scope) => !caller.scopes.has(scope))
  if (missing.length > 0) throw insufficientScope(missing, caller.noRole)
}

/**
 * Returns the 403 of RFC 6750 section 3.1: the token is valid but lacks a scope, which the answer names. For a token
 * without any role, the answer also says why it has none.
 */
function insufficientScope(scopes: readonly Scope[], noRole?: NoRole): Refusal {
  const named = scopes.join(' ')
  const why = noRole ? ': it names no role' : ''
  return new Refusal(
    'insufficient_scope',
    `This needs the scope ${named}, which your token does not have${why}.`,
    {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${named}"` },
      members: { scope: named, ...(noRole && { noRole }) },
      ...(noRole && { logged: tellNoRole(noRole) }),
    },
  )
}

/**
 * Returns a token's lifetime from its issue (`iat`, otherwise `nbf`), or from now if that is in the future or missing:
 * the remaining time always counts.
 */
function lifetimeS({ exp = Infinity, iat, nbf }: JWTPayload): number {
  const now = Date.now() / 1000
  return exp - Math.min(now, iat ?? nbf ?? now)
}

/** Whether the log can identify a caller by this subject. */
const isName = (subject: unknown): subject is string =>
  typeof subject === 'string' && /[^\s\p{Cf}\p{Cc}]/u.test(subject)

/** Returns the scopes that a token grants; undefined if it names no role or scope of this service. */
function scopesOf(payload: JWTPayload, rules: TokenRules): ReadonlySet<Scope> | undefined {
  return grantedScopes(rolesOf(payload, rules), scopesNamed(payload['scope'], payload['scp']))
}

function refusalOf(error: unknown, rules: TokenRules): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof errors.JWTExpired)
    return unauthorized('invalid_token', 'The access token has expired.')
  return notValid(faultOfToken(error, rules))
}

/**
 * Returns the reason why a token is invalid, for the log. Quoted claims are the issuer's, because the signature was
 * checked.
 */
function faultOfToken(error: unknown, { issuer, audience }: TokenRules): string {
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, payload } = error
    const said = JSON.stringify(payload[claim])?.slice(0, 200) ?? 'missing'
    if (claim === 'aud') return `its audience is ${said}, and OIDC_AUDIENCE is ${audience}`
    if (claim === 'iss') return `its issuer is ${said}, and OIDC_ISSUER is ${issuer}`
    return `its claim ${claim} is missing or not acceptable now`
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its signature is of a kind that is not taken'
  return `it is signed by none of the keys of ${issuer}`
}

const livesTooLong = ({ tokenLifetimeHours }: TokenRules) =>
  unauthorized(
    'invalid_token',
    `The access token lives longer than the ${tokenLifetimeHours} hours that this service accepts. Ask the issuer for a shorter one.`,
    'it lives longer than TOKEN_LIFETIME allows',
  )

/** @param fault Cause for the log; the sender only learns that the token is refused. */
const notValid = (fault: string) =>
  unauthorized('invalid_token', 'The access token is not valid for this service.', fault)

/** Returns why a token is refused before any key lookup: it carries its own key, or is not a JWT. */
function faultOfForm(token: string): string | undefined {
  try {
    const header = decodeProtectedHeader(token)
    return ['jwk', 'jku', 'x5u', 'x5c'].some((name) => name in header) ? 'it brings its own key' : undefined
  } catch {
    return 'it is no JWT; an issuer whose tokens are opaque gives out others for an audience that it knows'
  }
}

/** RFC 6750 section 3: without credentials the challenge carries no error code. */
function unauthorized(
  error?: 'invalid_token' | 'invalid_request',
  detail = 'Send an access token in the Authorization header.',
  fault?: string,
): Refusal {
  return new Refusal(error ?? 'unauthorized', detail, {
    ...(fault !== undefined && { logged: `a token was refused: ${fault}` }),
    headers: {
      'www-authenticate': error ? `Bearer error="${error}", error_description="${detail}"` : 'Bearer',
    },
  })
}
