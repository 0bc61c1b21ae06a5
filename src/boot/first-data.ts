import { readAhead } from '../api/ahead.ts'
import type { Features } from '../api/connection.ts'
import { FirstAnswers } from '../api/first-answers.ts'
import { parseSettings, type Settings } from '../api/settings.ts'
import type { Arrival } from '../auth/arrive.ts'
import { KeptSession } from '../auth/kept-session.ts'
import { firstArea, scopesOfClaim } from '../auth/areas.ts'
import { isFresh, type RunningSession } from '../auth/tokens.ts'
import { firstRequests } from './first-requests.ts'

declare global {
  /** From the script that the page waits for to the one that finds the session: each is built by itself. */
  var askedFirst: { readonly session: string; readonly answers: FirstAnswers } | undefined
}

/**
 * Asks for what the page at this address shows first while the page is still being read: where it brought what that takes,
 * and this tab has kept a session.
 */
export function askAtOnce(): void {
  const { settings: sent, features } = readAhead()
  if (sent === undefined || !features) return
  const settings = parseSettings(sent, new URL('.', document.baseURI).href)
  const session = new KeptSession(settings).read()
  if (!session) return
  land(session, settings, features)
  globalThis.askedFirst = { session: session.id, answers: askedWith(session, settings, features) }
}

/** The console's own address is that of no page: it becomes the one of the first area that the person may see. */
export function land({ tokens }: RunningSession, { consoleUrl, oidc }: Settings, features: Features): void {
  if (location.href.split(/[?#]/)[0] !== consoleUrl) return
  const area = firstArea(scopesOfClaim(tokens.claims[oidc.roleClaim]), features) ?? 'users'
  history.replaceState(history.state, '', consoleUrl + area)
}

/**
 * The answers that were asked for at once, or else now. They are handed on once, and stay nowhere: there are people in
 * them.
 */
export function firstAnswers(arrival: Arrival, settings: Settings, features: Features): FirstAnswers {
  const { askedFirst } = globalThis
  globalThis.askedFirst = undefined
  if (typeof arrival === 'string') return new FirstAnswers()
  return askedFirst?.session === arrival.id ? askedFirst.answers : askedWith(arrival, settings, features)
}

function askedWith(
  session: RunningSession,
  { apiUrl, consoleUrl }: Settings,
  features: Features,
): FirstAnswers {
  const answers = new FirstAnswers()
  const path = location.pathname.slice(new URL(consoleUrl).pathname.length).replace(/\/$/, '')
  // One that is about to end is renewed first.
  if (isFresh(session))
    for (const request of firstRequests(path, new URLSearchParams(location.search), features))
      answers.ask(apiUrl + request, session.tokens.access)
  return answers
}
