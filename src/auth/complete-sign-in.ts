import { ofAnotherTab } from './find-session.ts'
import { mustProve, signedOut } from './session-store.ts'
import { SignInError } from './sign-in-error.ts'
import { beginSession, type SignIn } from './sign-in.ts'
import { tabStorage } from './storage.ts'
import { maxSessionMs, type RunningSession } from './tokens.ts'

/** `window-wanted`: this browser stores nothing, so a sign-in cannot redirect this page and needs a window. */
export type Arrival = RunningSession | 'signed-out' | 'window-wanted'

/**
 * Returns the session of the sign-in that redirected to this page, or the one that was found. If there is none, the
 * browser goes to the provider at once and comes back to the same place.
 */
export async function completeSignIn(signIn: SignIn): Promise<Arrival> {
  if (!isSecureContext) throw new SignInError('insecure')
  if (location.href.split(/[?#]/)[0] === `${signIn.settings.consoleUrl}signed-in`) return returned(signIn)
  const session = signIn.store.read() ?? (await ofAnotherTab(signIn))
  if (session) return session
  if (signedOut.get()) return 'signed-out'
  if (!tabStorage) return 'window-wanted'
  return (await signIn.provider()).redirect(location.pathname + location.search, mustProve.get())
}

async function returned(signIn: SignIn): Promise<RunningSession> {
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
