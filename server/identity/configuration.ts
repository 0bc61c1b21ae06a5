import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { InvalidTarget } from 'oidc-provider/lib/helpers/errors.js'

import { claimsOf, findAccount, roleOfScriptClient, scriptClients, scriptClientSecret } from './accounts.ts'
import { contentSecurityPolicy, noticePage, signOutPage, signOutScript } from './sign-in-page.ts'
import type { IdentityKeys } from './signing-keys.ts'
import { createStore } from './store.ts'

export interface IdentitySettings {
  /** URL of the sign-in; its path is where the sign-in is mounted. */
  issuer: string
  /** `aud` claim of the API's access tokens. */
  audience: string
  /** The console's client id. */
  clientId: string
  roleClaim: string
  /** Absolute URLs that the console is served at, each ending in '/'. */
  consoleUrls: readonly string[]
  /**
   * File with the signing keys, so that access tokens stay valid after a restart; if undefined, the keys are lost when
   * the process ends.
   */
  keyFile?: string
  /** Called with a failure that the caller did not cause; the caller gets a fixed sentence. */
  onError?: (error: unknown) => void
}

export const signingAlgorithm = 'ES256'

const accessTokenS = 5 * 60
/** Lifetime of a script's token: long enough to try things out by hand. */
const scriptTokenS = 60 * 60
/** Maximum lifetime of a sign-in, however often it is renewed. */
const sessionS = 8 * 60 * 60
const signInPageS = 60 * 60
const scopes = ['openid', 'profile', 'email', 'offline_access', 'roles']

/**
 * Returns the settings of the oidc-provider library: one public client (the console), one client per role for scripts,
 * and no consent page.
 */
export function configuration(
  settings: IdentitySettings,
  keys: IdentityKeys,
  mountPath: string,
  origins: readonly string[],
): Configuration {
  const { audience, clientId, roleClaim, consoleUrls } = settings
  // A resource indicator must be a URI (RFC 8707, section 2); an audience is any string.
  const resource = URL.canParse(audience) ? audience : `urn:data-store:${encodeURIComponent(audience)}`
  // Cookies ignore the port, so two sign-ins on one machine would otherwise share cookies.
  const cookie = `data-store-${new URL(settings.issuer).port}`
  const consoleUrl = consoleUrls[0] ?? settings.issuer

  return {
    adapter: createStore,
    jwks: { keys: [keys.signing] },
    ...clients(settings, origins),
    enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes,
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', roleClaim],
      email: ['email'],
      roles: [roleClaim],
    },
    findAccount: (_ctx, sub) => {
      const account = findAccount(sub)
      return account && { accountId: sub, claims: () => claimsOf(account, roleClaim) }
    },
    extraTokenClaims: (_ctx, token) => ({
      [roleClaim]:
        token.kind === 'AccessToken'
          ? findAccount(token.accountId)?.role
          : roleOfScriptClient(token.clientId),
    }),
    features: {
      devInteractions: { enabled: false },
      // The service accepts only bearer tokens.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: resourceIndicators({ audience, clientId, resource }),
      rpInitiatedLogout: signOut(consoleUrl, origins),
    },
    loadExistingGrant: grantWithSignIn(resource),
    // Refresh tokens are issued even without `offline_access`, which OpenID Connect ties to a consent page (Core 1.0,
    // section 11).
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => true,
    rotateRefreshToken: true,
    ttl,
    cookies: {
      keys: keys.cookies,
      names: { session: cookie, interaction: `${cookie}-sign-in`, resume: `${cookie}-resume` },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: `${mountPath}/` },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    interactions: { url: (_ctx, interaction) => `${mountPath}/interaction/${interaction.uid}` },
    renderError: (ctx, { error, error_description: reason }) =>
      show(
        ctx,
        noticePage({
          title: 'The sign-in could not go on',
          text: error === 'server_error' || reason === undefined ? 'Start again from Data Store.' : reason,
          code: error,
          consoleUrl,
        }),
      ),
  }
}

function clients({ clientId, consoleUrls }: IdentitySettings, origins: readonly string[]) {
  return {
    clients: [
      {
        client_id: clientId,
        client_name: 'Data Store',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: consoleUrls.flatMap((url) => [`${url}signed-in`, `${url}signed-in/popup`]),
        post_logout_redirect_uris: [...consoleUrls],
      },
      ...scriptClients.map((script) => ({
        client_id: script.clientId,
        client_secret: scriptClientSecret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      })),
    ],
    clientDefaults: { id_token_signed_response_alg: signingAlgorithm },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: (_ctx, origin, client) => client.clientId === clientId && origins.includes(origin),
  } satisfies Configuration
}

type Features = NonNullable<Configuration['features']>

/** Limits access tokens to the API. */
const resourceIndicators = ({
  audience,
  clientId,
  resource,
}: Pick<IdentitySettings, 'audience' | 'clientId'> & {
  resource: string
}): Features['resourceIndicators'] => ({
  enabled: true,
  defaultResource: (_ctx, _client, oneOf) => oneOf ?? resource,
  useGrantedResource: () => true,
  getResourceServerInfo: (_ctx, indicator, client) => {
    if (indicator !== resource) throw new InvalidTarget()
    return {
      scope: scopes.join(' '),
      audience,
      accessTokenFormat: 'jwt',
      accessTokenTTL: client.clientId === clientId ? accessTokenS : scriptTokenS,
      jwt: { sign: { alg: signingAlgorithm } },
    }
  },
})

const signOut = (consoleUrl: string, origins: readonly string[]): Features['rpInitiatedLogout'] => ({
  enabled: true,
  logoutSource: (ctx, form) => {
    // The hint shows that the console asks on behalf of the signed-in user, so no confirmation is needed.
    const hint = ctx.oidc.entities.IdTokenHint?.payload['sub']
    const automatic = hint !== undefined && hint === ctx.oidc.session?.accountId
    if (automatic) ctx.set('content-security-policy', contentSecurityPolicy(origins, signOutScript))
    show(ctx, signOutPage(form, automatic, consoleUrl))
  },
  postLogoutSuccessSource: (ctx) =>
    show(ctx, noticePage({ title: 'Signed out', text: 'You are signed out of Data Store.', consoleUrl })),
})

/** Grants our own clients everything they may have when the user signs in, so they need no consent page. */
const grantWithSignIn =
  (resource: string): Configuration['loadExistingGrant'] =>
  async (ctx) => {
    const { client, session, provider } = ctx.oidc
    if (!client || !session?.accountId) return undefined
    const known = session.grantIdFor(client.clientId)
    const existing = known === undefined ? undefined : await provider.Grant.find(known)
    if (existing && existing.accountId === session.accountId) return existing
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
    grant.addOIDCScope(scopes)
    grant.addResourceScope(resource, scopes)
    await grant.save()
    return grant
  }

const ttl: Configuration['ttl'] = {
  AccessToken: accessTokenS,
  AuthorizationCode: 60,
  ClientCredentials: scriptTokenS,
  Grant: sessionS,
  IdToken: accessTokenS,
  Interaction: signInPageS,
  RefreshToken: (ctx) => ctx.oidc.entities.RotatedRefreshToken?.remainingTTL ?? sessionS,
  Session: (_ctx, session) =>
    session.loginTs === undefined
      ? signInPageS
      : Math.max(1, session.loginTs + sessionS - Math.floor(Date.now() / 1000)),
}

function show(ctx: KoaContextWithOIDC, page: string): void {
  ctx.type = 'html'
  ctx.body = page
}
