import {
  ErrorResponse,
  InMemoryWebStorage,
  OidcClient,
  type SigninRequest,
  type SigninResponse,
  WebStorageStateStore,
} from 'oidc-client-ts'

import type { Settings } from '../api/settings.ts'
import { redirectPrefix } from './place-ahead.ts'
import { SignInError } from './sign-in-error.ts'
import { explained } from './sign-in-fault.ts'
import { tabStorage } from './storage.ts'
import { type Claims, maxSessionMs, RenewalRefused, type Tokens } from './tokens.ts'

/**
 * The OpenID provider, by the standards alone: code flow with PKCE and nonce (RFC 9700), resource indicators
 * (RFC 8707), the issuer in the answer (RFC 9207), RP-initiated logout.
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
      requestTimeoutInSeconds: 15,
      ...(metadata && { metadata }),
      ...this.#resource,
      extraTokenParams: this.#resource,
    }
    // The verifier has to outlive the redirect, in this tab; a popup's stays here, in memory.
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

  /** Leaves the page for the provider. `prove`: a running session there is not enough. */
  async redirect(place: string, prove: boolean): Promise<never> {
    forgetRedirects()
    const { url } = await explained(() => this.#request(this.#redirecting, prove, place))
    location.replace(url)
    return new Promise<never>(() => {})
  }

  /** Back from the provider: the tokens, where the person was, and the state of that history entry. */
  async returned(url: string): Promise<{ tokens: Tokens; place: string | undefined; entry: unknown }> {
    try {
      const response = await explained(() => this.#complete(this.#redirecting, url))
      const { place, entry } = (response.userState ?? {}) as { place?: string; entry?: unknown }
      return { tokens: tokensOf(response), place, entry }
    } finally {
      forgetRedirects()
    }
  }

  popupRequest(prove: boolean): Promise<SigninRequest> {
    return explained(() => this.#request(this.#inPopup, prove))
  }

  async popupReturned(url: string): Promise<Tokens> {
    return tokensOf(await explained(() => this.#complete(this.#inPopup, url)))
  }

  async refreshed(before: Tokens): Promise<Tokens> {
    const { refresh, id, scope, sessionState, claims, provenAtMs } = before
    if (refresh === undefined) throw new RenewalRefused('There is no refresh token.')
    const renewal = this.#redirecting.useRefreshToken({
      state: {
        refresh_token: refresh,
        session_state: sessionState ?? null,
        profile: claims as SigninResponse['profile'],
        ...(id !== undefined && { id_token: id }),
        ...(scope !== undefined && { scope }),
      },
      ...this.#resource,
    })
    const next = await renewal.catch((cause: unknown) => {
      throw cause instanceof ErrorResponse ? new RenewalRefused('It was refused.', { cause }) : cause
    })
    // A provider may keep the refresh token and send no new ID token (RFC 6749, section 6).
    next.refresh_token ??= refresh
    next.profile ??= claims as SigninResponse['profile']
    if (id !== undefined) next.id_token ??= id
    return { ...tokensOf(next), provenAtMs }
  }

  /** More claims, for providers that keep the ID token short. */
  async userInfo({ access, claims }: Tokens): Promise<Claims | undefined> {
    const url = await this.#redirecting.metadataService.getUserInfoEndpoint()
    const response = await fetch(url, { headers: { Authorization: `Bearer ${access}` } })
    const more = response.ok ? ((await response.json()) as Claims) : undefined
    return more?.sub === claims.sub ? more : undefined
  }

  /** Where to go to end the provider's session; `undefined` where it offers no such page. */
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
      // The history entry goes along: without it a reload would forget the way through a list.
      ...(place === undefined ? {} : { state: { place, entry: history.state as unknown } }),
      ...(prove ? { prompt: 'login' } : {}),
      // Some providers know the audience under this name only; others ignore it.
      ...(this.#audience === undefined ? {} : { extraQueryParams: { audience: this.#audience } }),
    })
  }

  async #complete(client: OidcClient, url: string): Promise<SigninResponse> {
    const { issuer } = await client.metadataService.getMetadata()
    // Of the answer to a sign-in of this tab alone: of any other address the text is that of whoever made the link.
    await client.readSigninResponseState(url)
    const answeredBy = new URL(url).searchParams.get('iss')
    if (answeredBy !== null && answeredBy !== issuer)
      throw new SignInError('foreign', { said: URL.parse(answeredBy)?.origin })
    const response = await client.processSigninResponse(url)
    const { iss, aud } = response.profile
    if (iss !== issuer || ![aud].flat().includes(this.#clientId))
      throw new SignInError('foreign', { said: iss })
    return response
  }
}

function tokensOf(response: SigninResponse): Tokens {
  const { auth_time: provenAtS } = response.profile
  return {
    access: response.access_token,
    refresh: response.refresh_token,
    id: response.id_token,
    expiresAtMs: response.expires_at === undefined ? undefined : response.expires_at * 1000,
    provenAtMs: isPlausible(provenAtS) ? provenAtS * 1000 : Date.now(),
    claims: response.profile,
    scope: response.scope,
    sessionState: response.session_state ?? undefined,
  }
}

/** Some providers write 0 for a time that they do not know. */
function isPlausible(timeS: unknown): timeS is number {
  return typeof timeS === 'number' && timeS > Date.UTC(2000) / 1000
}

/** Nothing of a sign-in stays in the browser's storage, not even of one that was given up. */
function forgetRedirects() {
  for (const key of Object.keys(tabStorage ?? {}))
    if (key.startsWith(redirectPrefix)) tabStorage?.removeItem(key)
}
