import type { Settings } from '../api/settings.ts'
import { mustProve, signedOut } from './session-store.ts'
import type { Provider } from './provider.ts'
import { type Person, personOf } from './session.ts'
import type { SessionChannel } from './session-channel.ts'
import type { RunningSession, Tokens } from './tokens.ts'

/** Everything that a page needs to sign in: the session shared by the tabs, the settings and the provider. */
export interface SignIn extends SessionChannel {
  readonly settings: Settings
  /** Loads the client of the identity provider on demand: a page that has a session may not need its code. */
  readonly provider: () => Promise<Provider>
}

/** @param metadata The issuer's metadata; fetched if undefined. */
export function openSignIn(
  settings: Settings,
  shared: SessionChannel,
  metadata: Readonly<Record<string, unknown>> | undefined,
): SignIn {
  let opened: Promise<Provider> | undefined
  return {
    ...shared,
    settings,
    provider: () => {
      opened ??= import('./provider.ts')
        .then(({ Provider: Opened }) => new Opened(settings, metadata))
        .catch((error: unknown) => {
          opened = undefined
          throw error
        })
      return opened
    },
  }
}

export function beginSession({ store, tabs }: SignIn, tokens: Tokens): RunningSession {
  const session = { id: crypto.randomUUID(), renewals: 0, client: store.client, tokens }
  mustProve.clear()
  signedOut.clear()
  store.begin(session)
  if (store.isPersistent) tabs.send({ type: 'session', session })
  return session
}

/** Returns the person. The provider's user info is added, because some providers keep the ID token short. */
export async function wholePerson({ provider, settings }: SignIn, tokens: Tokens): Promise<Person> {
  const more = await provider()
    .then((opened) => opened.userInfo(tokens))
    .catch(() => undefined)
  return personOf({ ...tokens, claims: { ...tokens.claims, ...more } }, settings.oidc)
}

/** Returns the page that ends the provider's session; undefined if there is none or the provider is out of reach. */
export function signOutUrl({ provider }: SignIn, idToken: string | undefined): Promise<string | undefined> {
  return provider()
    .then((opened) => opened.signOutUrl(idToken))
    .catch(() => undefined)
}
