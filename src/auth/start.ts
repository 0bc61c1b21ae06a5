import { OidcSession } from './oidc-session.ts'
import { openPopup, signInThrough } from './popup.ts'
import type { Session } from './session.ts'
import { beginSession, type SignIn } from './sign-in.ts'
import type { RunningSession } from './tokens.ts'

/** @param onEnd The session is over: data must leave the page. */
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

/** In a window beside this page, where the browser keeps nothing that could lead back here; from a click. */
export async function signInBeside(signIn: SignIn): Promise<RunningSession | undefined> {
  const popup = openPopup()
  return popup ? beginSession(signIn, await signInThrough(popup, signIn)) : undefined
}
