import { ofAnotherTab } from './find-session.ts'
import { mustProve, signedOut } from './session-store.ts'
import { SignInError } from './sign-in-error.ts'
import { beginSession, type SignIn } from './sign-in.ts'
import { tabStorage } from './storage.ts'
import { maxSessionMs, type RunningSession } from './tokens.ts'

/**
 * With whom a page starts. `signed-out`: the person wanted it so; `window-wanted`: this browser keeps nothing, so that no
 * sign-in can lead through this page.
 */
export type Arrival = RunningSession | 'signed-out' | 'window-wanted'

/**
 * With the session of the sign-in that the page comes back from, or the one that was found. Where there is none the
 * browser goes to the provider at once and comes back to the same place.
 *
 * @param found Where it was looked for already.
 */
export async function completeSignIn(
  signIn: SignIn,
  found?: Promise<RunningSession | undefined>,
): Promise<Arrival> {
  if (!isSecureContext) throw new SignInError('insecure')
  if (location.href.split(/[?#]/)[0] === `${signIn.settings.consoleUrl}signed-in`) return returned(signIn)
  const session = await (found ?? signIn.store.read() ?? ofAnotherTab(signIn))
  if (session) return session
  if (signedOut.get()) return 'signed-out'
  if (!tabStorage) return 'window-wanted'
  return (await signIn.provider()).redirect(location.pathname + location.search, mustProve.get())
}

async function returned(signIn: SignIn): Promise<RunningSession> {
  const { consoleUrl } = signIn.settings
  const provider = await signIn.provider()
  const { tokens, place, entry } = await provider.returned(location.href).catch((cause: unknown) => {
    // The used-up code does not stay in the address bar, where a reload would send it again.
    history.replaceState(null, '', consoleUrl)
    throw cause
  })
  // By itself, `//` would be the beginning of another host.
  const back = location.origin + (place ?? '')
  if (back.startsWith(consoleUrl)) history.replaceState(entry ?? null, '', back)
  else history.replaceState(null, '', consoleUrl)
  if (Date.now() <= tokens.provenAtMs + maxSessionMs) return beginSession(signIn, tokens)
  // A provider that ignores max_age: ask it in words of its own, once, where that can be noted.
  if (mustProve.get() || !mustProve.set()) return beginSession(signIn, { ...tokens, provenAtMs: Date.now() })
  return provider.redirect(location.pathname + location.search, true)
}
