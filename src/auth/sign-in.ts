import type { Settings } from '../api/settings.ts'
import type { Provider } from './provider.ts'
import { takeFromTab, type SessionChannel } from './session-channel.ts'
import { mustProve, signedOut } from './session-store.ts'
import { type Person, personOf } from './session.ts'
import { SignInError } from './sign-in-error.ts'
import { tabStorage } from './storage.ts'
import { maxSessionMs, type RunningSession, type Tokens } from './tokens.ts'

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
export async function readPerson({ provider, settings }: SignIn, tokens: Tokens): Promise<Person> {
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

/** `window-wanted`: this browser stores nothing, so a sign-in cannot redirect this page and needs a window. */
export type Arrival = RunningSession | 'signed-out' | 'window-wanted'

/**
 * Returns the session of the sign-in that redirected to this page, or the one that was found. If there is none, the
 * browser goes to the provider at once and comes back to the same place.
 */
export async function completeSignIn(signIn: SignIn): Promise<Arrival> {
  if (!isSecureContext) throw new SignInError('insecure')
  if (location.href.split(/[?#]/)[0] === `${signIn.settings.consoleUrl}signed-in`)
    return completeRedirect(signIn)
  const session = signIn.store.read() ?? (await takeFromTab(signIn))
  if (session) return session
  if (signedOut.get()) return 'signed-out'
  if (!tabStorage) return 'window-wanted'
  return (await signIn.provider()).redirect(location.pathname + location.search, mustProve.get())
}

async function completeRedirect(signIn: SignIn): Promise<RunningSession> {
  const { consoleUrl } = signIn.settings
  const provider = await signIn.provider()
  const { tokens, place, entry } = await provider.returned(location.href).catch((cause: unknown) => {
    // Removes the used code from the address bar, where a reload would send it again.
    history.replaceState(null, '', consoleUrl)
    throw cause
  })
  // A place such as `//example.org` would name another host, so the origin is put before it.
  const back = location.origin + (place ?? '')
  if (back.startsWith(consoleUrl)) history.replaceState(entry ?? null, '', back)
  else history.replaceState(null, '', consoleUrl)
  if (Date.now() <= tokens.provenAtMs + maxSessionMs) return beginSession(signIn, tokens)
  // The provider ignored max_age. Asks it once more, with `prompt=login`. If it was already asked so, or if the mark
  // that it was asked cannot be stored, the sign-in is accepted as it is, and its age counts from now.
  if (mustProve.get() || !mustProve.set()) return beginSession(signIn, { ...tokens, provenAtMs: Date.now() })
  return provider.redirect(location.pathname + location.search, true)
}
