import type { JWTHeaderParameters, JWTPayload } from 'jose'

/** Claims of ID tokens (OpenID Connect Core) and of logout and security events, which no access token has. */
const otherKinds = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events']

/**
 * Claims in which providers name the kind of a token, with their value for access tokens: Keycloak, FusionAuth,
 * Cognito.
 */
const tokenKindNames: Readonly<Record<string, string>> = { typ: 'Bearer', tty: 'at', token_use: 'access' }

/** Claims that access tokens have and ID tokens do not: RFC 8693 and 9068, Okta and Entra, Entra for machines. */
const accessClaims = ['scope', 'scp', 'client_id', 'azpacr']

/**
 * Returns why a token is not an access token; undefined if it is one. The type `at+jwt` is proof (RFC 9068). Many
 * providers give all tokens the type `JWT`, or none: these need a claim of access tokens, and none of another kind.
 * The audience cannot distinguish them if the service and a client of the provider share a name.
 */
export function faultOfKind({ typ }: JWTHeaderParameters, claims: JWTPayload): string | undefined {
  if (typ !== undefined && typeof typ !== 'string') return 'its type is no text'
  const type = typ?.toLowerCase().replace(/^application\//, '')
  if (type === 'at+jwt') return undefined
  if (type !== undefined && type !== 'jwt') return `its type is ${JSON.stringify(typ)}`
  const other = otherKinds.find((name) => name in claims)
  if (other !== undefined) return `it has the claim ${other}, as ID tokens have`
  const said = Object.keys(tokenKindNames).filter((name) => name in claims)
  const wrong = said.find((name) => claims[name] !== tokenKindNames[name])
  if (wrong !== undefined) return `its claim ${wrong} says that it is no access token`
  if (said.length > 0 || accessClaims.some((name) => name in claims)) return undefined
  return `its type is not at+jwt, and it has no claim of access tokens (${accessClaims.join(', ')})`
}
