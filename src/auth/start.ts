import type { Settings } from '../api/settings.ts'
import { OidcSession, proveKey } from './oidc-session.ts'
import { maxSessionMs, Provider, type Tokens } from './provider.ts'
import type { Session } from './session.ts'
import { openTabs } from './tabs.ts'

const signedOutKey = 'data-store.signed-out'

export interface StartOptions {
  readonly settings: Settings
  /** What the issuer says of itself; asked for where it is not known. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  /** The session is over: data must leave the page. */
  readonly onEnd: () => void
}

/** The provider's answer cannot be used: refused, damaged, or from a sign-in that this tab did not begin. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
}

/**
 * Signs in, or finds that the person has just signed out (`undefined`). Without a session the browser goes to the
 * provider at once and comes back to the same place; where the provider still knows the person, a reload shows
 * nothing of it.
 */
export async function startSession({
  settings,
  metadata,
  onEnd,
}: StartOptions): Promise<Session | undefined> {
  const { consoleUrl } = settings
  const provider = new Provider(settings, metadata)
  const place = location.pathname + location.search
  const mustProve = () => localStorage.getItem(proveKey) !== null

  if (location.origin + location.pathname !== provider.redirectUri) {
    if (sessionStorage.getItem(signedOutKey) !== null) return undefined
    return provider.redirect(place, mustProve())
  }

  let tokens: Tokens
  let returnTo: string | undefined
  let entry: unknown
  try {
    ;({ tokens, place: returnTo, entry } = await provider.returned(location.href))
  } catch (cause) {
    // The used-up code does not stay in the address bar, where a reload would send it again.
    history.replaceState(null, '', consoleUrl)
    throw new SignInError('The sign-in was not completed.', { cause })
  }
  const back = new URL(returnTo ?? consoleUrl, consoleUrl)
  if (back.href.startsWith(consoleUrl)) history.replaceState(entry ?? null, '', back.href)
  else history.replaceState(null, '', consoleUrl)
  // A provider that ignores max_age: ask it in words of its own, once.
  if (Date.now() > tokens.provenAtMs + maxSessionMs) {
    if (!mustProve()) {
      localStorage.setItem(proveKey, '1')
      return provider.redirect(location.pathname + location.search, true)
    }
    tokens = { ...tokens, provenAtMs: Date.now() }
  }
  localStorage.removeItem(proveKey)

  return new OidcSession({
    provider,
    tokens,
    tabs: openTabs(consoleUrl),
    roleClaim: settings.oidc.roleClaim,
    onEnd() {
      sessionStorage.setItem(signedOutKey, '1')
      onEnd()
    },
    onOtherPerson() {
      onEnd()
      location.replace(consoleUrl)
    },
  })
}

/** From the page that says "signed out". */
export function signInAgain(): void {
  sessionStorage.removeItem(signedOutKey)
  location.reload()
}

/**
 * In the popup, back from the provider: hands the address to the tab that asked, which holds the verifier, and
 * closes. By channel, since the provider's page may have cut the tie to the opener (COOP).
 */
export async function finishPopup(consoleUrl: string): Promise<void> {
  const tabs = openTabs(consoleUrl)
  const { href } = location
  history.replaceState(null, '', `${consoleUrl}signed-in/popup`)
  const state = new URL(href).searchParams.get('state')
  const received = tabs.next(
    (message): message is typeof message & { type: 'received' } =>
      message.type === 'received' && message.state === state,
  )
  tabs.send({ type: 'returned', url: href })
  await received
  close()
}
