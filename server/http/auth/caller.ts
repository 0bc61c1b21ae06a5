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
import type { TokenKeys } from './issuer-keys.ts'
import { type NoRole, noRoleIn } from './no-role.ts'
import { insufficientScope, Refusal } from '../problem.ts'
import { faultOfKind } from './token-kind.ts'
import type { UserInfo } from './user-info.ts'

/** Caller of a request, as far as the service needs to know. */
export interface Caller {
  /** The token's `sub`. */
  readonly subject: string
  readonly scopes: ReadonlySet<Scope>
  /** Why the caller may do nothing: the token names neither a role nor a scope of ours. */
  readonly noRole?: NoRole
  /** When the token does, in milliseconds of the epoch. */
  readonly expires: number
  /** Counts the request as one for sensitive values, once; 429 where there were too many. Absent: there is no request. */
  readonly countSensitive?: () => Promise<void>
}

export interface TokenRules extends RoleRules {
  readonly issuer: string
  readonly audience: string
  /** For a valid token that names neither a role nor a scope of ours; absent: such a token may do nothing. */
  readonly defaultRole?: Role | undefined
  /** A token that lives longer is refused: one that leaks must come to an end. */
  readonly tokenLifetimeHours: number
  /** By how much the issuer's clock may differ from this one. */
  readonly clockToleranceS: number
}

/** Asymmetric only: an HS256 token signed with a public key, or `none`, never gets as far as a key. */
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

/** How many verified tokens are remembered: checking a signature costs 30 to 60 microseconds, a digest 2. */
const maxRememberedTokens = 10_000

/**
 * Makes the check of a request's Authorization header (RFC 6750, RFC 9068). Answers at once for a token that was
 * verified with the keys as they were read last, and has not expired.
 *
 * @param userInfo Where roles are looked for that a token does not name.
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
    const scopes = named ?? (await grantedBeside(token, payload))
    const caller = {
      subject: payload.sub,
      scopes,
      ...(!named &&
        scopes.size === 0 && { noRole: noRoleIn(payload, rules.roleClaim, userInfo !== undefined) }),
      expires: (payload.exp ?? 0) * 1000,
    }
    // Claims from userinfo are cached there, and expire there.
    if (reading === undefined || (userInfo && named === undefined)) return caller
    if (remembered.size >= maxRememberedTokens) remembered.delete(remembered.keys().next().value ?? '')
    remembered.set(digest, { caller, reading })
    return caller
  }

  /** By the roles that the issuer tells of the caller, where it is asked for them, or the default role. */
  async function grantedBeside(token: string, { sub = '' }: JWTPayload): Promise<ReadonlySet<Scope>> {
    const told = await userInfo?.(token, sub)
    const granted = told && grantedScopes(told, new Set())
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

/** From when it was issued, or from now where that is earlier or left out: what is still to come counts in any case. */
function lifetimeS({ exp = Infinity, iat, nbf }: JWTPayload): number {
  const now = Date.now() / 1000
  return exp - Math.min(now, iat ?? nbf ?? now)
}

/** Whether the log can name a caller by it. */
const isName = (subject: unknown): subject is string =>
  typeof subject === 'string' && /[^\s\p{Cf}\p{Cc}]/u.test(subject)

/** Scopes that a token grants; `undefined`: it names neither a role nor a scope of ours. */
function scopesOf(payload: JWTPayload, rules: TokenRules): ReadonlySet<Scope> | undefined {
  return grantedScopes(rolesOf(payload, rules), scopesNamed(payload['scope'], payload['scp']))
}

function refusalOf(error: unknown, rules: TokenRules): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof errors.JWTExpired)
    return unauthorized('invalid_token', 'The access token has expired.')
  return notValid(faultOfToken(error, rules))
}

/** Reason why a token is invalid, for the log. Claims that it quotes are the issuer's: the signature was checked. */
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

/** @param fault What the log says of it; its sender is told no more than that it is refused. */
const notValid = (fault: string) =>
  unauthorized('invalid_token', 'The access token is not valid for this service.', fault)

/** A token that names its own key, or that is none, is refused before any key is looked up. */
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
