import { mustProve } from './session-store.ts'
import type { SignIn } from './sign-in.ts'
import { openTabs, type TabMessage } from './tabs.ts'
import { maxSessionMs, type Tokens } from './tokens.ts'

/** Opens the popup. Must be called in a click handler before anything is awaited, or browsers block it. */
export function openPopup(): Window | null {
  const popup = open('', 'data-store-sign-in', 'popup,width=480,height=680')
  if (popup) popup.opener = null
  return popup
}

/** Signs in through the popup; closes it on failure. */
export async function signInThrough(popup: Window, signIn: SignIn): Promise<Tokens> {
  try {
    return await tokensThrough(popup, signIn)
  } catch (error) {
    popup.close()
    throw error
  }
}

async function tokensThrough(popup: Window, { provider, tabs }: SignIn): Promise<Tokens> {
  const opened = await provider()
  const { url, state } = await opened.popupRequest(mustProve.get())
  const answer = tabs.next(
    (message): message is TabMessage & { type: 'returned' } =>
      message.type === 'returned' && new URL(message.url).searchParams.get('state') === state.id,
  )
  popup.location.replace(url)
  const { url: returned } = await answer
  tabs.send({ type: 'received', state: state.id })
  const tokens = await opened.popupReturned(returned)
  // A provider may report the start of its own, older session. The person has just signed in there, so the current time
  // counts.
  return Date.now() < tokens.provenAtMs + maxSessionMs ? tokens : { ...tokens, provenAtMs: Date.now() }
}

/**
 * Runs in the popup after the return from the provider: sends the address to the tab that asked, which holds the
 * verifier, and closes. Uses a channel, since the provider's page may have cut the link to the opener (COOP).
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
