import { readAhead } from '../api/ahead.ts'
import type { Features } from '../api/connection.ts'
import { FirstAnswers } from '../api/first-answers.ts'
import { parseSettings, type Settings } from '../api/settings.ts'
import { firstArea, scopesOf } from '../auth/areas.ts'
import { ofAnotherTab } from '../auth/find-session.ts'
import { openSharedSession, type SharedSession } from '../auth/shared-session.ts'
import { isFresh, type RunningSession } from '../auth/tokens.ts'
import { firstRequests } from './first-requests.ts'

/** What is begun while the page is still being read. */
export interface First {
  readonly shared: SharedSession
  readonly session: Promise<RunningSession | undefined>
  /** What was asked for with that session. */
  readonly answers: FirstAnswers
}

declare global {
  /** From the script that the page waits for to the one that begins the console: each is built by itself. */
  var first: First | undefined
}

/**
 * Finds the session, and asks for what the page at this address shows first, before there is any other code: where the page
 * brought what that takes, and is not on its way back from the provider.
 */
export function beginAtOnce(): void {
  const { settings: sent, features } = readAhead()
  if (sent === undefined || !features) return
  const settings = parseSettings(sent, new URL('.', document.baseURI).href)
  if (location.href.startsWith(`${settings.consoleUrl}signed-in`)) return
  const shared = openSharedSession(settings)
  const answers = new FirstAnswers()
  const begin = (session: RunningSession | undefined) => {
    if (session) askFirst(answers, session, settings, features)
    return session
  }
  const own = shared.kept.read()
  // At once with that of this tab: the frame is the one of the address that it leads to.
  const session = own ? Promise.resolve(begin(own)) : ofAnotherTab(shared).then(begin)
  globalThis.first = { shared, session, answers }
}

/** Once, and then it stays nowhere: there are people in it. */
export function takeFirst(): First | undefined {
  const { first } = globalThis
  globalThis.first = undefined
  return first
}

/** What the page at this address shows first, for this person. */
export function askFirst(
  answers: FirstAnswers,
  session: RunningSession,
  settings: Settings,
  features: Features,
): void {
  const { apiUrl, consoleUrl } = settings
  land(session, settings, features)
  const path = location.pathname.slice(new URL(consoleUrl).pathname.length).replace(/\/$/, '')
  // One that is about to end is renewed first.
  if (isFresh(session))
    for (const request of firstRequests(path, new URLSearchParams(location.search), features))
      answers.ask(apiUrl + request, session.tokens.access)
}

/** The console's own address is that of no page: it becomes the one of the first area that the person may see. */
function land({ tokens }: RunningSession, { consoleUrl, oidc }: Settings, features: Features): void {
  if (location.href.split(/[?#]/)[0] !== consoleUrl) return
  const area = firstArea(scopesOf(tokens, oidc), features) ?? 'users'
  history.replaceState(history.state, '', consoleUrl + area)
}
