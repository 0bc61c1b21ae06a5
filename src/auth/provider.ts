import {
  ErrorResponse,
  ErrorTimeout,
  InMemoryWebStorage,
  OidcClient,
  type SigninRequest,
  type SigninResponse,
  WebStorageStateStore,
} from 'oidc-client-ts'

import type { Settings } from '../api/settings.ts'
import { SignInError, type SignInFault } from './sign-in-error.ts'
import { tabStorage } from './storage.ts'
import { type Claims, maxSessionMs, RenewalRefused, timesOf, type Tokens } from './tokens.ts'

const timeoutS = 15
/** Prefix of the storage keys for the state of sign-ins that redirect this page. */
const redirectPrefix = 'data-store.sign-in.'

/**
 * Client of an OpenID provider, based on standards: code flow with PKCE and nonce (RFC 9700), resource indicators (RFC
 * 8707), the issuer in the response (RFC 9207), RP-initiated logout.
 */
export class Provider {
  readonly redirectUri: string
  readonly #clientId: string
  readonly #audience: string | undefined
  readonly #resource: { readonly resource?: string }
  readonly #redirecting: OidcClient
  readonly #inPopup: OidcClient

  constructor(
    { oidc: { authority, clientId, scope, audience }, consoleUrl }: Settings,
    metadata: Readonly<Record<string, unknown>> | undefined,
  ) {
    this.redirectUri = `${consoleUrl}signed-in`
    this.#clientId = clientId
    this.#audience = audience
    this.#resource = audience !== undefined && URL.canParse(audience) ? { resource: audience } : {}
    const common = {
      authority,
      client_id: clientId,
      scope,
      redirect_uri: this.redirectUri,
      post_logout_redirect_uri: consoleUrl,
      max_age: maxSessionMs / 1000,
      filterProtocolClaims: false,
      requestTimeoutInSeconds: timeoutS,
      ...(metadata && { metadata }),
      ...this.#resource,
      extraTokenParams: this.#resource,
    }
    // The verifier must outlive the redirect, so it is kept in this tab's storage; for a popup it stays in memory.
    this.#redirecting = new OidcClient({
      ...common,
      stateStore: new WebStorageStateStore({
        store: tabStorage ?? new InMemoryWebStorage(),
        prefix: redirectPrefix,
      }),
    })
    this.#inPopup = new OidcClient({
      ...common,
      redirect_uri: `${this.redirectUri}/popup`,
      stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    })
  }

  /** Leaves the page for the provider. `prove`: an existing session there is not enough. */
  async redirect(place: string, prove: boolean): Promise<never> {
    forgetRedirects()
    const { url } = await explainFaults(() => this.#request(this.#redirecting, prove, place))
    location.replace(url)
    return new Promise<never>(() => {})
  }

  /** Completes a sign-in after the redirect back. `place`: where the person was, with the state of its `entry`. */
  async returned(url: string): Promise<{ tokens: Tokens; place: string | undefined; entry: unknown }> {
    try {
      const response = await explainFaults(() => this.#complete(this.#redirecting, url))
      const { place, entry } = (response.userState ?? {}) as { place?: string; entry?: unknown }
      return { tokens: tokensOf(response), place, entry }
    } finally {
      forgetRedirects()
    }
  }

  popupRequest(prove: boolean): Promise<SigninRequest> {
    return explainFaults(() => this.#request(this.#inPopup, prove))
  }

  async popupReturned(url: string): Promise<Tokens> {
    return tokensOf(await explainFaults(() => this.#complete(this.#inPopup, url)))
  }

  /** Renews tokens (RFC 6749, section 6). The library hides the status of a refusal, which may have no JSON body. */
  async refreshed(before: Tokens): Promise<Tokens> {
    const { refresh, scope } = before
    if (refresh === undefined) throw new RenewalRefused('There is no refresh token.')
    const { issuer = '', token_endpoint: address } = await this.#redirecting.metadataService.getMetadata()
    if (address === undefined) throw new Error('The provider names no token endpoint.')
    const response = await fetch(address, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refresh,
        client_id: this.#clientId,
        ...(scope !== undefined && { scope }),
        ...this.#resource,
      }),
      signal: AbortSignal.timeout(timeoutS * 1000),
    })
    const text = await response.text()
    const { status } = response
    if (status === 429 || status >= 500) throw new Error(`The provider answered ${status}.`)
    try {
      if (!response.ok) throw new Error(`The provider answered ${status}.`)
      return applyRenewal(before, JSON.parse(text) as RenewalAnswer, issuer, this.#clientId)
    } catch (cause) {
      throw new RenewalRefused('It was refused.', { cause })
    }
  }

  /** Reads more claims, for providers that keep the ID token short. */
  async userInfo({ access, claims }: Tokens): Promise<Claims | undefined> {
    const url = await this.#redirecting.metadataService.getUserInfoEndpoint()
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${access}` },
      signal: AbortSignal.timeout(timeoutS * 1000),
    })
    const more = response.ok ? ((await response.json()) as Claims) : undefined
    return more?.sub === claims.sub ? more : undefined
  }

  /** Returns the address that ends the provider's session; undefined if the provider has none. */
  async signOutUrl(idToken: string | undefined): Promise<string | undefined> {
    if ((await this.#redirecting.metadataService.getEndSessionEndpoint()) === undefined) return undefined
    const { url } = await this.#redirecting.createSignoutRequest(
      idToken === undefined ? {} : { id_token_hint: idToken },
    )
    return url
  }

  #request(client: OidcClient, prove: boolean, place?: string): Promise<SigninRequest> {
    return client.createSigninRequest({
      nonce: crypto.randomUUID(),
      // The history entry is included: without it a reload would lose the pages visited in a list.
      ...(place === undefined ? {} : { state: { place, entry: carriedEntry(history.state) } }),
      ...(prove ? { prompt: 'login' } : {}),
      // Some providers know the audience under this name only; others ignore it.
      ...(this.#audience === undefined ? {} : { extraQueryParams: { audience: this.#audience } }),
    })
  }

  async #complete(client: OidcClient, url: string): Promise<SigninResponse> {
    const metadata: ProviderMetadata = await client.metadataService.getMetadata()
    const { issuer, authorization_response_iss_parameter_supported: namesItself = false } = metadata
    // Throws unless the response belongs to a sign-in that this tab began: any other address may be crafted, and its
    // text must not be shown.
    await client.readSigninResponseState(url)
    const answer = new URL(url).searchParams
    // A member must not be there twice (RFC 6749, section 3.1): another reader might take the other one.
    const isDouble = [...answer.keys()].some((name) => answer.getAll(name).length > 1)
    const answeredBy = answer.get('iss')
    // A provider that announces its name in answers (RFC 9207) leaves it out of none.
    const isNamed = answeredBy === null ? !namesItself : answeredBy === issuer
    if (isDouble || !isNamed) throw new SignInError('foreign', { said: URL.parse(answeredBy ?? '')?.origin })
    const response = await client.processSigninResponse(url)
    const { iss, aud } = response.profile
    if (iss !== issuer || ![aud].flat().includes(this.#clientId))
      throw new SignInError('foreign', { said: iss })
    return response
  }
}

interface ProviderMetadata {
  readonly issuer?: string
  /** RFC 9207, section 3. */
  readonly authorization_response_iss_parameter_supported?: boolean
}

/** Response of the token endpoint (RFC 6749, section 5.1). */
interface RenewalAnswer {
  readonly access_token?: unknown
  readonly expires_in?: number | string
  readonly refresh_token?: string
  readonly id_token?: string
  readonly scope?: string
}

/**
 * Applies a renewal. The provider may keep the refresh token and send no new ID token; if it sends one, it must be for
 * the same person and this client (OpenID Connect Core, 12.2).
 */
function applyRenewal(before: Tokens, answer: RenewalAnswer, issuer: string, clientId: string): Tokens {
  const { access_token: access, refresh_token: refresh, id_token: id, scope } = answer
  if (typeof access !== 'string') throw new Error('The answer has no access token.')
  const claims = id === undefined ? before.claims : claimsOf(id)
  const isOurs = claims['iss'] === issuer && [claims['aud']].flat().includes(clientId)
  if (claims.sub !== before.claims.sub || (id !== undefined && !isOurs))
    throw new Error('The ID token is not of this person, or not for this console.')
  const lastsS = Number(answer.expires_in)
  return {
    ...before,
    access,
    claims,
    ...(lastsS >= 0 ? timesOf(lastsS * 1000) : { expiresAtMs: undefined, renewsAtMs: undefined }),
    ...(refresh !== undefined && { refresh }),
    ...(id !== undefined && { id }),
    ...(scope !== undefined && { scope }),
  }
}

/** Returns the claims of an ID token, unverified: it came from the provider by TLS (OpenID Connect Core, 3.1.3.7). */
function claimsOf(idToken: string): Claims {
  const packed = idToken.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
  const bytes = Uint8Array.from(atob(packed), (character) => character.codePointAt(0) ?? 0)
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims
}

function tokensOf(response: SigninResponse): Tokens {
  const { auth_time: provenAtS } = response.profile
  return {
    access: response.access_token,
    refresh: response.refresh_token,
    id: response.id_token,
    ...(response.expires_in !== undefined && timesOf(response.expires_in * 1000)),
    provenAtMs: isPlausible(provenAtS) ? provenAtS * 1000 : Date.now(),
    claims: response.profile,
    scope: response.scope,
  }
}

/** Whether a time is plausible: some providers write 0 for an unknown time. */
function isPlausible(timeS: unknown): timeS is number {
  return typeof timeS === 'number' && timeS > Date.UTC(2000) / 1000
}

/** Removes every trace of sign-ins from the tab's storage, including abandoned ones. */
function forgetRedirects() {
  for (const key of Object.keys(tabStorage ?? {}))
    if (key.startsWith(redirectPrefix)) tabStorage?.removeItem(key)
}

/**
 * Returns the parts of a history entry that outlive a sign-in in the tab's storage: the router's names for the entry,
 * the pages of the list visited before it, and the list that the page was opened from. Other parts, such as search
 * conditions with personal data, stay in the old history entry and disappear with it.
 */
export function carriedEntry(state: unknown): unknown {
  if (state === null || typeof state !== 'object') return null
  const { key, idx, usr } = state as { key?: unknown; idx?: unknown; usr?: Record<string, unknown> | null }
  const { visited, listEntry, isSearch } = usr ?? {}
  return { key, idx, usr: usr && { visited, listEntry, isSearch } }
}

/** Sign-in faults by the error codes of OAuth and OpenID Connect. Any other code counts as a refused request. */
const faults: Readonly<Record<string, SignInFault>> = {
  access_denied: 'denied',
  login_required: 'denied',
  interaction_required: 'denied',
  consent_required: 'denied',
  account_selection_required: 'denied',
  invalid_scope: 'scope',
  invalid_grant: 'over',
  server_error: 'away',
  temporarily_unavailable: 'away',
}

/** Maximum length of a provider's message; the rest is not shown. */
const maxSaidLength = 300

/** Runs a request to the provider and turns its failure into a SignInError that names the cause. */
export async function explainFaults<Result>(work: () => Promise<Result>): Promise<Result> {
  let forbidden: string | undefined
  const note = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === 'connect-src') forbidden = URL.parse(blockedURI)?.origin
  }
  document.addEventListener('securitypolicyviolation', note)
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof SignInError) throw cause
    // A policy violation is reported after the failure it causes.
    if (cause instanceof TypeError) await new Promise((resolve) => setTimeout(resolve, 100))
    throw forbidden === undefined ? faultOf(cause) : new SignInError('policy', { said: forbidden, cause })
  } finally {
    document.removeEventListener('securitypolicyviolation', note)
  }
}

function faultOf(cause: unknown): SignInError {
  if (cause instanceof ErrorResponse) {
    const { error, error_description: description } = cause
    const said = (description ?? error ?? '').slice(0, maxSaidLength) || undefined
    return new SignInError(faults[error ?? ''] ?? 'refused', { said, cause })
  }
  // The library distinguishes its other failures only by their messages.
  const message = cause instanceof Error ? cause.message : ''
  if (message.startsWith('No matching state') || message.startsWith('No state in'))
    return new SignInError('over', { cause })
  // An HTML page comes from a proxy in front of a provider that is down.
  const isFailing = /\((404|429|5\d\d)\)|^Invalid response Content-Type/.test(message)
  const isAway = cause instanceof TypeError || cause instanceof ErrorTimeout || isFailing
  return new SignInError(isAway ? 'away' : 'unknown', { cause })
}
