import { isFullService } from '#contract/feature.ts'

import { readAhead } from '../api/ahead.ts'
import { type Features, readFeatures } from '../api/connection.ts'
import { FirstAnswers } from '../api/first-answers.ts'
import { readSettings, type Settings } from '../api/settings.ts'
import { firstArea, scopesOf } from '../auth/areas.ts'
import { completeSignIn } from '../auth/complete-sign-in.ts'
import { openSessionChannel } from '../auth/session-channel.ts'
import { openSignIn } from '../auth/sign-in.ts'
import { isFresh, type RunningSession } from '../auth/tokens.ts'
import type { Begun } from '../main.tsx'

/** Finds the session, and asks for what the page at this address shows first. */
export async function begin(consoleUrl: string): Promise<Begun> {
  const sent = readAhead()
  const settings = await readSettings(consoleUrl, sent)
  const signIn = openSignIn(settings, openSessionChannel(settings), sent.provider)
  // Asked for while the session is being found, where the page did not bring it.
  const coming = sent.features ?? readFeatures(settings.apiUrl)
  const arrival = await completeSignIn(signIn)
  const features = await coming
  const answers = new FirstAnswers()
  if (typeof arrival === 'object') ask(answers, arrival, settings, features)
  return { settings, features, signIn, arrival, answers }
}

function ask(answers: FirstAnswers, session: RunningSession, settings: Settings, features: Features): void {
  const { apiUrl, consoleUrl, oidc } = settings
  // The console's own address is that of no page: it becomes the one of the first area that the person may see.
  if (location.href.split(/[?#]/)[0] === consoleUrl) {
    const area = firstArea(scopesOf(session.tokens, oidc), features) ?? 'users'
    history.replaceState(history.state, '', consoleUrl + area)
  }
  // A session that is about to end is renewed first.
  if (!isFresh(session)) return
  const path = location.pathname.slice(new URL(consoleUrl).pathname.length).replace(/\/$/, '')
  for (const request of firstRequests(path, new URLSearchParams(location.search), features))
    answers.ask(apiUrl + request, session.tokens.access)
}
/**
 * Returns the requests that the page at an address sends first, as its loader does: addresses below {base_url}. A
 * superfluous one costs a request; a missing one is sent later, by the page itself.
 */
export function firstRequests(path: string, search: URLSearchParams, features: Features): string[] {
  const [area, id = '', part = '', ...more] = partsOf(path)
  // An address that cannot be decoded has no page.
  if (area === undefined) return []
  const isFull = isFullService(features)
  if (area === 'segments') return ofSegments(id, part, search)
  if (area === 'webhooks' && isFull && id === '') return ['/subscriptions']
  if (area === 'dictionary' && isFull) return ['/dictionary']
  if (area === 'events') return isFull && search.size === 0 ? [`/events?order=desc&with=delivery`] : []
  if (area !== 'users') return []
  if (id === '')
    return [`/users${asked({ segment: search.get('segment'), offset: search.get('offset') })}`, '/segments']
  if (['new', 'export', 'import', 'deleted'].includes(id)) return []
  if (id === 'batch') return isFull ? [part === '' ? '/jobs' : `/jobs/${part}`] : []
  const user = `/users/${id}`
  if (part === 'access') return [user]
  const shown = [user, `${user}/entities${isFull ? '?sensitive=masked' : ''}`]
  if (part === 'segments') return [...shown, '/segments', ...(isFull ? [`${user}/segments`] : [])]
  if (part === 'activity' && isFull) return [...shown, `/events?order=desc&user=${id}`]
  return more.length > 1 ? [] : shown
}

function ofSegments(id: string, part: string, search: URLSearchParams): string[] {
  const from = search.get('from')
  if (id === 'new') return ['/segments', ...(from === null ? [] : [`/segments/${encodeURIComponent(from)}`])]
  if (id === '') return ['/segments']
  const shown = [`/segments/${id}`, '/segments']
  return part === 'edit' ? shown : [...shown, `/users${asked({ segment: id })}`]
}

/** Splits a path into parts, encoded as by the client; empty where it cannot be decoded, as in `users/100%`. */
function partsOf(path: string): string[] {
  try {
    return path.split('/').map((part) => encodeURIComponent(decodeURIComponent(part)))
  } catch {
    return []
  }
}

function asked(parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
