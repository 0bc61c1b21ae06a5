import { OidcSession } from './oidc-session.ts'
import { openPopup, signInThrough } from './popup.ts'
import type { Session } from './session.ts'
import { beginSession, type SignIn } from './sign-in.ts'
import type { RunningSession } from './tokens.ts'

/** @param onEnd Called when the session ends: data must leave the page. */
export function startSession(signIn: SignIn, running: RunningSession, onEnd: () => void): Session {
  return new OidcSession({
    signIn,
    running,
    onEnd,
    onOtherPerson() {
      onEnd()
      location.replace(signIn.settings.consoleUrl)
    },
  })
}

/**
 * Signs in through a window, if the browser stores nothing that would allow a redirect of this page. Must be called in
 * a click handler.
 */
export async function signInBeside(signIn: SignIn): Promise<RunningSession | undefined> {
  const popup = openPopup()
  return popup ? beginSession(signIn, await signInThrough(popup, signIn)) : undefined
}
